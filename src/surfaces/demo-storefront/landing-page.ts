import { escaped, page } from './product-page.js';
import type { DemoOffer } from './queries.js';

/** Where a click on a demo ad ends: what the brand offers, and what the click brought along. */
export function landingPage(
  offer: DemoOffer,
  brought: Readonly<Record<string, string>>,
  playground: string,
): string {
  const ads = offer.ads
    .map(({ headline, copy }) => `<h2>${escaped(headline)}</h2><p>${escaped(copy)}</p>`)
    .join('');
  const rows = Object.entries(brought)
    .map(
      ([name, value]) =>
        `<tr><th scope="row"><code>${escaped(name)}</code></th><td><code>${escaped(value)}</code></td></tr>`,
    )
    .join('');
  return page(
    `${offer.brand} · demo`,
    `<h1>${escaped(offer.brand)}</h1>${ads}<p><a class="call" href="${escaped(playground)}">Back to the playground</a></p>
${rows === '' ? '' : `<h2>What the click brought along</h2><p>A real shop keeps <code>grclid</code> and sends it back with a purchase, so that the conversion is credited to this ad.</p><table>${rows}</table>`}`,
  );
}
