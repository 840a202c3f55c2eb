/**
 * The closed list of failures a client can meet: code, status, meaning. Throw `AppError`; one
 * handler turns it into a
 * response. `docs/api/errors.md` is kept equal to this list by a test.
 */
export const errorCodes = {
  invalid_request: [400, 'The request could not be understood'],
  malformed_json: [400, 'The body is not valid JSON'],
  invalid_parameter: [400, 'A query parameter of a publisher report is out of its bounds'],
  invalid_cursor: [400, 'The cursor was not issued by this service'],
  invalid_token: [400, 'The tracking token is missing or cannot be read'],
  missing_api_key: [401, 'No API key was sent'],
  invalid_credentials: [401, 'The API key, session or password is not recognised'],
  second_factor_required: [
    401,
    'The password is right; a code of the second factor is missing or wrong',
  ],
  billing_required: [402, 'Activation needs billing enabled or credit left'],
  invalid_api_key: [403, 'The API key is not recognised (index and shop search)'],
  publisher_not_approved: [403, 'The publisher is not approved or is blocked'],
  account_blocked: [403, 'The account is blocked'],
  wrong_key_kind: [403, 'The key belongs to another kind of account'],
  forbidden: [403, 'The caller may not do this'],
  wrong_publisher: [403, 'The tracking token belongs to another publisher'],
  csrf_rejected: [403, 'The request lacks the session’s CSRF token'],
  cross_site: [403, 'A page of another site sent the request'],
  insufficient_scope: [403, 'The key is limited to other things'],
  role_forbids: [403, 'The person’s role in the team does not allow this'],
  sign_up_closed: [403, 'This installation does not take sign-ups that way'],
  not_found: [404, 'No such thing, or not in this account'],
  route_not_found: [404, 'No such route'],
  link_ended: [404, 'The link was used already, has ended, or never was one'],
  no_lead_form: [404, 'The campaign has no lead form'],
  method_not_allowed: [405, 'The route exists for other methods'],
  request_timeout: [408, 'The request took too long to arrive'],
  already_exists: [409, 'Such a thing exists already'],
  conflict: [409, 'The state does not allow this'],
  idempotency_key_reused: [409, 'The Idempotency-Key was used for a different request'],
  payload_too_large: [413, 'The body is over the limit'],
  unsupported_media_type: [415, 'The body is not JSON, or is compressed'],
  wrong_role: [421, 'This process has another role; the route is another one’s'],
  validation_failed: [422, 'A field is missing or invalid'],
  undecryptable_imp_url: [422, 'impUrl could not be decrypted'],
  page_unreadable: [422, 'The page could not be read'],
  rate_limited: [429, 'Too many requests; see Retry-After'],
  headers_too_large: [431, 'The address and headers together are over the limit'],
  internal_error: [500, 'Something failed here; the request id helps the operator find it'],
  temporarily_unavailable: [503, 'Nothing was recorded; safe to retry'],
  starting: [503, 'The server is warming up'],
} as const satisfies Record<string, readonly [number, string]>;

export type ErrorCode = keyof typeof errorCodes;

export interface FieldProblem {
  readonly type: string;
  readonly loc: readonly (string | number)[];
  readonly msg: string;
}

export class AppError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  /** What the client reads in `detail`: the code, or the list of field problems. */
  readonly detail: string | readonly FieldProblem[];
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ErrorCode,
    options: {
      detail?: string | readonly FieldProblem[];
      cause?: unknown;
      retryAfterSeconds?: number;
    } = {},
  ) {
    super(errorCodes[code][1], options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.status = errorCodes[code][0];
    this.detail = options.detail ?? code;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** A 422 about one field, in the shape every validation failure has. */
export function fieldError(
  loc: readonly (string | number)[],
  msg: string,
  type = 'value_error',
): AppError {
  return new AppError('validation_failed', { detail: [{ type, loc, msg }] });
}
