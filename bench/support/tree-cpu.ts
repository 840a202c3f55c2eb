import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** A tick of the times Linux tells, in microseconds. */
const tickMicros = 10_000;

/**
 * CPU time so far of a process and of everything below it, ended children included, in
 * microseconds. 0 where the system does not tell.
 */
export function treeCpuMicros(root: number): number {
  if (!existsSync('/proc/self/stat')) return 0;
  const children = new Map<number, number[]>();
  const ticks = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    const fields = fieldsOf(pid);
    if (fields === null) continue;
    const parent = Number(fields[1]);
    children.set(parent, [...(children.get(parent) ?? []), pid]);
    // Own time, and that of children that have ended.
    ticks.set(
      pid,
      [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at] ?? 0), 0),
    );
  }
  let sum = 0;
  for (const waiting = [root]; waiting.length > 0;) {
    const pid = waiting.pop() ?? root;
    sum += ticks.get(pid) ?? 0;
    waiting.push(...(children.get(pid) ?? []));
  }
  return sum * tickMicros;
}

/** What Linux tells of a process after its name; null when it is gone. */
function fieldsOf(pid: number): string[] | null {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return line.slice(line.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}
