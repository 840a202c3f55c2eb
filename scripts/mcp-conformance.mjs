// `npm run conformance`: runs the public MCP conformance suite against this server, with a key of
// each kind. The suite comes from npm into a temporary folder, with a Node it can run on when this
// one is too old, and talks to a small proxy that adds the key. Scenarios that call tools, prompts
// or resources only its own sample server has are left out.
import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ensureBuilt, ensureInstalled, npmCommand } from './bootstrap.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const run = promisify(execFile);
const suiteVersion = '0.1.16';
const scenarios = [
  'server-initialize',
  'ping',
  'tools-list',
  'resources-list',
  'prompts-list',
  'server-sse-multiple-streams',
  'dns-rebinding-protection',
];
const wanted = process.argv.slice(2).length > 0 ? process.argv.slice(2) : scenarios;

/** Where npm put the suite, and the Node that runs it. */
async function fetchSuite() {
  const folder = join(tmpdir(), `sidelight-mcp-conformance-${suiteVersion}`);
  const oldNode = Number(process.versions.node.split('.')[0]) < 22;
  const node = oldNode
    ? join(folder, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node')
    : process.execPath;
  const entry = join(folder, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
  if (!existsSync(entry) || !existsSync(node)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
    const packages = [
      `@modelcontextprotocol/conformance@${suiteVersion}`,
      ...(oldNode ? ['node@24'] : []),
    ];
    process.stderr.write(`Fetching ${packages.join(' and ')}…\n`);
    const { command, args, shell } = npmCommand([
      'install',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
      ...packages,
    ]);
    await run(command, args, { cwd: folder, maxBuffer: 1e7, shell });
  }
  return { node, entry, folder };
}

async function startServer() {
  const dataDir = mkdtempSync(join(tmpdir(), 'sidelight-conformance-'));
  const child = spawn(process.execPath, [join(root, 'build/server/main.js'), 'serve'], {
    env: {
      ...process.env,
      DATA_DIR: dataDir,
      PORT: '0',
      DEMO: 'accounts',
      MATCHING: 'fast',
      LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const stop = async () => {
    child.kill('SIGTERM');
    await new Promise((done) => child.once('exit', done));
    rmSync(dataDir, { recursive: true, force: true });
  };
  for (let waited = 0; waited < 600; waited += 1) {
    const file = join(dataDir, 'demo.json');
    if (existsSync(file)) {
      const demo = JSON.parse(readFileSync(file, 'utf8'));
      const health = await fetch(`${demo.base_url}/health`).catch(() => null);
      if (health?.status === 200) return { demo, stop };
    }
    if (child.exitCode !== null) throw new Error('the server did not start');
    await new Promise((done) => setTimeout(done, 100));
  }
  await stop();
  throw new Error('the server was not ready within a minute');
}

/** Passes everything on as it is, plus the key: the suite knows no keys. */
function startProxy(target, apiKey) {
  const { hostname, port } = new URL(target);
  const server = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, 'x-api-key': apiKey };
    const call = request(
      { hostname, port, method: incoming.method, path: incoming.url, headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    call.on('error', () => outgoing.destroy());
    incoming.pipe(call);
  });
  return new Promise((done) => server.listen(0, '127.0.0.1', () => done(server)));
}

async function runScenario(suite, url, scenario) {
  const work = mkdtempSync(join(tmpdir(), 'sidelight-conformance-run-'));
  try {
    const { stdout } = await run(
      suite.node,
      [suite.entry, 'server', '--url', url, '--scenario', scenario],
      { cwd: work, maxBuffer: 1e7, timeout: 120_000 },
    );
    return { passed: true, output: stdout };
  } catch (error) {
    return { passed: false, output: `${error.stdout ?? ''}${error.stderr ?? ''}` };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

await ensureInstalled('full');
await ensureBuilt();
const suite = await fetchSuite();
const { demo, stop } = await startServer();
let failed = 0;
try {
  for (const kind of ['advertiser', 'publisher']) {
    const proxy = await startProxy(demo.base_url, demo[kind].api_key);
    for (const scenario of wanted) {
      const { passed, output } = await runScenario(
        suite,
        `http://127.0.0.1:${proxy.address().port}/mcp`,
        scenario,
      );
      process.stdout.write(`${passed ? 'passed' : 'FAILED'}  ${kind.padEnd(10)} ${scenario}\n`);
      if (!passed) process.stdout.write(`${output.trim().replace(/^/gm, '    ')}\n`);
      failed += passed ? 0 : 1;
    }
    proxy.close();
    proxy.closeAllConnections();
  }
} finally {
  await stop();
}
process.stdout.write(`${2 * wanted.length - failed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
