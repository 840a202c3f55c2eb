import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import { AppError } from '../errors.js';
import type { AccountDirectory, KeyHolder } from './account-directory.js';
import type { AdminToken } from './admin-token.js';
import type { AccountKind } from './api-key.js';
import { allows, type KeyScope } from './key-scope.js';
import type { AdvertiserAccount, PublisherAccount } from './queries.js';
import { checkSameOrigin, requireJson } from './same-origin.js';
import { checkCsrf, type Session, type SessionStore, sessionTokenOf } from './session-store.js';
import { mayChange, type Permission } from './team-role.js';

/** Who is calling, attached by a guard. Read it with `publisherOf`, `advertiserOf`, `callerOf`. */
export interface Caller {
  publisher?: PublisherAccount;
  advertiser?: AdvertiserAccount;
  operator?: { personId: string; email: string };
  /** Only where a person called. */
  session?: Session;
  /** For the audit trail: the key, the person, or the command line of this machine. */
  actor: { kind: 'key' | 'person' | 'system'; id: string };
}

declare module 'fastify' {
  interface FastifyRequest {
    caller?: Caller;
  }
  interface FastifyContextConfig {
    /** What a changing route asks of a person beyond everyday work. */
    permission?: Permission;
  }
}

type Hook = (request: FastifyRequest) => Promise<void>;

/**
 * Each guard is one row of the authentication table: which credential, where it may stand, what its
 * absence answers.
 */
export interface Guards {
  /**
   * `Authorization: Bearer`, publisher; unapproved publishers pass only where the route says so.
   */
  adServing: onRequestHookHandler;
  /** `X-API-Key`, publisher; 401 for anything unknown. */
  publisherHeader: Hook;
  /** `X-API-Key` of a publisher, or a publisher's browser session. */
  publisherDashboard: Hook;
  /** `X-API-Key` of an advertiser, or an advertiser's browser session. */
  advertiserDashboard: Hook;
  /** `?api_key=` or Bearer, advertiser. */
  conversionIntake: Hook;
  /**
   * `X-API-Key` or `platform_api_key` in the body, publisher: a key in the header is judged before
   * the body is read, the other after.
   */
  index: { onRequest: Hook; preValidation: Hook };
  /** `X-API-Key` or Bearer, either kind. */
  mcp: Hook;
  /** An operator's browser session, or the command line of the machine the server runs on. */
  operator: Hook;
  /** Any browser session. */
  person: Hook;
  /** Nobody in particular, but never sent by a page of another site: what gives out cookies. */
  sameOrigin: Hook;
  /** Who the session cookie says is looking at a page that anybody may see. */
  visitor: (request: FastifyRequest) => Promise<{ session: Session; token: string } | null>;
}

interface GuardDeps {
  directory: AccountDirectory;
  sessions: SessionStore;
  adminToken: AdminToken;
  /** Where the dashboards are reached. */
  ownOrigin: () => string;
}

export function createGuards(deps: GuardDeps): Guards {
  const { ownOrigin } = deps;

  return {
    adServing: (request, _reply, done) => admitToServe(deps, request, done),
    publisherHeader: (request) =>
      admit(
        deps,
        request,
        header(request, 'x-api-key'),
        'publisher',
        'invalid_credentials',
        'serve',
      ),
    publisherDashboard: (request) => dashboard(deps, request, 'publisher'),
    advertiserDashboard: (request) => dashboard(deps, request, 'advertiser'),
    conversionIntake: (request) =>
      admit(
        deps,
        request,
        bearer(request) ?? queryKey(request),
        'advertiser',
        'invalid_credentials',
        'conversions',
      ),
    index: {
      async onRequest(request) {
        const key = header(request, 'x-api-key');
        if (key !== undefined) await admitToIndex(deps, request, key);
      },
      async preValidation(request) {
        if (request.caller === undefined) await admitToIndex(deps, request, bodyKey(request));
      },
    },
    mcp: (request) =>
      // Each tool calls a route of ours, and that route judges the key's scopes.
      admit(
        deps,
        request,
        header(request, 'x-api-key') ?? bearer(request),
        'any',
        'invalid_credentials',
        null,
      ),
    operator: (request) => admitOperator(deps, request),
    async person(request) {
      if (!(await bySession(deps, request, 'any'))) throw new AppError('invalid_credentials');
    },
    async sameOrigin(request) {
      checkSameOrigin(request, ownOrigin());
      if (!isRead(request)) requireJson(request);
    },
    visitor: (request) => visitor(deps, request),
  };
}

/** Asked for every ad: a key that is known costs no turn of the event loop. */
function admitToServe(
  deps: GuardDeps,
  request: FastifyRequest,
  done: (error?: Error) => void,
): void {
  const key = bearer(request);
  const holder = key === undefined ? null : deps.directory.vouchedHolderOf(key);
  if (holder === null) {
    admit(deps, request, key, 'publisher', 'invalid_credentials', 'serve').then(() => done(), done);
    return;
  }
  letIn(deps, request, holder, 'publisher', 'invalid_credentials', 'serve');
  done();
}

async function admitOperator(deps: GuardDeps, request: FastifyRequest): Promise<void> {
  if (deps.adminToken.matches(bearer(request))) {
    const actor = { kind: 'system', id: 'command line' } as const;
    request.caller = { actor };
    return;
  }
  if (!(await bySession(deps, request, 'operator'))) throw new AppError('invalid_credentials');
}

async function admitToIndex(
  deps: GuardDeps,
  request: FastifyRequest,
  key: string | undefined,
): Promise<void> {
  await admit(deps, request, key, 'publisher', 'invalid_api_key', 'search');
  requireApproved(request);
}

async function dashboard(
  deps: GuardDeps,
  request: FastifyRequest,
  kind: AccountKind,
): Promise<void> {
  const key = header(request, 'x-api-key');
  if (key === undefined && (await bySession(deps, request, kind))) return;
  await admit(deps, request, key, kind, 'invalid_credentials', dashboardScope(request));
}

async function bySession(
  deps: GuardDeps,
  request: FastifyRequest,
  role: AccountKind | 'operator' | 'any',
): Promise<boolean> {
  const found = await visitor(deps, request);
  if (found === null) return false;
  const { session, token } = found;
  const reads = isRead(request);
  if (!reads) {
    requireJson(request);
    checkCsrf(token, request.headers['x-csrf-token']);
  }
  if (role !== 'any' && session.role !== role) throw new AppError('forbidden');
  if (!reads && !mayChange(session.teamRole, request.routeOptions.config.permission))
    throw new AppError('role_forbids');
  const actor = { kind: 'person', id: session.personId } as const;
  const caller: Caller = { actor, session };
  if (session.role === 'operator')
    caller.operator = { personId: session.personId, email: session.email };
  if (session.role === 'publisher' && session.accountId !== null)
    caller.publisher = deps.directory.publisher(session.accountId);
  if (session.role === 'advertiser' && session.accountId !== null)
    caller.advertiser = deps.directory.advertiser(session.accountId);
  if (caller.advertiser?.status === 'blocked' && role === 'advertiser')
    throw new AppError('account_blocked');
  request.caller = caller;
  return true;
}

async function visitor(
  deps: GuardDeps,
  request: FastifyRequest,
): Promise<{ session: Session; token: string } | null> {
  const token = sessionTokenOf(request.headers.cookie);
  if (token === null) return null;
  checkSameOrigin(request, deps.ownOrigin());
  const session = await deps.sessions.find(token);
  return session === null ? null : { session, token };
}

async function admit(
  deps: GuardDeps,
  request: FastifyRequest,
  key: string | undefined,
  kind: AccountKind | 'any',
  unknown: 'invalid_credentials' | 'invalid_api_key',
  scope: KeyScope | null,
): Promise<void> {
  if (key === undefined || key === '') throw new AppError('missing_api_key');
  const holder = await deps.directory.holderOf(key);
  if (holder === null) throw new AppError(unknown);
  letIn(deps, request, holder, kind, unknown, scope);
}

function letIn(
  deps: GuardDeps,
  request: FastifyRequest,
  holder: KeyHolder,
  kind: AccountKind | 'any',
  unknown: 'invalid_credentials' | 'invalid_api_key',
  scope: KeyScope | null,
): void {
  if (kind !== 'any' && holder.kind !== kind)
    throw new AppError(unknown === 'invalid_api_key' ? 'invalid_api_key' : 'wrong_key_kind');
  request.caller = callerFor(deps, holder);
  if (!allows(holder.scopes, scope)) throw new AppError('insufficient_scope');
}

function callerFor(deps: GuardDeps, holder: KeyHolder): Caller {
  const actor = { kind: 'key', id: holder.keyId } as const;
  if (holder.kind === 'publisher') {
    const publisher = deps.directory.publisher(holder.accountId);
    if (publisher === undefined) throw new AppError('invalid_credentials');
    return { publisher, actor };
  }
  const advertiser = deps.directory.advertiser(holder.accountId);
  if (advertiser === undefined) throw new AppError('invalid_credentials');
  if (advertiser.status === 'blocked') throw new AppError('account_blocked');
  return { advertiser, actor };
}

function isRead({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD';
}

function dashboardScope(request: FastifyRequest): KeyScope {
  if (isRead(request)) return 'read';
  return request.routeOptions.config.permission === 'billing' ? 'billing' : 'manage';
}

export function requireApproved(request: FastifyRequest): void {
  if (publisherOf(request).status !== 'approved') throw new AppError('publisher_not_approved');
}

/**
 * What a blocked publisher says of its ads counts for nothing; one that waits may still try them.
 */
export function refuseBlocked(request: FastifyRequest): void {
  if (publisherOf(request).status === 'blocked') throw new AppError('publisher_not_approved');
}

export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === undefined) throw new AppError('invalid_credentials');
  return request.caller;
}

export function publisherOf(request: FastifyRequest): PublisherAccount {
  const { publisher } = callerOf(request);
  if (publisher === undefined) throw new AppError('wrong_key_kind');
  return publisher;
}

export function advertiserOf(request: FastifyRequest): AdvertiserAccount {
  const { advertiser } = callerOf(request);
  if (advertiser === undefined) throw new AppError('wrong_key_kind');
  return advertiser;
}

function header(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function bearer(request: FastifyRequest): string | undefined {
  return bearerKey(request.headers.authorization);
}

/** The key in an `Authorization` header. */
export function bearerKey(header: string | undefined): string | undefined {
  return /^bearer +(\S+) *$/i.exec(header ?? '')?.[1];
}

function queryKey(request: FastifyRequest): string | undefined {
  const { query } = request;
  const value =
    typeof query === 'object' && query !== null && 'api_key' in query ? query.api_key : undefined;
  return typeof value === 'string' ? value : undefined;
}

function bodyKey(request: FastifyRequest): string | undefined {
  const { body } = request;
  const value =
    typeof body === 'object' && body !== null && 'platform_api_key' in body
      ? body.platform_api_key
      : undefined;
  return typeof value === 'string' ? value : undefined;
}
