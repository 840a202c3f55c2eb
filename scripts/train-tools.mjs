// `npm run train:tools`: teaches the sentence model the tools of the index, from the needs written
// for them and from messages that are none, and the words of other languages and of the trade that
// it lacks, and writes its int8 weights to reader/weights. It says how often it is right about one
// line in fourteen that it was not shown. Needs python3 with torch, numpy and onnx; minutes on a GPU,
// hours on a CPU. Arguments go to the training (`-- --epochs 1` for a quick look, `-- --whole` to
// hold nothing back, `-- --runs 3` for the mean of three).
import { join } from 'node:path';
import { base, createTraining, root } from './training.mjs';

const trained = join(root, 'build/tools.pt');
const run = createTraining();
const from = [base, join(root, 'reader'), join(root, 'catalog/tools')];
run('learn_pieces.py', ...from, join(root, 'reader/weights/tool-pieces.txt'));
run('tools.py', ...from, trained, ...process.argv.slice(2));
run('export_tools.py', base, trained, join(root, 'reader/weights'));
process.stdout.write('Weights written to reader/weights.\n');
