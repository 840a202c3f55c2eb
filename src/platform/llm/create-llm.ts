import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
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
  const ask =
    options.provider === 'openai'
      ? askOpenAi(new OpenAI(shared), model)
      : askAnthropic(new Anthropic(shared), model);
  const complete = async (request: LlmRequest): Promise<string> => {
    const timeout = AbortSignal.timeout(request.timeoutMs ?? options.timeoutMs);
    const signal =
      request.signal === undefined ? timeout : AbortSignal.any([timeout, request.signal]);
    try {
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

type Ask = (request: LlmRequest, signal: AbortSignal) => Promise<string>;

function askOpenAi(client: OpenAI, model: string): Ask {
  return async (request, signal) => {
    const answer = await client.chat.completions.create(
      {
        model,
        messages: [
          { role: 'system', content: request.system },
          { role: 'user', content: request.prompt },
        ],
        max_tokens: request.maxTokens ?? 800,
        temperature: 0.2,
        ...(request.json === true ? { response_format: { type: 'json_object' as const } } : {}),
      },
      { signal },
    );
    return answer.choices[0]?.message.content ?? '';
  };
}

function askAnthropic(client: Anthropic, model: string): Ask {
  return async (request, signal) => {
    const answer = await client.messages.create(
      {
        model,
        max_tokens: request.maxTokens ?? 800,
        system:
          request.json === true ? `${request.system}\nAnswer with JSON only.` : request.system,
        messages: [{ role: 'user', content: request.prompt }],
      },
      { signal },
    );
    return answer.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
  };
}
