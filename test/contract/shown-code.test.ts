import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { runInNewContext } from 'node:vm';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../../', import.meta.url));

/** What a page's code speaks of and its reader has. */
const GIVEN = `
declare const messages: { role: 'user'; content: string }[];
declare const sessionId: string;
declare const secret: string;
declare const element: HTMLElement;
declare const process: { env: { SIDELIGHT_KEY: string } };
`;
/** Names some examples give themselves. */
const OTHERS = { request: 'Request', ads: "import('@sidelight/sdk').Ad[]" };

/** Every text of the dashboards that begins by importing one of our packages. */
function shownCode(): { place: string; code: string }[] {
  const folder = join(root, 'web/dashboard');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.tsx'))
    .flatMap((name) =>
      [
        ...readFileSync(join(folder, name), 'utf8').matchAll(
          /`import [^`]*@sidelight\/[^`]*`|"import [^"]*@sidelight\/[^"]*"/g,
        ),
      ].map(([literal]) => ({
        place: name,
        // Our own source, with the addresses a server would fill in.
        code: String(
          runInNewContext(literal, {
            urls: { base: 'https://ads.example.com', api: 'https://ads.example.com' },
          }),
        ),
      })),
    );
}

describe('code the dashboards show', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sidelight-shown-'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  after(() => rmSync(folder, { recursive: true, force: true }));

  test('compiles as it is shown, strict, also where there may be no ad', async () => {
    const shown = shownCode();
    assert.ok(shown.length >= 4, `${shown.length} examples`);
    const files = shown.map(({ place, code }, at) => {
      const name = `${at}-${place.replaceAll(/\W/g, '-')}.ts`;
      const others = Object.entries(OTHERS)
        .filter(([given]) => !new RegExp(String.raw`const (\{[^}]*)?\b${given}\b`).test(code))
        .map(([given, type]) => `declare const ${given}: ${type};`);
      // Types of parameters are the reader's, and some show the inside of a handler.
      const typed = code.replace('(request) =>', '(request: Request) =>');
      const body = /^if .* return/m.test(code)
        ? typed.replace('\n\n', '\n\nexport async function handle() {\n').concat('\n}')
        : typed;
      writeFileSync(join(folder, name), `${body}\n${GIVEN}${others.join('\n')}\nexport {};\n`);
      return name;
    });
    const entry = (name: string): [string, string[]] => [
      `@sidelight/sdk/${name}`,
      [join(root, `packages/sdk/src/${name}.ts`)],
    ];
    const compilerOptions = {
      target: 'ES2022',
      module: 'ESNext',
      moduleResolution: 'bundler',
      lib: ['ES2022', 'DOM', 'DOM.Iterable'],
      types: [],
      strict: true,
      noUncheckedIndexedAccess: true,
      noEmit: true,
      allowImportingTsExtensions: true,
      paths: Object.fromEntries([
        ['@sidelight/sdk', [join(root, 'packages/sdk/src/index.ts')]],
        ...['browser', 'proxy', 'webhooks', 'conversions', 'reporting'].map(entry),
      ]),
    };
    const project = join(folder, 'tsconfig.json');
    writeFileSync(project, JSON.stringify({ compilerOptions, files }));
    const checked = await run(process.execPath, [
      `${root}node_modules/typescript/bin/tsc`,
      '-p',
      project,
    ]).catch((error: { stdout: string }) => error);
    assert.equal(checked.stdout.trim(), '');
  });
});
