import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));

interface Import {
  from: string;
  to: string;
  typeOnly: boolean;
}

function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter(
      (entry) =>
        entry.isFile() &&
        /\.tsx?$/.test(entry.name) &&
        !entry.name.endsWith('.test.ts') &&
        !entry.name.endsWith('.d.ts'),
    )
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((path) => !path.includes('node_modules') && !path.includes('/dist/'));
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(root, file), 'utf8');
  return [
    ...text.matchAll(
      /^\s*(?:import|export)\s+(type\s+)?[^'"]*?from\s+'([^']+)'|import\('([^']+)'\)/gm,
    ),
  ].flatMap((found) => {
    const target = found[2] ?? found[3] ?? '';
    if (!target.startsWith('.'))
      return [{ from: file, to: target, typeOnly: found[1] !== undefined }];
    return [
      {
        from: file,
        to: relative(root, join(root, dirname(file), target)).replace(/\.js$/, '.ts'),
        typeOnly: found[1] !== undefined,
      },
    ];
  });
}

const source = filesBelow('src');
const imports = source.flatMap(importsOf);
const surfaceOf = (path: string): string | undefined => /^src\/surfaces\/([^/]+)\//.exec(path)?.[1];
const show = (bad: Import[]): string =>
  bad.map((entry) => `${entry.from} → ${entry.to}`).join('\n');

describe('who may import whom', () => {
  it('domain imports only domain, fast and what Node has built in', () => {
    const bad = imports.filter(
      (entry) =>
        entry.from.startsWith('src/domain/') &&
        !/^src\/(?:domain|fast)\//.test(entry.to) &&
        !/^node:(crypto|util|buffer)$/.test(entry.to),
    );
    assert.equal(bad.length, 0, show(bad));
  });

  it('fast imports nothing, names its bench and its plain twin, and a property test holds them equal', () => {
    const files = source.filter((file) => file.startsWith('src/fast/'));
    assert.ok(files.length >= 5);
    for (const file of files) {
      const text = readFileSync(join(root, file), 'utf8');
      assert.deepEqual(
        imports.filter((entry) => entry.from === file),
        [],
        file,
      );
      const bench = /^\/\/ Bench: ([a-z-]+)\. Plain twin: \S/m.exec(text)?.[1];
      assert.ok(bench !== undefined, `${file} says no "Bench: name. Plain twin: which"`);
      assert.ok(existsSync(join(root, `bench/${bench}.ts`)), `${file}: no bench ${bench}`);
      const proof = readFileSync(join(root, file.replace(/\.ts$/, '.test.ts')), 'utf8');
      assert.match(proof, /\bfc\.property\(/, file);
    }
  });

  it('platform imports no surface, no command and no config', () => {
    const bad = imports.filter(
      (entry) =>
        entry.from.startsWith('src/platform/') &&
        entry.to.startsWith('src/') &&
        !/^src\/(platform|domain|fast)\//.test(entry.to),
    );
    assert.equal(bad.length, 0, show(bad));
  });

  it('a surface imports itself, domain and platform, never another surface', () => {
    const bad = imports.filter((entry) => {
      const own = surfaceOf(entry.from);
      return (
        own !== undefined &&
        entry.to.startsWith('src/') &&
        !/^src\/(platform|domain|fast)\//.test(entry.to) &&
        surfaceOf(entry.to) !== own
      );
    });
    assert.equal(bad.length, 0, show(bad));
  });

  it('only config.ts and main.ts read the environment', () => {
    const bad = source.filter(
      (file) =>
        !['src/config.ts', 'src/main.ts'].includes(file) &&
        /process\.env\b/.test(readFileSync(join(root, file), 'utf8')),
    );
    assert.deepEqual(bad, []);
  });

  it('nothing below cli writes to the console', () => {
    const bad = source.filter(
      (file) =>
        !file.startsWith('src/cli/') && /\bconsole\./.test(readFileSync(join(root, file), 'utf8')),
    );
    assert.deepEqual(bad, []);
  });

  it('SQL lives in queries.ts of its surface, or in platform', () => {
    const bad = source.filter(
      (file) =>
        file.startsWith('src/surfaces/') &&
        !/(^|\/)([a-z-]*queries)\.ts$/.test(file) &&
        /\.query(<[^;]*?>)?\(\s*[`'"]/s.test(readFileSync(join(root, file), 'utf8')),
    );
    assert.deepEqual(bad, []);
  });

  it('SQL about budgets and holds lives in platform/budgets', () => {
    const bad = source.filter(
      (file) =>
        !file.startsWith('src/platform/budgets/') &&
        /\b(?:from|join|into|update|table) (?:budgets|budget_holds)\b/.test(
          readFileSync(join(root, file), 'utf8'),
        ),
    );
    assert.deepEqual(bad, []);
  });

  it('files have kebab-case names that say what they hold', () => {
    const bad = source.filter(
      (file) =>
        !/^[a-z0-9]+(-[a-z0-9]+)*(\.test)?\.tsx?$/.test(file.split('/').at(-1) ?? '') ||
        /\/(utils?|helpers?|common|constants|types)\.ts$/.test(file),
    );
    assert.deepEqual(bad, []);
  });

  it('no folder of a surface, of web or of packages holds more than twelve files', () => {
    const count = new Map<string, number>();
    const surfaces = source.filter((path) => surfaceOf(path) !== undefined);
    for (const file of [...surfaces, ...filesBelow('web'), ...filesBelow('packages')])
      count.set(dirname(file), (count.get(dirname(file)) ?? 0) + 1);
    assert.ok(count.has('web/dashboard/core') && count.has('packages/sdk/src'));
    assert.deepEqual(
      [...count].filter(([, files]) => files > 12),
      [],
    );
  });

  it('scripts run where paths have drives, backslashes and spaces', () => {
    // A path out of an address keeps its slash and its %20; npm on Windows is a batch file, and a
    // shell cuts the path of Node at its first space; links to folders must be junctions there,
    // /tmp is no folder, and nobody has a group of processes.
    const posixOnly = [
      /import\.meta\.url\)\.pathname|at\([^)]*\)\.pathname/,
      /(?:spawn|exec\w*|run)\w*\('npm'|shell: true|\/bin\/sh/,
      /symlinkSync\((?![^;]*'junction')/,
      /['"`]\/tmp\b/,
      /^(?!.*(?:win32|else)).*(?:process\.kill\(-|detached: true)/m,
    ];
    const files = [
      ...readdirSync(join(root, 'scripts')).map((file) => join('scripts', file)),
      ...['packages/sdk', 'packages/react', 'web/dashboard', 'web/pixel'].map((folder) =>
        join(folder, 'build.mjs'),
      ),
    ].filter((file) => file.endsWith('.mjs') && existsSync(join(root, file)));
    const breaches = files.filter((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      return !file.endsWith('bootstrap.mjs') && posixOnly.some((pattern) => pattern.test(text));
    });
    assert.deepEqual(breaches, []);
  });

  it('no source file is longer than 500 lines', () => {
    const bad = [...source, ...filesBelow('web'), ...filesBelow('packages')].filter(
      (file) =>
        !file.includes('/generated/') &&
        readFileSync(join(root, file), 'utf8').split('\n').length > 500,
    );
    assert.deepEqual(bad, []);
  });
});
