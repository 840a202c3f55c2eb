import { setTimeout as wait } from 'node:timers/promises';
import type { Outbound, OutboundResponse } from '../../../platform/outbound/guarded-fetch.js';
import { BrokenFeed, textIn } from '../feeds/feed-row.js';
import { isRecord } from '../../../domain/is-record.js';

export interface StorefrontTools {
  outbound: Outbound;
  /** The storefront's own MCP endpoint. */
  endpoint: string;
  /** Who asks: every call names it. */
  agentProfile: string;
}

/** The storefront understood the call and will not serve it. */
export class ToolRefusal extends BrokenFeed {}

const mostWaits = 5;
const longestWaitMs = 30_000;

/** One call of one tool. A shop that asks for patience is given it a few times. */
export async function callStorefrontTool(
  tools: StorefrontTools,
  name: string,
  args: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: {
      name,
      arguments: { meta: { 'ucp-agent': { profile: tools.agentProfile } }, ...args },
    },
  });
  for (let waits = 0; ; waits += 1) {
    const answer = await tools.outbound(tools.endpoint, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      timeoutMs: 20_000,
      maxBytes: 16 * 1024 * 1024,
      maxRedirects: 0,
    });
    if ((answer.status === 429 || answer.status === 503) && waits < mostWaits) {
      await wait(patience(answer));
      continue;
    }
    if (answer.status !== 200) throw new BrokenFeed(`the catalog tools answered ${answer.status}`);
    return resultOf(messageIn(answer));
  }
}

function patience({ headers }: OutboundResponse): number {
  const seconds = Number(headers['retry-after'] ?? 2);
  return Math.min(longestWaitMs, Number.isFinite(seconds) ? seconds * 1000 : 2000);
}

/** The answer itself, or the event of a stream that carries it. */
function messageIn({ headers, body }: OutboundResponse): Record<string, unknown> {
  const text = body.toString('utf8');
  const isStream = /event-stream/i.test(headers['content-type'] ?? '');
  const parts = isStream
    ? text
        .split(/\r?\n\r?\n/)
        .map((event) => [...event.matchAll(/^data:\s?(.*)$/gm)].map((line) => line[1]).join('\n'))
    : [text];
  for (const part of parts) {
    const message = parsed(part);
    if (isRecord(message) && ('result' in message || 'error' in message)) return message;
  }
  throw new BrokenFeed('the catalog tools did not answer in JSON');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Told apart from an answer by the caller.
    return null;
  }
}

function resultOf(message: Record<string, unknown>): Record<string, unknown> {
  const { error, result } = message;
  if (isRecord(error))
    throw new ToolRefusal(
      `the catalog tools refused: ${textIn(error, 'message', 'code').slice(0, 200)}`,
    );
  const [first] = isRecord(result) && Array.isArray(result['content']) ? result['content'] : [];
  const content = isRecord(result)
    ? (result['structuredContent'] ?? parsed(isRecord(first) ? textIn(first, 'text') : ''))
    : null;
  if (!isRecord(content)) throw new BrokenFeed('the catalog tools gave no result');
  if (
    (isRecord(result) && result['isError'] === true) ||
    (isRecord(content['ucp']) && content['ucp']['status'] === 'error')
  )
    throw new ToolRefusal('the catalog tools refused');
  return content;
}
