import type { Ask, ClientOptions } from './ask.js';
import { type Llm, type LlmRequest, LlmUnavailable, parseJsonAnswer } from './llm.js';

export interface LlmOptions {
  provider: 'none' | 'openai' | 'anthropic';
  baseUrl: string;
  apiKey: string;
  model: string;
  timeoutMs: number;
}

const defaultModels = { openai: 'gpt-4o-mini', anthropic: 'claude-3-5-haiku-latest' } as const;

/**
 * The configured model, or null: everything works without one. The operator names the endpoint, so
 * it may be private.
 */
export function createLlm(options: LlmOptions): Llm | null {
  if (options.provider === 'none') return null;
  const model = options.model === '' ? defaultModels[options.provider] : options.model;
  const shared = {
    apiKey: options.apiKey === '' ? 'none' : options.apiKey,
    maxRetries: 0,
    ...(options.baseUrl === '' ? {} : { baseURL: options.baseUrl }),
  };
  const asking = loadAsk(options.provider, shared, model);
  const complete = async (request: LlmRequest): Promise<string> => {
    const timeout = AbortSignal.timeout(request.timeoutMs ?? options.timeoutMs);
    const signal =
      request.signal === undefined ? timeout : AbortSignal.any([timeout, request.signal]);
    try {
      const ask = await asking;
      const text = await ask(request, signal);
      if (text.trim() === '') throw new LlmUnavailable('the model answered nothing');
      return text;
    } catch (error) {
      throw error instanceof LlmUnavailable
        ? error
        : new LlmUnavailable(
            timeout.aborted ? 'the model took too long' : 'the model could not be asked',
            { cause: error },
          );
    }
  };
  return {
    model,
    complete,
    completeJson: async (request) => parseJsonAnswer(await complete({ ...request, json: true })),
  };
}

/** The client of the provider that is set, and of no other: each is megabytes of memory. */
async function loadAsk(
  provider: 'openai' | 'anthropic',
  shared: ClientOptions,
  model: string,
): Promise<Ask> {
  if (provider === 'openai') return (await import('./ask-openai.js')).askOpenAi(shared, model);
  return (await import('./ask-anthropic.js')).askAnthropic(shared, model);
}
