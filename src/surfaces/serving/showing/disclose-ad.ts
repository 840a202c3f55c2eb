import type { Candidate } from '../../../domain/decision/candidate.js';
import {
  type Disclosure,
  type DisclosureTable,
  disclose,
  type Ground,
  languageOf,
  wordsOf,
} from '../../../domain/disclosure/disclosure.js';
import { sealChoices } from '../../../domain/choice-token.js';
import type { AccountDirectory } from '../../../platform/auth/account-directory.js';
import type { PublicUrls } from '../../../platform/public-urls.js';
import type { TrackingKeys } from '../../../platform/secrets/tracking-keys.js';

export interface DisclosingDeps {
  disclosure: DisclosureTable;
  directory: Pick<AccountDirectory, 'advertiser'>;
  trackingKeys: Pick<TrackingKeys, 'current'>;
  urls: Pick<PublicUrls, 'api'>;
}

export interface DisclosedAd {
  serveId: string;
  brandName: string;
  advertiserId: string;
  candidate: Candidate | undefined;
  isTest: boolean;
}

/** Whose choices bind: the publisher's user, or the session where none is named. */
export interface Person {
  publisherId: string;
  subject: string;
  scope: 'user' | 'session';
}

/** What is told with the ads of one request, from memory, and where people decide about them. */
export function createAdDisclosure(
  { disclosure, directory, trackingKeys, urls }: DisclosingDeps,
  person: Person,
  languages: readonly unknown[],
): (ad: DisclosedAd) => { disclosure: Disclosure; choicesUrl: string } {
  const language = languageOf(disclosure, languages);
  const words = wordsOf(disclosure, language);
  return ({ serveId, brandName, advertiserId, candidate, isTest }) => {
    const ground = isTest || candidate === undefined ? 'test' : groundOf(candidate);
    const token = sealChoices({ serveId, ground, ...person }, trackingKeys.current());
    return {
      disclosure: disclose(words, {
        advertiser: brandName,
        paidBy: directory.advertiser(advertiserId)?.name ?? brandName,
        ground,
      }),
      choicesUrl: `${urls.api}/ad-choices/${token}?l=${language}`,
    };
  };
}

/** Under which name the person decides: their own where the publisher named them. */
export function choosingPerson(
  publisherId: string,
  { dislikers }: { dislikers: readonly string[] },
): Person {
  const [subject = ''] = dislikers;
  return { publisherId, subject, scope: dislikers.length > 1 ? 'user' : 'session' };
}

/** The most telling reason first: an audience is personal, a place hardly. */
function groundOf(candidate: Candidate): Ground {
  const { demographics } = candidate;
  if (
    demographics !== null &&
    (demographics.genders ?? demographics.ageRanges ?? demographics.interests) !== null
  )
    return 'audience';
  const { campaignCountries, groupCountries, campaignDevices, groupDevices } = candidate;
  return (campaignCountries ?? groupCountries ?? campaignDevices ?? groupDevices) === null
    ? 'conversation'
    : 'place';
}
