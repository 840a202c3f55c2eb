import Anthropic from '@anthropic-ai/sdk';
import type { Ask, ClientOptions } from './ask.js';

export function askAnthropic(options: ClientOptions, model: string): Ask {
  const client = new Anthropic(options);
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
