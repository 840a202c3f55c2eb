import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { buildTestApp, type TestApp } from '../support/test-app.js';
import { openEmbeddedTestDatabase } from '../support/test-database.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** The shell snippets of a guide as one script: they share variables, as they do for a reader. */
function snippetsOf(guide: string): string[] {
  const text = readFileSync(join(root, 'docs/guides', `${guide}.md`), 'utf8');
  return [...text.matchAll(/```bash\n([\s\S]*?)```/g)].map((found) => found[1] ?? '');
}

describe('the snippets of the guides', () => {
  let app: TestApp;
  let server: Server;
  let folder: string;
  const environment: Record<string, string> = {};

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sidelight-guides-'));
    let handler: RequestListener = () => undefined;
    server = createServer((request, response) => handler(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    app = await buildTestApp(await openEmbeddedTestDatabase(), {
      serverFor: (next) => ((handler = next), server),
      environment: { METRICS_KEY: 'a key of the guides' },
    });
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    app.services.urls.listeningOn(base);
    Object.assign(environment, {
      BASE: base,
      METRICS_KEY: 'a key of the guides',
      PUBLISHER_KEY: (await app.newPublisher()).apiKey,
      ADVERTISER_KEY: (await app.newAdvertiser()).apiKey,
    });
  });
  after(async () => {
    server.closeAllConnections();
    await app.close();
    rmSync(folder, { recursive: true, force: true });
  });

  for (const guide of [
    'publishers',
    'advertisers',
    'agents',
    'operators',
    'safety-and-caps',
    'experiments',
  ]) {
    it(`of ${guide} all run`, async () => {
      const snippets = snippetsOf(guide);
      assert.ok(snippets.length > 0);
      const script = ['set -eo pipefail', ...snippets].join('\n');
      const { code, output } = await run(script, folder, environment);
      assert.equal(code, 0, output);
    });
  }
});

function run(
  script: string,
  cwd: string,
  environment: Record<string, string>,
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = spawn('bash', ['-x', '-c', script], {
      cwd,
      env: { ...process.env, ...environment },
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => void (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => void (output += chunk.toString()));
    child.on('close', (code) => resolve({ code, output }));
  });
}
