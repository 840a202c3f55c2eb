import { addPerson } from '../../src/surfaces/accounts/open-account.js';
import type { Reply } from './managed-campaign.js';
import type { TestApp } from './test-app.js';

export interface OperatorCall {
  (
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    payload?: unknown,
    headers?: Record<string, string>,
  ): Promise<Reply>;
  /** The operator's session, as a browser sends it. */
  cookie: string;
  /** All it sends to be let in. */
  signedIn: Record<string, string>;
}

/** Calls the operator API as somebody who just signed in. */
export async function signInOperator(app: TestApp): Promise<OperatorCall> {
  const email = `operator-${app.services.mintId(app.clock.now)}@test.example`;
  await app.db.transaction((tx) =>
    addPerson(
      { tx, mintId: app.services.mintId, now: app.clock.now },
      { email, password: 'correct horse', role: 'operator', accountId: null },
    ),
  );
  const session = await app.http.inject({
    method: 'POST',
    url: '/session',
    payload: { email, password: 'correct horse' },
  });
  const signedIn = {
    cookie: String(session.headers['set-cookie']).split(';')[0] ?? '',
    'x-csrf-token': String(session.json().csrf_token),
  };
  const call = async (
    ...[method, url, payload, headers = {}]: Parameters<OperatorCall>
  ): Promise<Reply> => {
    const response = await app.http.inject({
      method,
      url,
      headers: { ...signedIn, ...headers },
      ...(payload === undefined ? {} : { payload: payload as Record<string, unknown> }),
    });
    return {
      status: response.statusCode,
      body: response.body === '' ? null : response.json(),
      headers: response.headers,
    };
  };
  return Object.assign(call, { cookie: signedIn.cookie, signedIn });
}
