/** What a landing page says about itself, as far as an ad can use it. */
export interface PageFacts {
  readonly url: string;
  /** Primary subtag of the page's language; null when it does not say. */
  readonly language: string | null;
  readonly siteName: string | null;
  readonly title: string | null;
  readonly description: string | null;
  readonly headings: readonly string[];
  readonly paragraphs: readonly string[];
  /** Labels of its buttons and links that ask for something ("Book a table"). */
  readonly actions: readonly string[];
  readonly product: PageProductFacts | null;
  readonly imageUrl: string | null;
  readonly faviconUrl: string | null;
  /** Everything it says, shortened: what claims are checked against. */
  readonly text: string;
}

export interface PageProductFacts {
  readonly name: string;
  readonly description: string | null;
  /** As people write it: "$49", "€19.90". */
  readonly price: string | null;
}
