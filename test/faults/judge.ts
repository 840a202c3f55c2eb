import { createSecretKey } from 'node:crypto';
import { openToken } from '../../src/domain/tracking-token.js';
import type { Db } from '../../src/platform/db/db.js';
import { verifyLimits } from '../../src/platform/budgets/verify-limits.js';
import { verifyTotals } from '../../src/platform/events/verify-totals.js';
import { createSealer } from '../../src/platform/secrets/sealer.js';
import { verifyLedger } from '../../src/surfaces/billing/ledger/verify-ledger.js';
import { secretKey } from './node.js';
import type { Acknowledged } from './traffic.js';

export interface Verdict {
  acknowledged: number;
  stored: number;
  /** Acknowledged and not stored. */
  lost: number;
  /** Events that stand there more than once. */
  twice: number;
  /** Budgets beyond their limit, and money held by nobody. */
  overBudget: number;
  /** What `sidelight verify` compares: totals with events, spend with revenue, the ledger. */
  isVerified: boolean;
  /** What differs. */
  differences: string[];
}

/** Looks up everything that was acknowledged, and adds everything up. */
export async function judge(db: Db, acknowledged: Acknowledged): Promise<Verdict> {
  const find = await trackingKeys(db);
  const shown = [...acknowledged.impressions].map((url) => {
    const token = openToken(/[?&]p=([A-Za-z0-9_-]+)/.exec(url)?.[1] ?? '', find);
    if (token === null) throw new Error('an impUrl that no key opens');
    return token.serveId;
  });
  const requests = await countStored(db, 'request', [...acknowledged.requests]);
  const impressions = await countStored(db, 'impression', shown);
  const total = acknowledged.requests.size + new Set(shown).size;
  const totals = await verifyTotals(db);
  const limits = await verifyLimits(db);
  const ledger = await verifyLedger(db);
  return {
    acknowledged: total,
    stored: requests + impressions,
    lost: total - requests - impressions,
    twice: await countTwice(db),
    overBudget: limits.exceeded + limits.unheld,
    isVerified: totals.isClean && ledger.differences.length === 0,
    differences: [
      ...totals.tables
        .filter((one) => one.differences > 0)
        .map((one) => `${one.table}: ${one.differences} ${JSON.stringify(one.sample)}`),
      ...(limits.sample === null ? [] : [`limits: ${JSON.stringify(limits.sample)}`]),
      ...ledger.differences.map((one) => one.rule),
    ],
  };
}

async function countStored(db: Db, kind: string, ids: readonly string[]): Promise<number> {
  let count = 0;
  for (let at = 0; at < ids.length; at += 5000) {
    const [row] = await db.query<{ n: number }>(
      `select count(*) as n from events where kind = $1 and id = any($2::uuid[])`,
      [kind, ids.slice(at, at + 5000)],
    );
    count += row?.n ?? 0;
  }
  return count;
}

/** An event is one of its kind and id, whichever day it stands on and whoever stored it. */
async function countTwice(db: Db): Promise<number> {
  const [row] = await db.query<{ n: number }>(
    `select count(*) as n
     from (select 1 from events where invalid is null group by kind, id having count(*) > 1) d`,
  );
  return row?.n ?? 0;
}

async function trackingKeys(
  db: Db,
): Promise<(id: number) => ReturnType<typeof createSecretKey> | undefined> {
  const sealer = createSealer(secretKey);
  const rows = await db.query<{ id: number; sealed: string }>(
    `select id, secret_sealed as sealed from tracking_keys`,
  );
  const keys = new Map(
    rows.map((row) => [
      row.id,
      createSecretKey(Buffer.from(sealer.open(row.sealed, 'tracking_key'), 'base64url')),
    ]),
  );
  return (id) => keys.get(id);
}
