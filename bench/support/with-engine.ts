import { startPostgresServer } from '../../test/support/postgres-server.js';

/**
 * Runs a bench on the named engine: gives it the settings of that store, and stops the server it
 * may have needed.
 */
export async function withEngine(
  engine: 'embedded' | 'server',
  measure: (store: Record<string, string>) => Promise<void>,
): Promise<void> {
  if (engine === 'embedded') return measure({});
  const server = await startPostgresServer({ durable: true });
  try {
    // Whose CPU counts beside that of the process that uses it.
    await measure({ DATABASE_URL: server.url, BENCH_DATABASE_PID: String(server.pid) });
  } finally {
    await server.stop();
  }
}
