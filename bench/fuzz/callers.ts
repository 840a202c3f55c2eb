import type { FuzzRequest } from '../../test/fuzz/make-request.js';

/** A server as fuzzing sees it. */
export interface Door {
  /** What the server says of itself. */
  readonly document: unknown;
  /** What the command line speaks to it with, as an operator. */
  readonly adminToken: string;
  send(
    request: FuzzRequest,
    headers: Readonly<Record<string, string>>,
  ): Promise<{ status: number; body: string; cookie: string | null }>;
}

export interface Caller {
  readonly name: 'publisher' | 'advertiser' | 'operator' | 'person' | 'nobody' | 'guess';
  readonly headers: Readonly<Record<string, string>>;
}

/** One of every kind, in accounts nobody else uses. */
export async function openCallers(
  door: Door,
  name: string,
): Promise<{ callers: Caller[]; ids: string[] }> {
  const admin = { authorization: `Bearer ${door.adminToken}` };
  const [publisher, advertiser] = [await open('publisher'), await open('advertiser')];
  const person = await signIn(advertiser);
  return {
    callers: [
      { name: 'publisher', headers: keyed(publisher.api_key) },
      { name: 'advertiser', headers: keyed(advertiser.api_key) },
      { name: 'operator', headers: admin },
      ...(person === null ? [] : [{ name: 'person' as const, headers: person }]),
      { name: 'nobody', headers: {} },
      { name: 'guess', headers: keyed('guessed\u00ff') },
    ],
    ids: [publisher.id, advertiser.id],
  };

  async function post(
    url: string,
    body: object,
    headers: Record<string, string>,
  ): Promise<{ status: number; body: string; cookie: string | null }> {
    const request = { method: 'POST', url, payload: JSON.stringify(body) };
    return door.send(request, { 'content-type': 'application/json', ...headers });
  }

  async function open(kind: 'publisher' | 'advertiser'): Promise<Opened> {
    const account = {
      kind,
      name: `Fuzz ${name}`,
      email: `${kind}-${name}@fuzz.example`,
      url: 'https://fuzz.example',
      approved: true,
      billing_enabled: true,
      invite: false,
    };
    const { status, body } = await post('/operator/accounts', account, admin);
    if (status !== 201) throw new Error(`no ${kind} was opened: ${status} ${body}`);
    // As the route describes it.
    return JSON.parse(body) as Opened;
  }

  /** Null when there are too many sign-ins for now. */
  async function signIn({ email, password }: Opened): Promise<Record<string, string> | null> {
    const { status, body, cookie } = await post('/session', { email, password }, {});
    if (status !== 200 || cookie === null) return null;
    const { csrf_token: token } = JSON.parse(body) as { csrf_token: string };
    return { cookie: cookie.split(';')[0] ?? '', 'x-csrf-token': token };
  }
}

interface Opened {
  id: string;
  api_key: string;
  email: string;
  password: string;
}

function keyed(key: string): Record<string, string> {
  return { 'x-api-key': key, authorization: `Bearer ${key}` };
}
