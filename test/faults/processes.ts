import { readdirSync, readFileSync } from 'node:fs';

/** The processes one began, oldest first, where the system tells. */
export function childrenOf(first: number): number[] {
  return processes()
    .filter((pid) => parentOf(pid) === first)
    .map(Number)
    .sort((a, b) => a - b);
}

/** Whether it runs or stands still; one that has ended and was not asked for is gone. */
export function isThere(pid: number): boolean {
  return !/^State:\s+[ZX]/m.test(statusOf(String(pid)) ?? 'State: X');
}

function processes(): string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    // Only Linux tells.
    return [];
  }
}

function statusOf(pid: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    // Ended between two looks.
    return null;
  }
}

function parentOf(pid: string): number | null {
  const [, parent] = /^PPid:\s+(\d+)/m.exec(statusOf(pid) ?? '') ?? [];
  return parent === undefined ? null : Number(parent);
}
