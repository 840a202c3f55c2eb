import { errorFields, type Log } from '../../platform/log.js';
import type { Clock } from '../../platform/clock.js';
import type { Db } from '../../platform/db/db.js';
import { type Outbound, OutboundError } from '../../platform/outbound/guarded-fetch.js';
import type { PublicUrls } from '../../platform/public-urls.js';
import { findScript, loadsScript, type WantedScript } from './find-script.js';
import { findPixel, saveVerdict } from './queries.js';

export interface VerifyDeps {
  db: Db;
  clock: Clock;
  log: Log;
  outbound: Outbound;
  urls: PublicUrls;
}

export const verifyAttempts = 6;
const browserHeaders = {
  accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8',
  'accept-language': 'en-US,en;q=0.9',
  'upgrade-insecure-requests': '1',
};
/** Failures that will not pass by themselves. */
const lasting: ReadonlySet<string> = new Set(['bad_url', 'private_address', 'too_many_redirects']);

/**
 * Looks at the pixel's page and notes whether it works. Throws when it is worth another try; a
 * pixel that worked keeps its mark until the last one.
 */
export async function verifyPixel(
  deps: VerifyDeps,
  pixelId: string,
  attempt: number,
): Promise<void> {
  const pixel = await findPixel(deps.db, pixelId);
  if (pixel === null) return;
  const note = (isFunctional: boolean, problem: string | null): Promise<void> =>
    saveVerdict(deps.db, pixelId, { isFunctional, problem, at: new Date(deps.clock()) });
  try {
    const isThere = await hasScript(deps, pixel.url, { pixelId, hosts: ourHosts(deps.urls) });
    await note(isThere, isThere ? null : 'script_not_found');
  } catch (error) {
    const failure =
      error instanceof OutboundError
        ? error.failure
        : error instanceof PageFailed
          ? `status_${error.status}`
          : 'failed';
    const isLasting =
      lasting.has(failure) ||
      (error instanceof PageFailed && error.status < 500 && error.status !== 429);
    if (isLasting || attempt >= verifyAttempts) return note(false, failure);
    if (pixel.isFunctional !== true) await note(false, failure);
    throw error;
  }
}

class PageFailed extends Error {
  readonly status: number;
  constructor(status: number) {
    super(`the page answered ${status}`);
    this.status = status;
  }
}

async function hasScript(
  { outbound, log }: VerifyDeps,
  url: string,
  wanted: WantedScript,
): Promise<boolean> {
  const page = await outbound(url, {
    headers: browserHeaders,
    timeoutMs: 10_000,
    maxBytes: 4 * 1024 * 1024,
    maxRedirects: 8,
  });
  if (page.status < 200 || page.status > 299) throw new PageFailed(page.status);
  const findings = findScript(page.body.toString('utf8'), page.url, wanted);
  if (findings.hasScript) return true;
  for (const container of findings.containers.slice(0, 3)) {
    try {
      const program = await outbound(`https://www.googletagmanager.com/gtm.js?id=${container}`, {
        headers: { accept: '*/*' },
        timeoutMs: 10_000,
        maxBytes: 4 * 1024 * 1024,
      });
      if (program.status === 200 && loadsScript(program.body.toString('utf8'), wanted)) return true;
    } catch (error) {
      // One container that does not load must not hide another that does.
      log.info(errorFields(error), 'tag manager container not read');
    }
  }
  return false;
}

function ourHosts(urls: PublicUrls): string[] {
  return [
    ...new Set(
      [urls.base, urls.api, urls.platform, urls.index]
        .filter((url) => URL.canParse(url))
        .map((url) => new URL(url).host),
    ),
  ];
}
