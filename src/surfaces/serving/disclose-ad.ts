import type { Candidate } from '../../domain/decision/candidate.js';
import {
  type Disclosure,
  type DisclosureTable,
  disclose,
  type Ground,
  languageOf,
  wordsOf,
} from '../../domain/disclosure/disclosure.js';
import type { AccountDirectory } from '../../platform/auth/account-directory.js';

export interface DisclosingDeps {
  disclosure: DisclosureTable;
  directory: Pick<AccountDirectory, 'advertiser'>;
}

/** What is told with the ads of one request, from memory. */
export function createAdDisclosure(
  { disclosure, directory }: DisclosingDeps,
  languages: readonly unknown[],
): (ad: {
  brandName: string;
  advertiserId: string;
  candidate: Candidate | undefined;
  isTest: boolean;
}) => Disclosure {
  const words = wordsOf(disclosure, languageOf(disclosure, languages));
  return ({ brandName, advertiserId, candidate, isTest }) =>
    disclose(words, {
      advertiser: brandName,
      paidBy: directory.advertiser(advertiserId)?.name ?? brandName,
      ground: isTest || candidate === undefined ? 'test' : groundOf(candidate),
    });
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
