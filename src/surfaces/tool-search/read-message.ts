import { once } from 'node:events';
import type {
  FindMentions,
  MentionRole,
  NamePlace,
} from '../../domain/tool-search/find-mentions.js';
import { listsOf, type RoleReader } from '../../domain/tool-search/mention-roles.js';
import type { ToolLookup } from '../../domain/tool-search/need-state.js';
import { type ReadThing, thingsIn } from '../../domain/tool-search/named-things.js';
import { type Reading, readNeed } from '../../domain/tool-search/read-need.js';
import type { ToolReading } from '../../domain/tool-search/tool-reading.js';
import type { ToolIndex } from '../../domain/tool-search/tool-index.js';
import type { Embedder } from '../../platform/embedding/embedder.js';
import type { ToolReader } from '../../platform/embedding/tool-reader.js';
import { errorFields, type Log } from '../../platform/log.js';

export interface MessageReaders {
  log: Log;
  embedder: Embedder;
  index: ToolIndex;
  /** Settles when the index has vectors, or will not have any. */
  vectorsLoaded: Promise<void>;
  findMentions: FindMentions;
  roleReader: RoleReader;
  toolReader: ToolReader;
  /** Puts what it tells in the order of the index, wishes as far as its answers bear them out. */
  inOrder(row: Float32Array): ToolReading;
}

/** A search in the first seconds waits this long for the model rather than answer worse. */
const modelWaitMs = 2000;
/** So many names of a message are read by the model; a longer list is all one thing. */
const mostNames = 8;
/** Below these odds a text is no need of its own. */
export const noNeed = -1;
/** So many languages, frameworks and stores are. */
const mostThings = 4;

/** Waits for what never fails, until the signal. */
async function settledOr(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  const isOver = new AbortController();
  await Promise.race([
    promise,
    once(signal, 'abort', { signal: isOver.signal }).catch(() => undefined),
  ]);
  isOver.abort();
}

export async function vectorOf(deps: MessageReaders, text: string): Promise<Float32Array | null> {
  if (text === '') return null;
  const signal = AbortSignal.timeout(modelWaitMs);
  if (!deps.index.hasVectors) await settledOr(deps.vectorsLoaded, signal);
  if (!deps.index.hasVectors) return null;
  const known = deps.embedder.peek(text);
  if (known !== undefined) return known;
  try {
    const [vector] = await deps.embedder.embed([text], { signal });
    return vector ?? null;
  } catch (error) {
    deps.log.warn(errorFields(error), 'tool need read by words only');
    return null;
  }
}

/** What the model makes of it that was taught the tools; null where it is missing or late. */
export async function toolsReadIn(deps: MessageReaders, text: string): Promise<ToolReading | null> {
  const { toolReader, log } = deps;
  if (text === '' || toolReader.status === 'lexical-only') return null;
  try {
    const signal = AbortSignal.timeout(modelWaitMs);
    const [row] = await toolReader.embed([text], { signal });
    return row === undefined ? null : deps.inOrder(row);
  } catch (error) {
    log.warn(errorFields(error), 'tool need read without the model of tools');
    return null;
  }
}

/** Nothing is said about it: who says only a name wants what has it. */
function isAll(query: string, { start, end }: NamePlace): boolean {
  return !/[\p{L}\p{N}]/u.test(query.slice(0, start) + query.slice(end));
}

/** What is said about each name, where the model is there whose vectors the head knows. */
async function rolesIn(deps: MessageReaders, query: string): Promise<MentionRole[] | null> {
  const { roleReader, embedder, findMentions } = deps;
  const names = findMentions.namesIn(query).slice(0, mostNames);
  if (names.some((name) => isAll(query, name))) return names.map(() => 'wanted');
  const spots = roleReader.spots(query, names);
  if (spots.length === 0 || embedder.modelId !== roleReader.model) return null;
  const vectors = await Promise.all(spots.map(({ clause }) => vectorOf(deps, clause)));
  return vectors.some((vector) => vector === null)
    ? null
    : roleReader.rolesOf(
        spots.map((spot, at) => ({
          spot,
          meaning: vectors[at] ?? new Float32Array(),
          isMaker: names[at]?.isMaker === true,
        })),
        listsOf(query, names),
      );
}

/**
 * The same of languages, frameworks and stores of data: "no PHP", "on the Postgres we have". Those
 * are seldom refused, so only where that is clear.
 */
async function thingsOf(deps: MessageReaders, query: string): Promise<ReadThing[]> {
  const { roleReader, embedder, findMentions } = deps;
  const things = thingsIn(query, findMentions).slice(0, mostThings);
  if (things.length === 0 || embedder.modelId !== roleReader.model) return [];
  const names = findMentions.namesIn(query);
  const read = await Promise.all(
    things.map(async (thing) => {
      const places = [...names, thing].sort((a, b) => a.start - b.start);
      const spot = roleReader.spots(query, places)[places.indexOf(thing)];
      const vector = spot === undefined ? null : await vectorOf(deps, spot.clause);
      if (spot === undefined || vector === null) return [];
      return [{ ...thing, role: roleReader.thingRoleOf(spot, vector) }];
    }),
  );
  return read.flat();
}

export async function readingOf(
  deps: MessageReaders,
  query: string,
): Promise<{ reading: Reading; read: ToolReading | null }> {
  const [roles, things, read] = await Promise.all([
    rolesIn(deps, query),
    thingsOf(deps, query),
    toolsReadIn(deps, query),
  ]);
  const reading = readNeed(query, deps.findMentions, roles, things, read?.wishes ?? null);
  return { reading, read };
}

/**
 * Where a tool is refused or to be left, the rest of the message may say another need in words
 * that many kinds of tools share: what it means tells which.
 */
export async function lookupFor(
  deps: MessageReaders,
  { mentions, apart }: Reading,
): Promise<ToolLookup> {
  const { index } = deps;
  const isReadAgain = mentions.some(({ role }) => role === 'unwanted' || role === 'like');
  const [meant, read] = isReadAgain
    ? await Promise.all([vectorOf(deps, apart), toolsReadIn(deps, apart)])
    : [null, null];
  return {
    find: index.find,
    named: index.named,
    topicOf: (text) => {
      if (text !== apart) return index.evidenceFor(text, null);
      const topic = index.evidenceFor(text, meant, read);
      // "What do people switch to?" says nothing of its own, whatever words it shares.
      return topic.need !== null && topic.need < noNeed ? { ...topic, certainty: 0 } : topic;
    },
  };
}
