import { verifyTotals } from '../platform/events/verify-totals.js';
import type { Command } from './command.js';
import { openStore } from './open-store.js';

export const verifyCommand: Command = {
  name: 'verify',
  summary: 'recompute every total from the raw events and report differences',
  help: 'Usage: sidelight verify\n\nCompares each total with what the raw events add up to, and checks that spend = publisher revenue + fee. Exit code 1 when anything differs. On the embedded store stop the server first; on PostgreSQL it may run.',
  async run({ config, print }) {
    const store = await openStore(config);
    try {
      const report = await verifyTotals(store.db);
      for (const table of report.tables) print(`${table.differences === 0 ? 'ok       ' : 'DIFFERENT'} ${table.table}: ${table.rows} rows, ${table.differences} differences${table.sample === null ? '' : `, e.g. ${JSON.stringify(table.sample)}`}`);
      print(`${report.isClean ? 'ok       ' : 'DIFFERENT'} ${report.events} events; spend ${report.spendMicros} = revenue ${report.revenueMicros} + fee ${report.spendMicros - report.revenueMicros} microdollars`);
      return report.isClean ? 0 : 1;
    } finally {
      await store.close();
    }
  },
};
