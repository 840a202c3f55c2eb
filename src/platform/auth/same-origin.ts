import type { FastifyRequest } from 'fastify';
import { AppError } from '../errors.js';

type Incoming = Pick<FastifyRequest, 'headers'>;

/**
 * Refuses what a page of another site made a browser send. Browsers say where a request comes from
 * and no page can change what they say; whoever sends neither header is no browser and brings no
 * cookie that it was not given.
 */
export function checkSameOrigin(request: Incoming, ownOrigin: string): void {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) {
    if (site !== 'same-origin' && site !== 'none') throw new AppError('cross_site');
    return;
  }
  const { origin, host } = request.headers;
  if (origin === undefined) return;
  if (origin === ownOrigin) return;
  if (!URL.canParse(origin) || new URL(origin).host !== host) throw new AppError('cross_site');
}

/** A form of another site can send text, never JSON, without asking first. */
export function requireJson(request: Incoming): void {
  const type = request.headers['content-type'];
  if (type !== undefined && !/^application\/json(;|$)/i.test(type))
    throw new AppError('unsupported_media_type');
}
