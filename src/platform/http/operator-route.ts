import type { Guards } from '../auth/guards.js';
import { openAnswer } from './plain-answers.js';

/** What every route of the operators' part is told, beside its own: who may, and where it belongs. */
export const operatorRoute =
  ({ guards }: { guards: Pick<Guards, 'operator'> }) =>
  (summary: string, more: Record<string, unknown> = {}) => ({
    onRequest: guards.operator,
    schema: {
      tags: ['operator'],
      summary,
      security: [{ session: [] }],
      response: { 200: openAnswer },
      ...more,
    },
  });
