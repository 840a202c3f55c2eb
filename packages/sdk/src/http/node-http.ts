/** The parts of node:http used here, named by shape so that edge projects need no Node types. */
export interface NodeRequest extends AsyncIterable<unknown> {
  method?: string | undefined;
  url?: string | undefined;
  headers: Record<string, string | string[] | undefined>;
  socket?: { remoteAddress?: string | undefined } | undefined;
  body?: unknown;
}

export interface NodeResponse {
  statusCode: number;
  setHeader(name: string, value: string): unknown;
  end(chunk?: string | Uint8Array): unknown;
}

const LIMIT = 256 * 1024;

/**
 * The JSON body, whether a framework parsed it already or it is still on the wire; null when it is
 * neither small nor JSON.
 */
export async function readNodeBody(request: NodeRequest): Promise<unknown> {
  if (request.body !== undefined && typeof request.body !== 'string') return request.body;
  const bytes = await readNodeBytes(request, LIMIT);
  try {
    return bytes === null ? null : JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return null; // the caller answers 422
  }
}

/**
 * The body's bytes; null when there are more than `limit`. A body some framework parsed already is
 * printed again.
 */
export async function readNodeBytes(
  request: NodeRequest,
  limit: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  if (request.body !== undefined) {
    const text = typeof request.body === 'string' ? request.body : JSON.stringify(request.body);
    return text.length > limit ? null : new TextEncoder().encode(text);
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of request) {
      const bytes =
        typeof chunk === 'string'
          ? new TextEncoder().encode(chunk)
          : chunk instanceof Uint8Array
            ? chunk
            : new Uint8Array();
      length += bytes.length;
      if (length <= limit) chunks.push(bytes);
    }
  } catch {
    return null; // the client went away
  }
  if (length > limit) return null;
  const all = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}
