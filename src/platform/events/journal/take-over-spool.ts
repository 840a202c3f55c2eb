import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from '../../../fast/crc32.js';
import type { Journal } from './journal.js';

const headerBytes = 8;

/**
 * Earlier releases kept what the database could not take in a spool of their own: length, CRC-32,
 * payload. Its frames go into the journal before anything else, then its files go.
 */
export async function takeOverSpool(folder: string, journal: Journal): Promise<number> {
  if (!existsSync(folder)) return 0;
  let taken = 0;
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.spool'))
    .sort();
  for (const name of names) {
    const path = join(folder, name);
    const bytes = readFileSync(path);
    const { payloads, end } = readPayloads(bytes);
    await Promise.all(payloads.map((payload) => appendDurably(journal, payload)));
    if (end < bytes.length)
      journal.damage.setAside({
        file: `spool-${name.slice(0, 12)}`,
        from: end,
        bytes: bytes.subarray(end),
        missing: null,
      });
    rmSync(path);
    taken += payloads.length;
  }
  return taken;
}

function readPayloads(bytes: Buffer): { payloads: string[]; end: number } {
  const payloads: string[] = [];
  let at = 0;
  while (at + headerBytes <= bytes.length) {
    const length = bytes.readUInt32LE(at);
    const body = bytes.subarray(at + headerBytes, at + headerBytes + length);
    if (length === 0 || body.length < length || crc32(body) !== bytes.readUInt32LE(at + 4)) break;
    payloads.push(body.toString());
    at += headerBytes + length;
  }
  return { payloads, end: at };
}

function appendDurably(journal: Journal, payload: string): Promise<void> {
  return new Promise((resolve, reject) =>
    journal.append(payload, (error) => (error === null ? resolve() : reject(error))),
  );
}
