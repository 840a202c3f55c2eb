import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { JudgedConversations } from '../../test/support/judge-matching.js';

export type Message = { role: 'user' | 'assistant' | 'system'; content: string };
export type Offer = { id: string; context: string };

/** One conversation, and what should come of it. */
export type Case = {
  messages: Message[];
  /** The offers that are right, none where no ad is; null where any ad will do. */
  want: readonly string[] | null;
  /** What it is counted under. */
  kind: string;
};

export type JudgedSet = { name: string; offers: Offer[]; cases: Case[] };

const said = (content: string): Message[] => [{ role: 'user', content }];

/** Our own conversations, and those in a folder where there is one. */
export function readJudgedSets(folder: string | undefined): JudgedSet[] {
  const own: unknown = JSON.parse(
    readFileSync(
      new URL('../../../test/fixtures/judged-conversations.json', import.meta.url),
      'utf8',
    ),
  );
  const sets = Object.entries(own as Record<string, JudgedConversations>) // Our own file.
    .map(([name, judged]) => utterances(name, judged));
  if (folder === undefined) return sets;
  const read = <T>(name: string): T | null => {
    const file = join(folder, 'context', name);
    // The format of the data folder.
    return existsSync(file)
      ? (JSON.parse(gunzipSync(readFileSync(file)).toString('utf8')) as T)
      : null;
  };
  const spoken = read<JudgedConversations>('dev.json.gz');
  const turns = read<{
    groups: Offer[];
    conversations: { messages: Message[]; want: string; kind: string }[];
  }>('multiturn-dev.json.gz');
  const natural =
    read<{ messages: Message[]; label: string; source: string }[]>('natural-dev.json.gz');
  if (spoken !== null) sets.push(utterances('utterances', spoken));
  if (turns !== null)
    sets.push({
      name: 'several turns',
      offers: turns.groups,
      cases: turns.conversations.map(({ messages, want, kind }) => ({
        messages,
        want: [want],
        kind,
      })),
    });
  if (natural !== null)
    sets.push({
      name: 'natural',
      offers: [],
      cases: natural
        .filter(({ label }) => label !== 'maybe')
        .map(({ messages, label, source }) => ({
          messages,
          want: label === 'need' ? null : [],
          kind: source === 'provoking' ? 'provoking' : label,
        })),
    });
  return sets;
}

function utterances(name: string, judged: JudgedConversations): JudgedSet {
  return {
    name,
    offers: judged.groups,
    cases: [
      ...judged.positive.map(({ text, want }) => ({
        messages: said(text),
        want: [want].flat(),
        kind: 'need',
      })),
      ...judged.negative.map(({ text }) => ({
        messages: said(text),
        want: [],
        kind: 'small talk',
      })),
      ...(judged.other ?? []).map(({ text }) => ({
        messages: said(text),
        want: [],
        kind: 'knowledge',
      })),
    ],
  };
}

/** The same numbers on every run. */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1664525 + 1013904223) % 4294967296;
    return state / 4294967296;
  };
}

/** One slip in the newest message: two letters swapped, one lost or one doubled. */
export function withSlips(cases: readonly Case[]): Case[] {
  const random = createRandom(11);
  return cases.map((each) => {
    const messages = each.messages.slice();
    const at = messages.findLastIndex(({ role }) => role === 'user');
    const message = messages[at];
    if (message !== undefined)
      messages[at] = { ...message, content: slipped(message.content, random) };
    return { ...each, messages };
  });
}

function slipped(text: string, random: () => number): string {
  const words = text.split(' ');
  const long = words.flatMap((word, at) => (/^[a-z]{5,}$/i.test(word) ? [at] : []));
  const at = long[Math.floor(random() * long.length)];
  if (at === undefined) return text;
  const word = words[at] ?? '';
  const place = 1 + Math.floor(random() * (word.length - 2));
  const kind = Math.floor(random() * 3);
  words[at] =
    word.slice(0, place) +
    (kind === 0
      ? `${word[place + 1] ?? ''}${word[place] ?? ''}${word.slice(place + 2)}`
      : kind === 1
        ? word.slice(place + 1)
        : `${word[place] ?? ''}${word.slice(place)}`);
  return words.join(' ');
}
