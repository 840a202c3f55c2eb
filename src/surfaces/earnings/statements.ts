import { toDollars } from '../../domain/money.js';
import type { Db } from '../../platform/db/db.js';
import { createPlainDocument } from '../../platform/pdf/plain-document.js';
import { listPayouts, nameOfPublisher } from './queries.js';
import { sumDays, sumMonths } from './statement-queries.js';
import { dayMs } from '../../domain/time/utc-day.js';

export interface StatementLine {
  date: string;
  what: 'earned' | 'payout';
  impressions: number;
  clicks: number;
  amountMicros: number;
  reference: string | null;
}

export interface Statement {
  month: string;
  publisher: string;
  isFinal: boolean;
  openingMicros: number;
  earnedMicros: number;
  paidMicros: number;
  lines: StatementLine[];
}

/** `YYYY-MM` of a month there can be; null for anything else. */
export function readMonth(text: string): { from: Date; to: Date } | null {
  const [, year = '', month = ''] = /^(20\d\d)-(0[1-9]|1[0-2])$/.exec(text) ?? [];
  if (year === '') return null;
  const at = (offset: number): Date => new Date(Date.UTC(Number(year), Number(month) - 1 + offset));
  return { from: at(0), to: at(1) };
}

/** The month as reports show it by now: traffic found out later is taken back from its own day. */
export async function makeStatement(
  db: Db,
  publisherId: string,
  month: string,
  { now, holdDays }: { now: number; holdDays: number },
): Promise<Statement | null> {
  const range = readMonth(month);
  if (range === null || range.from.getTime() > now) return null;
  const days = await sumDays(db, publisherId, range.from, range.to);
  const payouts = (await listPayouts(db, publisherId)).filter(
    ({ approvedAt, status }) =>
      status !== 'void' && approvedAt >= range.from && approvedAt < range.to,
  );
  const earlier = (await sumMonths(db, publisherId)).filter((one) => one.month < month);
  const lines: StatementLine[] = [
    ...days.map((day) => ({
      date: day.day,
      what: 'earned' as const,
      impressions: day.impressions,
      clicks: day.clicks,
      amountMicros: day.revenueMicros,
      reference: null,
    })),
    ...payouts.map((payout) => ({
      date: payout.approvedAt.toISOString().slice(0, 10),
      what: 'payout' as const,
      impressions: 0,
      clicks: 0,
      amountMicros: -payout.amountMicros,
      reference: payout.reference,
    })),
  ].sort((a, b) => (a.date === b.date ? 0 : a.date < b.date ? -1 : 1));
  return {
    month,
    publisher: await nameOfPublisher(db, publisherId),
    isFinal: isFinal(month, now, holdDays),
    openingMicros: sum(earlier, (one) => one.earnedMicros - one.paidMicros),
    earnedMicros: sum(days, (day) => day.revenueMicros),
    paidMicros: sum(payouts, (payout) => payout.amountMicros),
    lines,
  };
}

/** What a month brought changes until the hold of its last day is over. */
export function isFinal(month: string, now: number, holdDays: number): boolean {
  const range = readMonth(month);
  return range !== null && now >= range.to.getTime() + holdDays * dayMs;
}

export function showStatement(statement: Statement) {
  const { openingMicros, earnedMicros, paidMicros } = statement;
  return {
    month: statement.month,
    publisher: statement.publisher,
    is_final: statement.isFinal,
    opening: toDollars(openingMicros),
    earned: toDollars(earnedMicros),
    paid: toDollars(paidMicros),
    closing: toDollars(openingMicros + earnedMicros - paidMicros),
    lines: statement.lines.map(({ amountMicros, ...line }) => ({
      ...line,
      amount: toDollars(amountMicros),
    })),
  };
}

/** For the books: A4, the same words every time once it is final. */
export async function renderStatement(statement: Statement): Promise<Buffer> {
  const { month, openingMicros, earnedMicros, paidMicros } = statement;
  const document = await createPlainDocument({
    title: `Statement ${month}`,
    madeAt: readMonth(month)?.to ?? new Date(0),
  });
  document.heading(`Statement ${month}`);
  document.text(`Publisher: ${statement.publisher}`);
  document.text(
    statement.isFinal
      ? 'Days are UTC days.'
      : 'Not final: earnings of this month can still change. Days are UTC days.',
  );
  document.gap();
  document.row('Balance when the month began', openingMicros, { bold: true });
  for (const line of statement.lines)
    document.row(
      line.what === 'payout'
        ? `${line.date}  payout${line.reference === null ? '' : ` (${line.reference})`}`
        : `${line.date}  ${line.impressions} impressions, ${line.clicks} clicks`,
      line.amountMicros,
    );
  document.gap();
  document.row('Earned', earnedMicros, { bold: true });
  document.row('Paid', -paidMicros, { bold: true });
  document.row('Balance when it ended', openingMicros + earnedMicros - paidMicros, { bold: true });
  return document.done();
}

function sum<T>(items: readonly T[], valueOf: (item: T) => number): number {
  return items.reduce((total, item) => total + valueOf(item), 0);
}
