import type { IncomingMessage } from 'node:http';
import { readSignals } from '../../../domain/privacy/read-signals.js';
import type { PublisherAccount } from '../../../platform/auth/queries.js';
import type { Clock } from '../../../platform/clock.js';
import type { ConsentReader } from '../../../platform/consent/consent-reader.js';
import type { ClientAddress } from '../../../platform/http/client-address.js';
import type { MintId } from '../../../platform/ids.js';
import { readAudience, type RequestFacts } from '../read-request.js';
import type { AdRequest } from '../schema.js';
import type { AdAnswer, ServeAds } from '../serve-ads.js';

export interface AnswerDeps {
  clock: Clock;
  mintId: MintId;
  clientAddress: ClientAddress;
  countryOf: RequestFacts['countryOf'];
  describeAgent: RequestFacts['describeAgent'];
  serveAds: ServeAds;
  consent: Pick<ConsentReader, 'judge'>;
}

export type AnsweredAds = AdAnswer & { requestId: string };

/** What a checked request of a publisher is answered, whichever door it came through. */
export async function answerRequest(
  deps: AnswerDeps,
  publisher: PublisherAccount,
  body: AdRequest,
  raw: IncomingMessage,
): Promise<AnsweredAds> {
  const requestId = deps.mintId(deps.clock());
  const { headers } = raw;
  const { regs, coppa, user, device } = body;
  const judged = deps.consent.judge(
    readSignals({ places: [regs, { coppa }], user, device, headers }),
  );
  const audience = readAudience(
    body,
    {
      countryOf: deps.countryOf,
      describeAgent: deps.describeAgent,
      address: forwardedAddress(headers['x-forwarded-for']) ?? deps.clientAddress(raw),
      agent: headers['user-agent'],
      language: headers['accept-language'],
    },
    // Most say nothing, and what is known needs no turn of its own.
    judged instanceof Promise ? await judged : judged,
  );
  const isGone = (): boolean => raw.socket.destroyed;
  const { serveAds } = deps;
  const { ads, noAdReason, privacy } = await serveAds(requestId, publisher, body, audience, isGone);
  return { requestId, ads, noAdReason, privacy };
}

/**
 * A publisher's server is authenticated and may name its user's address in the body, so its
 * X-Forwarded-For is believed as well.
 */
function forwardedAddress(header: string | string[] | undefined): string | null {
  if (header === undefined) return null;
  const first = (Array.isArray(header) ? header[0] : header)?.split(',')[0]?.trim();
  return first === undefined || first === '' ? null : first;
}
