import { Type } from '@sinclair/typebox';
import type { FastifyInstance } from 'fastify';
import { isHidden, judgeDisclosure, type Shown } from '../../domain/disclosure/judge-disclosure.js';
import { ratio } from '../../domain/money.js';
import { type Guards, publisherOf } from '../../platform/auth/guards.js';
import type { Clock } from '../../platform/clock.js';
import type { Db } from '../../platform/db/db.js';
import { sumShown } from './queries.js';

export interface DisclosureDeps {
  db: Db;
  clock: Clock;
  guards: Guards;
  disclosing: { leastShare: number; isHeld: () => boolean };
}

const days = 28;
const shown = {
  days: Type.Integer(),
  impressions: Type.Integer(),
  viewable: Type.Integer({ description: 'At least half in view for a second' }),
  disclosed: Type.Integer({ description: 'Those with a label people could read' }),
  disclosed_rate: Type.Number({ description: 'disclosed / viewable' }),
  state: Type.String({
    description:
      '`unknown`: too few impressions. `disclosed`. `label_hidden`: pages measured, and mostly no label was seen. `no_proof`: pages measure too little.',
  }),
  earnings_held: Type.Boolean(),
};

/** Whether people are shown that ads are ads: for the publisher, and for operators to act on. */
export function disclosureRoutes(app: FastifyInstance, deps: DisclosureDeps): void {
  const since = sinceOf(deps);

  app.get(
    '/publisher-dashboard/disclosure',
    {
      onRequest: deps.guards.publisherDashboard,
      config: { validationStatus: 400, csv: {} },
      schema: {
        tags: ['traffic quality'],
        summary: 'How many of your ads were seen to be ads',
        security: [{ apiKey: [] }],
        response: { 200: Type.Object(shown) },
      },
    },
    async (request) => {
      const [row] = await sumShown(deps.db, publisherOf(request).id, since());
      return view(deps, row ?? { impressions: 0, viewable: 0, disclosed: 0 });
    },
  );
  app.get(
    '/operator/disclosure',
    {
      onRequest: deps.guards.operator,
      config: { csv: { list: 'publishers' } },
      schema: {
        tags: ['operator'],
        summary: 'Publishers by how many of their ads were seen to be ads, the flagged first',
        security: [{ session: [] }],
        response: {
          200: Type.Object({
            publishers: Type.Array(
              Type.Object({
                publisher_id: Type.String(),
                name: Type.String(),
                ...shown,
                flagged: Type.Boolean(),
              }),
            ),
          }),
        },
      },
    },
    async () => {
      const publishers = (await sumShown(deps.db, null, since())).map((row) => {
        const seen = view(deps, row);
        const flagged = isHidden(judgeDisclosure(row, deps.disclosing.leastShare));
        return { publisher_id: row.publisherId, name: row.name, ...seen, flagged };
      });
      return {
        publishers: publishers.sort(
          (a, b) => Number(b.flagged) - Number(a.flagged) || b.impressions - a.impressions,
        ),
      };
    },
  );
}

const view = (deps: DisclosureDeps, row: Shown) => {
  const { impressions, viewable, disclosed } = row;
  const state = judgeDisclosure(row, deps.disclosing.leastShare);
  return {
    days,
    impressions,
    viewable,
    disclosed,
    disclosed_rate: ratio(disclosed, viewable),
    state,
    earnings_held: deps.disclosing.isHeld() && isHidden(state),
  };
};

const sinceOf = (deps: DisclosureDeps) => (): Date => new Date(deps.clock() - days * 86_400_000);
