import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** A tick of the times Linux tells, in microseconds. */
const tickMicros = 10_000;

/**
 * CPU time so far of a process and of everything below it, ended children included, in
 * microseconds. 0 where the system does not tell.
 */
export function treeCpuMicros(root: number): number {
  let sum = 0;
  for (const fields of treeOf(root).values())
    // Own time, and that of children that have ended.
    for (const at of [11, 12, 13, 14]) sum += Number(fields[at] ?? 0);
  return sum * tickMicros;
}

/** Megabytes a process and everything below it hold, shared ones once; 0 where it is not told. */
export function memoryOfTree(root: number): number {
  let kilobytes = 0;
  for (const pid of treeOf(root).keys())
    try {
      const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
      kilobytes += Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? 0);
    } catch {
      // Gone, or not ours to look at.
    }
  return Math.round(kilobytes / 1024);
}

/** A process and everything below it, with what Linux tells of each. */
export function treeOf(root: number): Map<number, string[]> {
  const tree = new Map<number, string[]>();
  if (!existsSync('/proc/self/stat')) return tree;
  const known = new Map<number, string[]>();
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    const fields = Number.isInteger(pid) ? fieldsOf(pid) : null;
    if (fields === null) continue;
    known.set(pid, fields);
    const parent = Number(fields[1]);
    children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  for (const waiting = [root]; waiting.length > 0;) {
    const pid = waiting.pop() ?? root;
    const fields = known.get(pid);
    if (fields === undefined) continue;
    tree.set(pid, fields);
    waiting.push(...(children.get(pid) ?? []));
  }
  return tree;
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

/** What the thread a process began with had of a core, and how long it waited for one. */
export interface CoreTimes {
  ranMicros: number;
  waitedMicros: number;
}

/** Both so far; nothing where the system does not tell. */
export function mainThreadTimes(pid: number): CoreTimes {
  const path = `/proc/${pid}/task/${pid}/schedstat`;
  if (!existsSync(path)) return { ranMicros: 0, waitedMicros: 0 };
  const [ran, waited] = readFileSync(path, 'utf8').trim().split(' ').map(Number);
  return { ranMicros: (ran ?? 0) / 1000, waitedMicros: (waited ?? 0) / 1000 };
}
