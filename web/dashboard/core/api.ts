import { t } from './language.js';

/** A refused or failed call, in words a person can act on. */
export class ApiError extends Error {
  readonly status: number;
  /** Field path → message, from validation answers. */
  readonly fields: Readonly<Record<string, string>>;
  /** The server's word for it, where it has one. */
  readonly code: string;

  constructor(
    status: number,
    message: string,
    fields: Readonly<Record<string, string>> = {},
    code = '',
  ) {
    super(message);
    this.code = code;
    this.status = status;
    this.fields = fields;
  }
}

const said: Record<string, string> = {
  invalid_credentials: t('The e-mail or password is not right, or the session has ended.'),
  missing_api_key: t('You are signed out. Sign in again.'),
  csrf_rejected: t('The page is out of date. Reload it and try again.'),
  billing_required: t('To activate, enable billing or add credit. See Billing.'),
  second_factor_required: t('Enter a code from your authenticator app or a recovery code.'),
  cross_site: t('This page was opened from another site. Reload it and try again.'),
  role_forbids: t('Your role in this team does not allow that. Ask an owner.'),
  sign_up_closed: t('Accounts are opened by invitation here. Ask the operator.'),
  link_ended: t('This link has expired or was already used. Ask for a new one.'),
  forbidden: t('Your account may not do this.'),
  wrong_key_kind: t('Your account may not do this.'),
  account_blocked: t('This account is blocked. Ask the operator.'),
  not_found: t('It does not exist, or it belongs to another account.'),
  route_not_found: t('This server does not offer that yet.'),
  already_exists: t('That already exists.'),
  conflict: t('It has changed in the meantime. Reload and check again.'),
  rate_limited: t('Too many requests. Wait a minute and try again.'),
  temporarily_unavailable: t('Nothing was recorded. It is safe to try again.'),
  internal_error: t('Something failed on the server. Try again; if it stays, tell the operator.'),
  page_unreadable: t('The page could not be read. Check the address.'),
};

export const sessionEnded = t('Your session has ended. Sign in to pick up where you left off.');

let csrfToken = '';

/** Kept in memory only: nothing that opens an account is ever stored by the page. */
export function useCsrfToken(token: string): void {
  csrfToken = token;
}

/** Told when an answer says that nobody is signed in, although somebody was. */
let onSignedOut: () => void = () => undefined;

export function whenSignedOut(work: () => void): void {
  onSignedOut = work;
}

interface CallOptions {
  method?: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  body?: unknown;
  signal?: AbortSignal;
}

/**
 * The answer's JSON. Its shape is the server's schema for that path, which the caller names as T.
 */
export async function call<T>(path: string, options: CallOptions = {}): Promise<T> {
  return (await callPage<T>(path, options)).answer;
}

/** The same, with where the next page begins for lists that say so in a header. */
export async function callPage<T>(
  path: string,
  { method = 'GET', body, signal }: CallOptions = {},
): Promise<{ answer: T; next: string | null }> {
  const headers: Record<string, string> = { accept: 'application/json' };
  const sentAs = csrfToken;
  if (method !== 'GET') headers['x-csrf-token'] = sentAs;
  if (body !== undefined) headers['content-type'] = 'application/json';
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      headers,
      credentials: 'same-origin',
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ApiError(0, t('The server cannot be reached. Check the connection and try again.'));
  }
  const text = await response.text();
  if (response.status === 401) noteRefusal(sentAs);
  if (!response.ok) throw problemOf(response.status, text);
  return {
    // The caller named the schema of this path.
    answer: (text === '' ? undefined : JSON.parse(text)) as T,
    next: response.headers.get('x-next-cursor'),
  };
}

/** What was sent while somebody was signed in, and refused after the page knew that nobody is. */
function noteRefusal(sentAs: string): void {
  if (csrfToken !== '') onSignedOut();
  else if (sentAs !== '') throw new ApiError(401, sessionEnded);
}

function problemOf(status: number, text: string): ApiError {
  let detail: unknown;
  try {
    // Every error answer is an object with a detail.
    detail = (JSON.parse(text) as { detail?: unknown }).detail;
  } catch {
    detail = undefined;
  }
  if (Array.isArray(detail)) {
    // Validation answers list problems in this shape.
    const problems = detail as { loc?: (string | number)[]; msg?: string }[];
    const fields = Object.fromEntries(
      problems.map(({ loc = [], msg = t('is not valid') }) => [
        loc.filter((part) => part !== 'body' && part !== 'query').join('.'),
        msg,
      ]),
    );
    return new ApiError(
      status,
      Object.entries(fields)
        .map(([name, msg]) => (name === '' ? msg : `${name}: ${msg}`))
        .join('; '),
      fields,
    );
  }
  if (typeof detail === 'string')
    return new ApiError(status, said[detail] ?? detail.replaceAll('_', ' '), {}, detail);
  return new ApiError(
    status,
    status >= 500
      ? t('Something failed on the server. Try again in a moment.')
      : t('The server answered {status}.', { status }),
  );
}

export function query(
  values: Record<string, string | number | boolean | null | undefined>,
): string {
  const pairs = Object.entries(values).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  );
  return pairs.length === 0
    ? ''
    : `?${new URLSearchParams(pairs.map(([name, value]) => [name, String(value)])).toString()}`;
}

/** Downloads a report as CSV: the same address, another form. */
export async function downloadCsv(path: string, name: string): Promise<void> {
  const sentAs = csrfToken;
  const response = await fetch(path, {
    headers: { accept: 'text/csv' },
    credentials: 'same-origin',
  });
  if (response.status === 401) noteRefusal(sentAs);
  if (!response.ok) throw problemOf(response.status, await response.text());
  saveFile(await response.blob(), `${name}.csv`);
}

export function saveFile(content: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
