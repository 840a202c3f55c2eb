import type { Front } from './create-http-app.js';
import { type Host, hostOfPath } from './host-of-path.js';

/** What one process of several may be there for; `worker` runs the jobs and has no door. */
export const roles = ['serve', 'track', 'platform', 'index', 'worker'] as const;
export type Role = (typeof roles)[number];

const roleOfHost: Record<Host, Role> = {
  base: 'serve',
  api: 'track',
  platform: 'platform',
  index: 'index',
};

/** Whoever looks after a process asks these, whatever it is there for. */
const everybodys = ['/health', '/ready', '/metrics', '/openapi.json', '/docs'];
const body = JSON.stringify({ detail: 'wrong_role' });

/**
 * Answers 421 for doors of another role, before anything is done for the request: a balancer that
 * sends it here is set up wrongly, and a person reading the answer learns that the route exists.
 */
export function createRoleGate(mine: ReadonlySet<string>): Front {
  if (Object.values(roleOfHost).every((role) => mine.has(role))) return () => false;
  return (request, response) => {
    const path = (request.url ?? '').split('?', 1)[0] ?? '';
    const isForAll = everybodys.some((start) => path === start || path.startsWith(`${start}/`));
    if (isForAll || mine.has(roleOfHost[hostOfPath(path)])) return false;
    response
      .writeHead(421, {
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(body),
        'cache-control': 'no-store',
        'access-control-allow-origin': '*',
      })
      .end(body);
    request.resume();
    return true;
  };
}
