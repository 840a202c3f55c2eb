import { type Static, Type } from '@sinclair/typebox';
import { deliveryKinds } from '../../platform/events/event.js';

const kinds = ['request', ...deliveryKinds] as const;

/** Any range: nothing but the disk limits it. */
export const ExportQuery = Type.Object({
  start_date: Type.String({
    pattern: '^\\d{4}-\\d{2}-\\d{2}$',
    description: 'First day, YYYY-MM-DD',
  }),
  end_date: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description: 'Last day, included' }),
  tz: Type.String({
    default: 'UTC',
    maxLength: 64,
    description: 'IANA time zone of the two dates',
  }),
  kind: Type.Optional(
    Type.Unsafe<(typeof kinds)[number]>({
      type: 'string',
      enum: [...kinds],
      description: 'Only events of this kind',
    }),
  ),
});
export type ExportQuery = Static<typeof ExportQuery>;
