/** One question to a language model. It is never required: every caller has a way without it. */
export interface LlmRequest {
  system: string;
  prompt: string;
  /** The answer must be JSON; it is parsed but not believed, callers check it. */
  json?: boolean;
  maxTokens?: number;
  timeoutMs?: number;
  signal?: AbortSignal;
}

export interface Llm {
  readonly model: string;
  /**
   * Rejects with `LlmUnavailable` when the endpoint fails, is slow, or answers something that is
   * not asked for.
   */
  complete(request: LlmRequest): Promise<string>;
  completeJson(request: LlmRequest): Promise<unknown>;
}

export class LlmUnavailable extends Error {
  override readonly name = 'LlmUnavailable';
}

/** Models like to wrap JSON in prose or fences. */
export function parseJsonAnswer(text: string): unknown {
  const fenced = text.split('```', 3).length === 3 ? (text.split('```', 2)[1] ?? '') : text;
  const start = fenced.search(/[[{]/);
  const end = Math.max(fenced.lastIndexOf('}'), fenced.lastIndexOf(']'));
  if (start === -1 || end < start) throw new LlmUnavailable('the answer holds no JSON');
  try {
    return JSON.parse(fenced.slice(start, end + 1)) as unknown;
  } catch (error) {
    throw new LlmUnavailable('the answer is not valid JSON', { cause: error });
  }
}
