import type { LlmRequest } from './llm.js';

/** How a provider's client is reached. */
export interface ClientOptions {
  apiKey: string;
  maxRetries: number;
  baseURL?: string;
}

export type Ask = (request: LlmRequest, signal: AbortSignal) => Promise<string>;
