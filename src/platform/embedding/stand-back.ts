import { execFile } from 'node:child_process';
import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { basename } from 'node:path';

const lowestPriority = 19;

/**
 * Puts the calling thread behind all others: when there are fewer cores than work, requests are
 * answered before texts are read.
 * As idle work it also leaves its core to whatever wakes up, the database most of all, which would
 * otherwise take the core of the main
 * thread in the middle of its turn. Node cannot ask for that itself; where the command is missing,
 * the priority has to do.
 */
export function standBack(): void {
  // Elsewhere 0 means the whole process; on Linux it is this thread.
  if (process.platform !== 'linux') return;
  try {
    setPriority(0, lowestPriority);
    const thread = basename(readlinkSync('/proc/thread-self'));
    execFile('chrt', ['-i', '-p', '0', thread], () => {});
  } catch {
    // A sandbox may forbid any of it, and nothing depends on it.
  }
}
