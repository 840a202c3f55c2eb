import type { Evidence } from '../../domain/traffic/weigh-evidence.js';
import type { Db } from '../../platform/db/db.js';

export interface Finding {
  id: string;
  publisherId: string;
  rule: string;
  foundAt: Date;
  fromAt: Date;
  toAt: Date;
  events: number;
  spendMicros: number;
  revenueMicros: number;
  details: { rate: number; usual: number };
}

/** What a finding gave back to an advertiser. */
export interface Credit {
  advertiserId: string;
  events: number;
  spendMicros: number;
}

export async function insertFinding(
  tx: Db,
  finding: Finding,
  credits: readonly Credit[],
): Promise<void> {
  await tx.query(
    `insert into traffic_findings (
         id, publisher_id, rule, found_at, from_at, to_at, events, spend_micros, revenue_micros,
         details
       )
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10::jsonb)`,
    [
      finding.id,
      finding.publisherId,
      finding.rule,
      finding.foundAt,
      finding.fromAt,
      finding.toAt,
      finding.events,
      finding.spendMicros,
      finding.revenueMicros,
      JSON.stringify(finding.details),
    ],
  );
  await tx.query(
    `insert into traffic_finding_credits (finding_id, advertiser_id, events, spend_micros)
     select $1, advertiser, events, micros
     from unnest($2::uuid[], $3::bigint[], $4::bigint[]) as c (advertiser, events, micros)`,
    [
      finding.id,
      credits.map((credit) => credit.advertiserId),
      credits.map((credit) => credit.events),
      credits.map((credit) => credit.spendMicros),
    ],
  );
}

const columns = `f.id, f.publisher_id as "publisherId", f.rule, f.found_at as "foundAt",
  f.from_at as "fromAt", f.to_at as "toAt", f.revenue_micros as "revenueMicros", f.details`;

/** Of one publisher, or of all of them; newest first. */
export function listFindings(
  db: Db,
  publisherId: string | null,
  limit: number,
): Promise<Finding[]> {
  return db.query<Finding>(
    `select ${columns}, f.events, f.spend_micros as "spendMicros"
     from traffic_findings f
     where $1::uuid is null or f.publisher_id = $1
     order by f.found_at desc, f.id
     limit $2`,
    [publisherId, limit],
  );
}

/** What findings gave back to an advertiser: events and spend are its own. */
export function listCredits(db: Db, advertiserId: string, limit: number): Promise<Finding[]> {
  return db.query<Finding>(
    `select ${columns}, c.events, c.spend_micros as "spendMicros"
     from traffic_finding_credits c
     join traffic_findings f on f.id = c.finding_id
     where c.advertiser_id = $1
     order by f.found_at desc, f.id
     limit $2`,
    [advertiserId, limit],
  );
}

/** Who has shown once that people stand behind its traffic has shown it, until it is found out. */
export async function saveEvidence(db: Db, evidence: readonly Evidence[], at: Date): Promise<void> {
  if (evidence.length === 0) return;
  await db.query(
    `insert into publisher_evidence as e (
         publisher_id, is_proven, conversions, expected_conversions, judged_at
       )
     select publisher, proven, conversions, expected, $5
     from unnest($1::uuid[], $2::boolean[], $3::bigint[], $4::float8[]) as n (
         publisher, proven, conversions, expected
       )
     order by publisher
     on conflict (publisher_id) do update set conversions = excluded.conversions,
       expected_conversions = excluded.expected_conversions, judged_at = excluded.judged_at,
       is_proven = excluded.is_proven or (
         e.is_proven
         and not exists (
           select 1
           from traffic_findings f
           where f.publisher_id = e.publisher_id and f.found_at > e.judged_at
         )
       )`,
    [
      evidence.map((one) => one.publisherId),
      evidence.map((one) => one.isProven),
      evidence.map((one) => one.conversions),
      evidence.map((one) => one.expectedConversions),
      at,
    ],
  );
}
