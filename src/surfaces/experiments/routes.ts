import { Type } from '@sinclair/typebox';
import type { FastifyInstance } from 'fastify';
import { isUuid } from '../../domain/uuid.js';
import { recordAudit } from '../../platform/audit.js';
import { advertiserOf, callerOf, type Guards } from '../../platform/auth/guards.js';
import { announce, channels } from '../../platform/channels.js';
import type { Clock } from '../../platform/clock.js';
import type { Db } from '../../platform/db/db.js';
import { AppError, fieldError } from '../../platform/errors.js';
import type { MintId } from '../../platform/ids.js';
import type { JobQueue } from '../../platform/jobs/job-queue.js';
import type { Pseudonyms } from '../../platform/secrets/pseudonyms.js';
import { experimentJobs } from './jobs.js';
import {
  type ExperimentRow,
  findGroups,
  insertExperiment,
  listExperiments,
  stopExperiment,
  type StoredVariant,
} from './queries.js';
import { reportExperiment, showExperiment } from './report-experiment.js';
import { ExperimentResult, ExperimentView, NewExperiment } from './schema.js';

export interface ExperimentsDeps {
  db: Db;
  clock: Clock;
  mintId: MintId;
  guards: Guards;
  pseudonyms: Pick<Pseudonyms, 'viewer'>;
  jobs: JobQueue;
  /** How long one may run, and how long after its end it knows who was in which arm. */
  runDays: number;
  keptDays: number;
}

interface ById {
  experiment_id: string;
}

/**
 * What an ad really adds: people are put into arms by a keyed hash, and what they do is compared.
 * Owns experiments and experiment_units.
 */
export function experimentRoutes(app: FastifyInstance, deps: ExperimentsDeps): void {
  experimentJobs(deps);

  experimentReadRoutes(app, deps);
  newExperimentRoute(app, deps);
  experimentStopRoute(app, deps);
}

function experimentReadRoutes(app: FastifyInstance, deps: ExperimentsDeps): void {
  const { guards, db, clock } = deps;
  const shared = { tags: ['experiments'], security: [{ apiKey: [] }] };

  app.get(
    '/advertiser-dashboard/experiments',
    {
      onRequest: guards.advertiserDashboard,
      config: { csv: { list: 'experiments' } },
      schema: {
        ...shared,
        summary: 'Experiments, newest first',
        response: { 200: Type.Object({ experiments: Type.Array(ExperimentView) }) },
      },
    },
    async (request) => ({
      experiments: (await listExperiments(db, advertiserOf(request).id, null)).map(showExperiment),
    }),
  );
  app.get<{ Params: ById }>(
    '/advertiser-dashboard/experiments/:experiment_id',
    {
      onRequest: guards.advertiserDashboard,
      config: { csv: { list: 'results' } },
      schema: {
        ...shared,
        summary: 'What each arm did, and the lift of each over the first',
        response: { 200: ExperimentResult },
      },
    },
    async (request) => {
      const { id } = advertiserOf(request);
      return reportExperiment(deps, id, await own(deps, id, request.params.experiment_id), clock());
    },
  );
}

function newExperimentRoute(app: FastifyInstance, deps: ExperimentsDeps): void {
  const { guards, db, clock } = deps;
  const shared = { tags: ['experiments'], security: [{ apiKey: [] }] };

  app.post<{ Body: NewExperiment }>(
    '/advertiser-dashboard/experiments',
    {
      onRequest: guards.advertiserDashboard,
      schema: {
        ...shared,
        summary: 'Begin an experiment with a campaign',
        body: NewExperiment,
        response: { 201: ExperimentView },
      },
    },
    async (request, reply) => {
      const { id: advertiserId } = advertiserOf(request);
      const { campaign_id: campaignId, name, kind } = request.body;
      const groups = isUuid(campaignId) ? await findGroups(db, advertiserId, campaignId) : null;
      if (groups === null) throw new AppError('not_found');
      const now = clock();
      const row: ExperimentRow = {
        id: deps.mintId(now),
        campaignId,
        name: name.trim(),
        kind,
        variants: readVariants(request.body, new Set(groups)),
        startedAt: new Date(now),
        stoppedAt: null,
        result: null,
      };
      await db.transaction(async (tx) => {
        if (!(await insertExperiment(tx, advertiserId, row))) throw new AppError('conflict');
        await recordAudit(tx, deps.mintId, now, {
          actor: callerOf(request).actor,
          accountId: advertiserId,
          action: 'create',
          entity: 'experiment',
          entityId: row.id,
          before: null,
          after: showExperiment(row),
        });
        await announce(tx, channels.inventory, { campaignId, adGroupId: null });
      });
      return reply.code(201).send(showExperiment(row));
    },
  );
}

function experimentStopRoute(app: FastifyInstance, deps: ExperimentsDeps): void {
  const { guards, clock, db } = deps;
  const shared = { tags: ['experiments'], security: [{ apiKey: [] }] };

  app.patch<{ Params: ById }>(
    '/advertiser-dashboard/experiments/:experiment_id/stop',
    {
      onRequest: guards.advertiserDashboard,
      schema: {
        ...shared,
        summary: 'End an experiment; its result stays',
        response: { 200: ExperimentView },
      },
    },
    async (request) => {
      const { id } = advertiserOf(request);
      const row = await own(deps, id, request.params.experiment_id);
      const at = new Date(clock());
      await db.transaction(async (tx) => {
        await stopExperiment(tx, row.id, at);
        await recordAudit(tx, deps.mintId, at.getTime(), {
          actor: callerOf(request).actor,
          accountId: id,
          action: 'stop',
          entity: 'experiment',
          entityId: row.id,
          before: showExperiment(row),
          after: showExperiment({ ...row, stoppedAt: row.stoppedAt ?? at }),
        });
        await announce(tx, channels.inventory, { campaignId: row.campaignId, adGroupId: null });
      });
      return showExperiment({ ...row, stoppedAt: row.stoppedAt ?? at });
    },
  );
}

const own = async (
  deps: ExperimentsDeps,
  advertiserId: string,
  id: string,
): Promise<ExperimentRow> => {
  const [row] = isUuid(id) ? await listExperiments(deps.db, advertiserId, id) : [];
  if (row === undefined) throw new AppError('not_found');
  return row;
};

/** The arm others are held against comes first: of a holdout those who are shown nothing. */
function readVariants(body: NewExperiment, groups: ReadonlySet<string>): StoredVariant[] {
  if (body.kind === 'holdout') {
    const share = body.holdout_percent ?? 10;
    return [
      { name: 'holdout', weight: share, ad_group_ids: [] },
      { name: 'shown', weight: 100 - share, ad_group_ids: [] },
    ];
  }
  const given = body.variants ?? [];
  const wrong = (message: string) => fieldError(['body', 'variants'], message, 'variants');
  if (given.length < 2) throw wrong('At least two arms');
  if (new Set(given.map(({ name }) => name.trim())).size < given.length)
    throw wrong('Arms need names of their own');
  return given.map(({ name, weight, ad_group_ids: ids = [] }) => {
    if (!ids.every((id) => groups.has(id))) throw wrong('Must be ad groups of the campaign');
    return { name: name.trim(), weight, ad_group_ids: ids };
  });
}
