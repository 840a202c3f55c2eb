import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { createLlm } from './create-llm.js';
import { LlmUnavailable, parseJsonAnswer } from './llm.js';

/** A real endpoint on this machine that answers as told. */
async function withEndpoint<T>(
  answer: (
    body: Record<string, unknown>,
    path: string,
  ) => { status?: number; body: unknown; delayMs?: number },
  work: (url: string) => Promise<T>,
): Promise<T> {
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => void (text += chunk.toString()));
    request.on('end', () => {
      const {
        status = 200,
        body,
        delayMs = 0,
      } = answer(JSON.parse(text) as Record<string, unknown>, request.url ?? '');
      setTimeout(
        () =>
          response
            .writeHead(status, { 'content-type': 'application/json' })
            .end(JSON.stringify(body)),
        delayMs,
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const settings = { apiKey: 'k', model: 'm', timeoutMs: 2000 };
const chat = (content: string) => ({
  id: 'x',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }],
});

describe('language model', () => {
  it('asks an OpenAI-compatible endpoint and reads JSON out of prose', async () => {
    await withEndpoint(
      () => ({ body: chat('Sure:\n```json\n{"a": 1}\n```') }),
      async (url) => {
        const llm = createLlm({ ...settings, provider: 'openai', baseUrl: url });
        assert.deepEqual(await llm?.completeJson({ system: 's', prompt: 'p' }), { a: 1 });
      },
    );
  });

  it('asks Anthropic', async () => {
    await withEndpoint(
      (_, path) => ({
        body: {
          id: 'x',
          type: 'message',
          role: 'assistant',
          model: 'm',
          stop_reason: 'end_turn',
          usage: { input_tokens: 1, output_tokens: 1 },
          content: [{ type: 'text', text: path }],
        },
      }),
      async (url) => {
        const llm = createLlm({ ...settings, provider: 'anthropic', baseUrl: url });
        assert.equal(await llm?.complete({ system: 's', prompt: 'p' }), '/v1/messages');
      },
    );
  });

  it('gives up on an endpoint that is slow or fails, with one kind of error', async () => {
    await withEndpoint(
      () => ({ body: chat('late'), delayMs: 500 }),
      async (url) => {
        const llm = createLlm({ ...settings, provider: 'openai', baseUrl: url, timeoutMs: 100 });
        await assert.rejects(
          async () => llm?.complete({ system: 's', prompt: 'p' }),
          LlmUnavailable,
        );
      },
    );
    await withEndpoint(
      () => ({ status: 500, body: { error: 'no' } }),
      async (url) => {
        const llm = createLlm({ ...settings, provider: 'openai', baseUrl: url });
        await assert.rejects(
          async () => llm?.complete({ system: 's', prompt: 'p' }),
          LlmUnavailable,
        );
      },
    );
  });

  it('is absent when none is configured', () => {
    assert.equal(createLlm({ ...settings, provider: 'none', baseUrl: '' }), null);
  });

  it('refuses an answer without JSON', () => {
    assert.throws(() => parseJsonAnswer('I cannot do that'), LlmUnavailable);
  });
});
