import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openOnnxSession } from './onnx-session.js';
import { readerFolder, readVocabulary } from './reader-model.js';
import type { LoadedModel } from './sentence-model.js';
import { createWordPiece, type WordPiece } from './word-piece.js';

export type ToolLayout = {
  /** Names the weights. */
  id: string;
  /** The tools it was taught, in the order it tells of them. */
  tools: readonly string[];
  /** What a message may wish of any tool, in the order it tells of it. */
  wishes: readonly string[];
  /** What training made of some messages: the code must read the same. */
  samples: readonly {
    text: string;
    ids: readonly number[];
    best: string;
    need: number;
    wishes: readonly string[];
  }[];
};

/** A message is read by so many tokens from its beginning and its end. */
const messageRead = [48, 80] as const;

export function readToolLayout(folder: URL = readerFolder): ToolLayout {
  const file = new URL('tools.json', folder);
  const layout = JSON.parse(readFileSync(file, 'utf8')) as Partial<ToolLayout>; // Checked below.
  const { id, tools, wishes, samples = [] } = layout;
  if (typeof id !== 'string' || !Array.isArray(tools) || !Array.isArray(wishes))
    throw new Error('the layout of the reader of tool needs lacks id, tools or wishes');
  return { id, tools, wishes, samples };
}

/** What the base model knows, and behind it what this one was taught beside it. */
export function readToolVocabulary(folder: URL = readerFolder): Map<string, number> {
  const vocabulary = readVocabulary(folder);
  const pieces = readFileSync(new URL('tool-pieces.txt', folder), 'utf8').trimEnd().split('\n');
  for (const piece of pieces) vocabulary.set(piece, vocabulary.size);
  return vocabulary;
}

export function messageTokens(tokenizer: WordPiece, text: string): number[] {
  return [tokenizer.start, ...tokenizer.pieces(text, ...messageRead), tokenizer.end];
}

/**
 * Tells of each tool whether it answers a message, whether any does, and what the message wishes of
 * any tool: one row, in that order.
 */
export async function loadToolModel(folder: URL = readerFolder): Promise<LoadedModel> {
  const tokenizer = createWordPiece(readToolVocabulary(folder));
  const session = await openOnnxSession(fileURLToPath(new URL('tools.onnx', folder)));
  return {
    async embed(text) {
      const ids = messageTokens(tokenizer, text);
      const { tools, need, wishes } = await session.run(
        ids,
        ids.map(() => 0),
      );
      if (tools === undefined || need === undefined || wishes === undefined)
        throw new Error('the reader of tool needs gave no tools, no need or no wishes');
      const row = new Float32Array(tools.data.length + 1 + wishes.data.length);
      row.set(tools.data);
      row.set(need.data, tools.data.length);
      row.set(wishes.data, tools.data.length + 1);
      return row;
    },
    release: () => session.release(),
  };
}
