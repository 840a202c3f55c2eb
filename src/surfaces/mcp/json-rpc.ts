import { ErrorCode, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';
import { isRecord } from '../../domain/is-record.js';

/** A failure of one message, in the words of JSON-RPC. */
export interface RpcFailure {
  jsonrpc: '2.0';
  id: string | number | null;
  error: { code: number; message: string };
}

/** Thrown by what answers a message. The SDK's own error repeats its code inside the message. */
export function rpcError(code: number, message: string, data?: unknown): Error {
  return Object.assign(new Error(message), { code, ...(data === undefined ? {} : { data }) });
}

export function rpcFailure(code: number, message: string, id: RpcFailure['id'] = null): RpcFailure {
  return { jsonrpc: '2.0', error: { code, message }, id };
}

/** What can be handed on of one message or a batch, and the failures of the rest. */
export function readMessages(given: readonly unknown[]): {
  messages: unknown[];
  failures: RpcFailure[];
} {
  const messages: unknown[] = [];
  const failures: RpcFailure[] = [];
  const asked = new Set<RpcFailure['id']>();
  const refuse = (why: string, id: RpcFailure['id']): number =>
    failures.push(rpcFailure(ErrorCode.InvalidRequest, why, id));
  for (const one of given.map(withoutNullArguments)) {
    const id = idOf(one);
    if (!JSONRPCMessageSchema.safeParse(one).success) refuse('Not a JSON-RPC 2.0 message', id);
    // Answers are told apart by their ids: the SDK would answer one of the two.
    else if (id !== null && asked.has(id)) refuse('Another message of the batch has this id', id);
    else messages.push(one);
    asked.add(id);
  }
  return { messages, failures };
}

function idOf(message: unknown): RpcFailure['id'] {
  const id = isRecord(message) ? message['id'] : null;
  return typeof id === 'string' || Number.isInteger(id) ? (id as string | number) : null;
}

/** Null where something may be left out is leaving it out. */
function withoutNullArguments(message: unknown): unknown {
  if (!isRecord(message) || !isRecord(message['params'])) return message;
  const { arguments: args, ...rest } = message['params'];
  return args === null ? { ...message, params: rest } : message;
}

/**
 * The SDK calls parameters of the wrong shape an internal error and lists what its checker found.
 * They are the caller's, and a sentence says it.
 */
export function namedParameters(answer: unknown): unknown {
  const error = isRecord(answer) ? answer['error'] : null;
  if (!isRecord(answer) || !isRecord(error) || error['code'] !== ErrorCode.InternalError)
    return answer;
  const issues = issuesIn(String(error['message']));
  if (issues === null) return answer;
  const message = issues
    .map(({ path, message: wrong }) => `${[path].flat().join('.')}: ${String(wrong)}`)
    .join('; ');
  return { ...answer, error: { code: ErrorCode.InvalidParams, message } };
}

function issuesIn(text: string): Record<string, unknown>[] | null {
  if (!text.startsWith('[')) return null;
  try {
    const issues: unknown = JSON.parse(text);
    return Array.isArray(issues) && issues.every(isRecord) ? issues : null;
  } catch {
    return null;
  }
}
