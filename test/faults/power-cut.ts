import {
  closeSync,
  existsSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { FaultNode } from './node.js';

/** From the next start on, what the process writes and does not sync can be taken back. */
export function rememberUnsynced(node: FaultNode): void {
  writeFileSync(join(node.faultDir, 'keeps-undo'), '');
}

/** Takes back everything a killed process had written and not synced; returns how many writes. */
export function dropUnsynced(node: FaultNode): number {
  let dropped = 0;
  for (const name of readdirSync(node.faultDir).filter((one) => one.startsWith('undo-'))) {
    const file = join(node.faultDir, name);
    // Written by the preload; the last line may be half of one whose write never happened.
    const records = readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line) => parse(line))
      .reverse();
    for (const { path, at, size, before } of records) {
      if (!existsSync(path)) continue;
      const handle = openSync(path, 'r+');
      const bytes = Buffer.from(before, 'base64');
      if (bytes.length > 0) writeSync(handle, bytes, 0, bytes.length, at);
      ftruncateSync(handle, size);
      closeSync(handle);
      dropped += 1;
    }
    rmSync(file);
  }
  return dropped;
}

function parse(line: string): { path: string; at: number; size: number; before: string }[] {
  try {
    return [JSON.parse(line)];
  } catch {
    return [];
  }
}
