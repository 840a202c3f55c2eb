import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, rename, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncPath } from '../../db/sync-tree.js';
import type { ShipFile } from './ship-journal.js';

const commandMs = 5 * 60_000;

/** Into a folder, which should be on another machine: `FOLDER/JOURNAL/000000000001.log`. */
export function shipToFolder(folder: string): ShipFile {
  return async ({ journalId, name, path }) => {
    const target = join(folder, journalId, name);
    // There already, whole: files get their name last.
    if (existsSync(target) && (await stat(target)).size === (await stat(path)).size) return;
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    const aside = `${target}.part`;
    await copyFile(path, aside);
    await syncPath(aside, false);
    await rename(aside, target);
    await syncPath(dirname(target), true);
  };
}

/**
 * By a command of the operator: `$1` is the file, `$2` the name to keep it under. It is done when
 * the command ends with 0, and run again when it does not.
 */
export function shipByCommand(command: string): ShipFile {
  return ({ journalId, name, path }) =>
    new Promise((resolve, reject) => {
      const args = ['-c', command, 'sidelight', path, `${journalId}/${name}`];
      const child = spawn('/bin/sh', args, {
        stdio: ['ignore', 'ignore', 'pipe'],
        timeout: commandMs,
        killSignal: 'SIGKILL',
      });
      let said = '';
      child.stderr.on('data', (part: Buffer) => (said = `${said}${part.toString()}`.slice(-500)));
      child.once('error', reject);
      child.once('close', (code) => {
        if (code === 0) resolve();
        else reject(new Error(`JOURNAL_SHIP_COMMAND ended with ${code ?? 'a signal'}: ${said}`));
      });
    });
}
