import { copyFile, mkdir, open, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { frameAt, nextFrameFrom } from './frames.js';
import { listSegments } from './segment-files.js';

/**
 * Copies the journal of a node that may be writing to it: its identity and, of each file,
 * everything up to the last frame that is whole. What is in the middle of being written was not
 * acknowledged. Files before `first` are in the store that goes along.
 */
export async function copyJournal(from: string, to: string, first = 0): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  if (existsSync(join(from, 'id'))) await copyFile(join(from, 'id'), join(to, 'id'));
  for (const { path, number } of listSegments(from)) {
    if (number < first) continue;
    const bytes = await readWhole(path);
    const end = endOfFrames(bytes);
    if (end > 0) await writeFile(join(to, basename(path)), bytes.subarray(0, end));
  }
}

/** Behind the last whole frame; damage in front of it is kept as it is. */
export function endOfFrames(bytes: Buffer): number {
  let end = 0;
  for (let at: number | null = 0; at !== null && at < bytes.length;) {
    const frame = frameAt(bytes, at);
    if (frame === null) at = nextFrameFrom(bytes, at + 1);
    else end = at = frame.end;
  }
  return end;
}

async function readWhole(path: string): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    return await file.readFile();
  } finally {
    await file.close();
  }
}
