import { match } from '../../src/domain/matching/match.js';
import { createMatchIndex, type MatchIndex } from '../../src/domain/matching/match-index.js';
import { addReading, prepareQuery } from '../../src/domain/matching/match-query.js';
import type { Topic } from '../../src/domain/reading/topics.js';
import { turnsOf } from '../../src/domain/reading/turns.js';
import { normalise } from '../../src/domain/matching/vectors.js';
import type { MatchingLists } from '../../src/platform/catalog-folder/read-matching-lists.js';
import type { Reader } from '../../src/platform/embedding/create-reader.js';
import { createRandom, type Message } from './judged-sets.js';

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** Milliseconds the process has used: on a busy machine the clock would measure its neighbours. */
function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function memory(): number {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** One pass over a conversation never seen before, at two lengths. */
export async function modelCost(reader: Reader): Promise<void> {
  print('\ntokens   ms processor time a reading');
  for (const tokens of [32, 128]) {
    const turn = (at: number, length: number): string =>
      Array.from({ length }, (_, word) => (word === 0 ? String(at) : 'hotel')).join(' ');
    const read = (at: number): Promise<unknown> =>
      reader.read(
        tokens === 32
          ? { newest: turn(at, 30), previous: null, assistant: null }
          : { newest: turn(at, 62), previous: turn(at, 31), assistant: turn(at, 31) },
      );
    for (let at = 0; at < 20; at++) await read(at);
    const before = processorTime();
    const rounds = 150;
    for (let at = 0; at < rounds; at++) await read(1000 + at);
    print(`${String(tokens).padStart(6)}   ${((processorTime() - before) / rounds).toFixed(2)}`);
  }
}

/** What a decision costs after the reading, and what an ad group takes, as there are more. */
export async function growth(
  reader: Reader,
  lists: MatchingLists,
  conversations: readonly (readonly Message[])[],
): Promise<void> {
  const offers = await reader.embed(lists.topics.map(({ name }) => name));
  const queries = [];
  for (const messages of conversations) {
    const turns = turnsOf(messages);
    if (turns === null) continue;
    const reading = await reader.read(turns);
    queries.push({ turns, reading: { ...reading, need: 3, never: -3, foreign: -3 } });
  }
  const none = { topics: [], categories: [] };
  print('\ngroups    p50 ms   p99 ms   bytes a group   slowest edit ms');
  for (const size of [1000, 10_000, 100_000]) {
    const { index, bytes, worstEdit } = fill(size, lists.topics, offers, lists.everyday);
    const times: number[] = [];
    for (let round = 0; round < 6; round++) {
      for (const { turns, reading } of queries) {
        const started = processorTime();
        const query = addReading(
          prepareQuery(turns, lists, none),
          { reading, earlier: null, topic: null, excluded: [] },
          reader.calibration,
        );
        match(index, query, { limit: 48, calibration: reader.calibration });
        // The first round warms up.
        if (round > 0) times.push(processorTime() - started);
      }
    }
    times.sort((a, b) => a - b);
    const at = (part: number): string =>
      (times[Math.floor(times.length * part)] ?? 0).toFixed(3).padStart(7);
    print(
      `${String(size).padEnd(8)} ${at(0.5)}  ${at(0.99)}  ${String(Math.round(bytes / size)).padStart(13)}  ${worstEdit.toFixed(2).padStart(16)}`,
    );
  }
}

/** Ad groups that look like real ones: an offer of a trade, words of others, a vector beside it. */
function fill(
  size: number,
  topics: readonly Topic[],
  offers: readonly Float32Array[],
  everyday: readonly string[],
): { index: MatchIndex; bytes: number; worstEdit: number } {
  const random = createRandom(7);
  const index = createMatchIndex(everyday);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const edit = (slot: number): void => {
    const topic = Math.floor(random() * topics.length);
    const { name, asks } = topics[topic]!;
    const other = pick(topics);
    const meaning = normalise(offers[topic]!.map((value) => value + (random() - 0.5) * 0.09));
    index.upsert(
      slot,
      {
        context: `${name}, ${pick(asks)}`,
        brand: `Brand${Math.floor(random() * size)} ${other.name.split(' ')[0] ?? ''}`,
        adText: `${pick(other.asks)} offer ${Math.floor(random() * size)}`,
        landingTerms: other.name,
        negativeContext: slot % 10 === 0 ? 'job seekers, free samples' : '',
      },
      { meaning, negatives: [] },
    );
  };
  const before = memory();
  for (let slot = 0; slot < size; slot++) edit(slot);
  const bytes = memory() - before;
  let worstEdit = 0;
  for (let count = 0; count < 500; count++) {
    const started = processorTime();
    edit(Math.floor(random() * size));
    worstEdit = Math.max(worstEdit, processorTime() - started);
  }
  return { index, bytes, worstEdit };
}
