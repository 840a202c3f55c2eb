/** What people see of an ad once every fallback is applied; what review looks at. */
export interface Creative {
  readonly title: string;
  readonly adText: string;
  readonly cta: string;
  readonly brandName: string;
  readonly url: string;
}

export interface CreativeParts {
  readonly headline?: string | null;
  readonly copy?: string | null;
  readonly cta?: string | null;
  readonly description?: string | null;
  readonly landingPage?: string | null;
  readonly brandName?: string | null;
}

/**
 * The title falls back to the brand, the brand to the host of the page, the text to what the group
 * and the campaign say.
 */
export function creativeOf(
  ad: CreativeParts,
  group: {
    readonly brandName?: string | null;
    readonly landingPage?: string | null;
    readonly context?: string | null;
  } | null,
  campaign: { readonly name: string; readonly landingPage: string },
): Creative {
  const url = filled(ad.landingPage) ?? filled(group?.landingPage) ?? campaign.landingPage;
  const brandName = filled(group?.brandName) ?? filled(ad.brandName) ?? hostOf(url);
  return {
    url,
    brandName,
    title: filled(ad.headline) ?? brandName,
    adText: filled(ad.copy) ?? filled(ad.description) ?? filled(group?.context) ?? campaign.name,
    cta: filled(ad.cta) ?? 'Learn more',
  };
}

/** Host of an address without `www.`, lower case; the address itself when it has none. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname.replace(/^www\./, '') : url;
}

function filled(text: string | null | undefined): string | undefined {
  return text === null || text === undefined || text.trim() === '' ? undefined : text;
}
