import OpenAI from 'openai';
import type { Ask, ClientOptions } from './ask.js';

export function askOpenAi(options: ClientOptions, model: string): Ask {
  const client = new OpenAI(options);
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
