import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../../log.js';
import { syncFolder, tidyUp } from './segment-files.js';

const idShape = /^[0-9a-f-]{36}$/;
const markShape = /^([0-9a-f-]{36}) (\d{1,15}) (\d{1,15})\n$/;

/**
 * What a journal knows of itself besides its files: whose it is, which file was the last that was
 * written, and which was let go. Without it a folder without files looks the same whether they
 * were applied and let go, or are lost.
 */
export class JournalMark {
  readonly id: string;
  private readonly folder: string;
  private readonly log: Log;
  /** The last file something durable was written to; 0 before any. */
  private written: number;
  /** Files up to this one were applied and may be gone. */
  private gone: number;

  constructor(folder: string, log: Log) {
    this.folder = folder;
    this.log = log;
    const [, id, written, gone] = markShape.exec(readText(join(folder, 'mark'))) ?? [];
    this.written = Number(written ?? 0);
    this.gone = Number(gone ?? 0);
    this.id = this.findId(id);
  }

  /** The last file that was written and has neither been let go nor is among these; else null. */
  missing(numbers: readonly number[]): number | null {
    const { written, gone } = this;
    return written > gone && !numbers.includes(written) ? written : null;
  }

  /** Not used again, also when its file is gone. */
  get lastNumber(): number {
    return this.written;
  }

  /** Something durable is in this file now. */
  wrote(number: number): void {
    this.written = Math.max(this.written, number);
    this.save();
  }

  /** Before a file goes. Older ones are missed only where a later one is there. */
  letsGo(number: number): void {
    if (number < this.written) return;
    this.gone = number;
    this.save();
  }

  /** In the database stands how far the journal of this id was applied: with another, all is again. */
  private findId(marked: string | undefined): string {
    const path = join(this.folder, 'id');
    const known = readText(path).trim();
    if (idShape.test(known)) return known;
    if (existsSync(path) || marked !== undefined)
      this.log.error(
        { file: path },
        marked === undefined
          ? 'the id of the journal cannot be read: a new one, and what is kept is applied again'
          : 'the id of the journal could not be read and was written again',
      );
    const id = marked ?? randomUUID();
    writeFileSync(path, `${id}\n`, { flush: true });
    syncFolder(this.folder);
    return id;
  }

  /** A full disk must not keep anybody from writing what was there room for: it is said later. */
  private save(): void {
    const path = join(this.folder, 'mark');
    tidyUp(this.log, { number: this.written }, () => {
      writeFileSync(`${path}.new`, `${this.id} ${this.written} ${this.gone}\n`, { flush: true });
      renameSync(`${path}.new`, path);
      syncFolder(this.folder);
    });
  }
}

function readText(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}
