// Prints how long our lines are, as CONTRIBUTING.md shows them: source without tests and generated
// files, empty lines left out. Usage: node scripts/measure-lines.mjs
import { readdirSync, readFileSync } from 'node:fs';
import { wordModules } from './write-words.mjs';

const root = new URL('../', import.meta.url);
const generated = new Set(wordModules().map(({ file }) => file));

function filesBelow(folder) {
  return readdirSync(new URL(`${folder}/`, root), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    .filter((path) => /\.(?:ts|tsx|mjs)$/.test(path) && !/\.test\.tsx?$/.test(path))
    .filter((path) => !/\/(?:node_modules|dist|generated)\//.test(path) && !generated.has(path));
}

function measure(files) {
  const lengths = files.flatMap((file) =>
    readFileSync(new URL(file, root), 'utf8')
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => line.length),
  );
  const share = (limit) =>
    ((100 * lengths.filter((length) => length > limit).length) / lengths.length).toFixed(1);
  const mean = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
  const lines = (Math.round(lengths.length / 100) * 100).toLocaleString('en-US');
  return [lines, `${share(100)} %`, `${share(120)} %`, mean.toFixed(0)];
}

const source = filesBelow('src');
const rows = [
  ['`src`', source],
  ['`web`', filesBelow('web')],
  ['`packages`', filesBelow('packages')],
  ['queries', source.filter((file) => file.endsWith('queries.ts'))],
  ['`scripts`', filesBelow('scripts')],
  ['`bench`', filesBelow('bench')],
].map(([name, files]) => [name, ...measure(files)]);
const head = ['folder', 'lines', 'over 100 columns', 'over 120 columns', 'mean line'];
for (const row of [head, head.map(() => '---'), ...rows])
  process.stdout.write(`| ${row.join(' | ')} |\n`);
