import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../platform/errors.js';
import type { PublicUrls } from '../../platform/public-urls.js';
import { type Asset, loadAssets, loadShells } from './load-assets.js';

/**
 * The page at `/` and below `/app`, and the files it loads. Nothing inline, nothing from elsewhere.
 */
export function pageRoutes(
  app: FastifyInstance,
  { urls }: { urls: Pick<PublicUrls, 'api'> },
): void {
  // The build puts the pages beside the server: build/web/dashboard.
  const folder = new URL('../../../web/dashboard/', import.meta.url);
  const assets = loadAssets(folder);
  const shells = loadShells(folder);
  const hidden = { config: { quiet: true }, schema: { hide: true } };

  const page = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const [section, at] = placeOf(request.url);
    const shell = shells.get(`${section}/${at}`) ?? shells.get(section) ?? shells.get('');
    if (shell === undefined) throw new AppError('not_found');
    void reply
      .header('content-security-policy', policy(urls.api))
      .header('x-content-type-options', 'nosniff')
      .header('referrer-policy', 'same-origin')
      .header('x-frame-options', 'DENY')
      .header('cross-origin-opener-policy', 'same-origin')
      .header('permissions-policy', 'camera=(), microphone=(), geolocation=()')
      .header('cache-control', 'no-cache');
    return send(request, reply, shell);
  };
  for (const path of ['/', '/app', '/app/*']) app.get(path, hidden, page);

  app.get<{ Params: { file: string } }>('/assets/:file', hidden, async (request, reply) => {
    const { file } = request.params;
    const asset = file === 'index.html' ? undefined : assets.get(file);
    if (asset === undefined) throw new AppError('not_found');
    // Names carry a hash of what is inside, except the icon's.
    void reply
      .header(
        'cache-control',
        /-[A-Z0-9]{8}\./.test(file)
          ? 'public, max-age=31536000, immutable'
          : 'public, max-age=3600',
      )
      .header('x-content-type-options', 'nosniff');
    return send(request, reply, asset);
  });
}

/** `/app/advertiser/reports?by=day` is in `advertiser`, and `reports` there. */
function placeOf(url: string): [section: string, at: string] {
  const [, , section = '', at = ''] = (url.split('?', 1)[0] ?? '').split('/');
  return [section, at];
}

function send(request: FastifyRequest, reply: FastifyReply, asset: Asset): unknown {
  const zipped = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
  const etag = zipped ? `"${asset.etag}-gz"` : `"${asset.etag}"`;
  void reply.header('etag', etag).header('vary', 'accept-encoding').type(asset.type);
  if (request.headers['if-none-match'] === etag) return reply.code(304).send();
  if (zipped) void reply.header('content-encoding', 'gzip');
  return reply.send(zipped ? asset.gzip : asset.body);
}

/** The tracking host may be another one; everything else is ours. */
function policy(api: string): string {
  const tracking = new URL(api).origin;
  return `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: ${tracking}; connect-src 'self' ${tracking}; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`;
}
