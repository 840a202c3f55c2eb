/** The four hosts the service has towards the outside; one process may be all of them. */
export type Host = 'base' | 'api' | 'platform' | 'index';

/** The first whose beginning a path has; the platform for all others. */
const beginnings: readonly [string, Host][] = [
  ['/health', 'base'],
  ['/ready', 'base'],
  ['/api/v1/', 'base'],
  ['/gateway/', 'api'],
  ['/ack', 'api'],
  ['/track/', 'api'],
  ['/ad-choices/', 'api'],
  ['/pixel.js', 'api'],
  ['/gr-pix.js', 'api'],
  ['/search', 'index'],
  ['/shop/', 'index'],
  ['/categories', 'index'],
  ['/go/', 'index'],
  ['/.well-known/', 'index'],
  ['/demo-store', 'index'],
];

/** Which host answers a path. */
export function hostOfPath(path: string): Host {
  return beginnings.find(([start]) => path.startsWith(start))?.[1] ?? 'platform';
}
