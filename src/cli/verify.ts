import { verifyLimits } from '../platform/budgets/verify-limits.js';
import { verifyTotals } from '../platform/events/verify-totals.js';
import { verifyLedger } from '../surfaces/billing/ledger/verify-ledger.js';
import type { Command } from './command.js';

export const verifyCommand: Command = {
  help: 'Usage: sidelight verify\n\nCompares each total with what the raw events add up to, checks that spend = publisher revenue + fee, that of every budget spent + held ≤ limit and held is what nodes hold, and that ledger, invoices and credit agree. Exit code 1 when anything differs. A server that runs on this data folder does it itself; on the embedded engine its other statements wait meanwhile.',
  async run({ openStore, print }) {
    const store = await openStore();
    try {
      await store.settle(print);
      const report = await verifyTotals(store.db);
      for (const table of report.tables)
        print(
          `${table.differences === 0 ? 'ok       ' : 'DIFFERENT'} ${table.table}: ${table.rows} rows, ${table.differences} differences${table.sample === null ? '' : `, e.g. ${JSON.stringify(table.sample)}`}`,
        );
      print(
        `${report.isClean ? 'ok       ' : 'DIFFERENT'} ${report.events} events; spend ${report.spendMicros} = revenue ${report.revenueMicros} + fee ${report.spendMicros - report.revenueMicros} microdollars`,
      );
      const limits = await verifyLimits(store.db);
      const isWithin = limits.exceeded === 0 && limits.unheld === 0;
      print(
        `${isWithin ? 'ok       ' : 'DIFFERENT'} limits: ${limits.limited} budgets, ${limits.exceeded} exceeded, ${limits.unheld} held by nobody${limits.sample === null ? '' : `, e.g. ${JSON.stringify(limits.sample)}`}`,
      );
      const ledger = await verifyLedger(store.db);
      for (const { rule, accountId, expectedMicros, foundMicros } of ledger.differences)
        print(
          `DIFFERENT ${rule}: ${accountId} has ${foundMicros} instead of ${expectedMicros} microdollars`,
        );
      print(
        `${ledger.differences.length === 0 ? 'ok       ' : 'DIFFERENT'} ledger: ${ledger.entries} entries, ${ledger.invoices} invoices, ${ledger.differences.length} differences`,
      );
      return report.isClean && isWithin && ledger.differences.length === 0 ? 0 : 1;
    } finally {
      await store.close();
    }
  },
};
