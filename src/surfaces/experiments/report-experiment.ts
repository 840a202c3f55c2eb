import { type Arm, type Lift, liftOf } from '../../domain/experiments/lift.js';
import { formatTimestamp } from '../../domain/time/format-timestamp.js';
import type { Db } from '../../platform/db/db.js';
import type { Pseudonyms } from '../../platform/secrets/pseudonyms.js';
import { countArms, type ExperimentRow, listBuyers, listViewers } from './queries.js';
import type { ExperimentResult, ExperimentView } from './schema.js';

interface Counted {
  units: number;
  clicked: number;
  matched: number;
  converted: number;
}

export function showExperiment(row: ExperimentRow): ExperimentView {
  return {
    experiment_id: row.id,
    campaign_id: row.campaignId,
    name: row.name,
    kind: row.kind,
    started_at: formatTimestamp(row.startedAt.getTime()),
    stopped_at: row.stoppedAt === null ? null : formatTimestamp(row.stoppedAt.getTime()),
    variants: row.variants.map(({ name, weight, ad_group_ids }) => ({
      variant: name,
      weight,
      ad_group_ids,
    })),
  };
}

/**
 * Each arm against the first. People count by the arm they were put in, shown an ad or not; who
 * bought is told by the advertiser's own conversions, in all arms alike, never by what was clicked.
 */
export async function reportExperiment(
  deps: { db: Db; pseudonyms: Pick<Pseudonyms, 'viewer'> },
  advertiserId: string,
  row: ExperimentRow,
  now: number,
): Promise<ExperimentResult> {
  if (row.result !== null) return { ...showExperiment(row), confidence: 0.95, results: row.result };
  const arms = new Map<string, Counted>(
    row.variants.map(({ name }) => [name, { units: 0, clicked: 0, matched: 0, converted: 0 }]),
  );
  for (const { variant, units, clicked } of await countArms(deps.db, row)) {
    const arm = arms.get(variant);
    if (arm !== undefined) Object.assign(arm, { units, clicked });
  }
  const bought = new Map<string, number>();
  // Times of conversions are whole seconds.
  const since = new Date(Math.floor(row.startedAt.getTime() / 1000) * 1000);
  const until = new Date(now + 600_000);
  for (const { email, at } of await listBuyers(deps.db, advertiserId, since, until)) {
    const viewer = deps.pseudonyms.viewer(advertiserId, `em:${email}`);
    bought.set(viewer, Math.max(bought.get(viewer) ?? 0, at.getTime()));
  }
  for (const { variant, viewer, at } of await listViewers(deps.db, row.id)) {
    const arm = arms.get(variant);
    if (arm === undefined) continue;
    arm.matched += 1;
    if ((bought.get(viewer) ?? 0) >= Math.floor(at.getTime() / 1000) * 1000) arm.converted += 1;
  }
  const base = arms.get(row.variants[0]?.name ?? '');
  const against = (of: (arm: Counted) => Arm, arm: Counted) =>
    base === undefined || arm === base ? null : showLift(liftOf(of(arm), of(base)));
  return {
    ...showExperiment(row),
    confidence: 0.95,
    results: [...arms].map(([variant, arm]) => ({
      variant,
      ...arm,
      click_lift: against(({ units, clicked }) => ({ units, successes: clicked }), arm),
      conversion_lift: against(
        ({ matched, converted }) => ({ units: matched, successes: converted }),
        arm,
      ),
    })),
  };
}

function showLift(lift: Lift | null) {
  return lift === null
    ? null
    : {
        rate: lift.rate,
        base_rate: lift.baseRate,
        difference: lift.difference,
        relative: lift.relative,
        p_value: lift.pValue,
      };
}
