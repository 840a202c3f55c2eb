import type { FastifyRequest } from 'fastify';
import type { AccountKind } from '../../platform/auth/api-key.js';
import { callerOf } from '../../platform/auth/guards.js';
import type { Session } from '../../platform/auth/session-store.js';
import { AppError } from '../../platform/errors.js';

export function accountOf(request: FastifyRequest): { kind: AccountKind; id: string } {
  const { advertiser, publisher } = callerOf(request);
  if (advertiser !== undefined) return { kind: 'advertiser', id: advertiser.id };
  if (publisher !== undefined) return { kind: 'publisher', id: publisher.id };
  throw new AppError('forbidden');
}

/** Behind `guards.person` there always is one. */
export function sessionOf(request: FastifyRequest): Session {
  const { session } = callerOf(request);
  if (session === undefined) throw new AppError('invalid_credentials');
  return session;
}
