import type { App } from '../../app.js';
import { dayMs } from '../../domain/time/utc-day.js';
import { formatDate } from '../../domain/time/zone.js';
import { insertPayout } from '../../surfaces/earnings/queries.js';

const months = 12;
/** The hold is over by then. */
const paidAfterDays = 19;
const paidAtHour = 10;
const centMicros = 10_000;

/**
 * What each publisher earned in a month is paid on the twentieth of the next. The last month stays
 * to be approved until then.
 */
export async function seedPayouts(
  { services: { db, clock, mintId } }: Pick<App, 'services'>,
  publisherIds: readonly string[],
  approvedBy: string,
): Promise<void> {
  const [known] = await db.query(`select 1 from payouts limit 1`);
  if (known !== undefined) return;
  const now = clock();
  for (const publisherId of publisherIds) {
    let paidMicros = 0;
    for (const start of monthStarts(now)) {
      const at = start + paidAfterDays * dayMs + paidAtHour * 3_600_000;
      const due = (await earnedBefore(db, publisherId, start)) - paidMicros;
      const amountMicros = Math.floor(due / centMicros) * centMicros;
      if (amountMicros <= 0) continue;
      paidMicros += amountMicros;
      await insertPayout(db, {
        id: mintId(at),
        publisherId,
        amountMicros,
        throughDay: formatDate(start - dayMs),
        approvedAt: new Date(at),
        approvedBy,
        reference: `Transfer ${formatDate(start - dayMs).slice(0, 7)}`,
        method: 'manual',
        status: 'paid',
        problem: null,
        refusals: 0,
      });
    }
  }
}

async function earnedBefore(
  db: App['services']['db'],
  publisherId: string,
  start: number,
): Promise<number> {
  const [row] = await db.query<{ micros: number }>(
    `select coalesce(sum(revenue_micros), 0)::bigint as micros
     from publisher_hours
     where publisher_id = $1 and bucket < $2`,
    [publisherId, new Date(start)],
  );
  return row?.micros ?? 0;
}

function monthStarts(now: number): number[] {
  const today = new Date(now);
  return Array.from({ length: months }, (_, ago) =>
    Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - months + 1 + ago),
  ).filter((start) => start + paidAfterDays * dayMs < now - dayMs);
}
