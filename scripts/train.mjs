// `npm run train`: fine-tunes a reader on reader/examples, teaches a quick one what it knows, lets
// that one teach another and so on, writes the last one's int8 weights and their calibration to
// reader/weights, and says how good they are. Needs python3 with torch, numpy and onnx (Debian:
// python3-torch python3-onnx libopenblas0-pthread). A GPU is not needed: some hours of one core.
// Arguments go to all trainings (`--epochs 1` for a quick look).
import { join } from 'node:path';
import { base, createTraining, root } from './training.mjs';

const examples = join(root, 'reader/examples');
const weights = join(root, 'reader/weights');
const teacher = join(root, 'build/teacher.pt');
const trained = join(root, 'build/reader.pt');
const topics = join(root, 'catalog/topics/en/topics.json');
/** How much of its teacher stays in each quick reader that was taught by one. */
const teachersShares = ['0.25', '0.25', '0'];

const run = createTraining();
run('train.py', base, examples, teacher, ...process.argv.slice(2));
const quick = (from, to, ...how) =>
  run('quick.py', base, examples, topics, from, to, ...how, ...process.argv.slice(2));
quick(teacher, trained);
for (const share of teachersShares) quick(trained, trained, '--again', share);
run('export.py', base, trained, weights);
run('words.py', examples, weights);
// People's own words, judged, say better what a reading is worth than our examples do.
const judged = process.env['SIDELIGHT_DATA'];
const by = judged === undefined ? [] : ['--judged', join(judged, 'context')];
run('calibrate.py', base, trained, examples, topics, weights, ...by);
process.stdout.write(
  'Weights written to reader/weights. Vectors of topics change with them: `npm run build`, then ' +
    '`npm run bench -- matching` tells what they are worth.\n',
);
