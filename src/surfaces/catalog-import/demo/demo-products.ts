import type { CatalogItem, CatalogVariant } from '../../../domain/commerce/catalog-item.js';
import { slugOf } from '../../../domain/commerce/product-id.js';
import { createRandom } from '../../../domain/decision/seeded-random.js';

/** What catalog/products/merchants.json holds. */
export interface DemoMerchant {
  slug: string;
  name: string;
  currency: string;
  shelves: readonly string[];
  commission_bps: number;
  storefront?: boolean;
}

interface DemoKind {
  name: string;
  path: string;
  price: readonly [number, number];
  styles: readonly string[];
  materials: readonly string[];
  about: string;
  brands?: readonly string[];
  colors?: readonly string[];
  sizes?: readonly string[];
  who?: readonly string[];
}

/** What catalog/products/kinds.json holds, one for each shelf. */
export interface DemoShelf {
  shelf: string;
  brands: readonly string[];
  colors: readonly string[];
  points: readonly string[];
  who?: readonly string[];
  sizes?: readonly string[];
  kinds: readonly DemoKind[];
}

/** Of one kind over all merchants that carry it. */
const perKind = 18;

/** Every listing of one made-up merchant, the same each time. */
export function makeDemoProducts(
  merchant: DemoMerchant,
  merchants: readonly DemoMerchant[],
  shelves: readonly DemoShelf[],
): CatalogItem[] {
  const items: CatalogItem[] = [];
  for (const shelf of shelves) {
    if (!merchant.shelves.includes(shelf.shelf)) continue;
    const count = Math.ceil(
      perKind / merchants.filter((other) => other.shelves.includes(shelf.shelf)).length,
    );
    for (const kind of shelf.kinds) {
      const titles = new Set<string>();
      for (let attempt = 0; titles.size < count && attempt < count * 6; attempt += 1) {
        const item = makeItem(
          merchant,
          shelf,
          kind,
          drawer(`${merchant.slug}|${kind.name}|${attempt}`),
        );
        if (titles.has(item.title)) continue;
        titles.add(item.title);
        items.push(item);
      }
    }
  }
  return items;
}

function makeItem(
  merchant: DemoMerchant,
  shelf: DemoShelf,
  kind: DemoKind,
  draw: Draw,
): CatalogItem {
  const sizes = kind.sizes ?? shelf.sizes ?? [];
  const words = {
    brand: draw.pick(kind.brands ?? shelf.brands) ?? merchant.name,
    style: draw.pick(kind.styles) ?? '',
    material: draw.pick(kind.materials) ?? '',
    color: draw.pick(kind.colors ?? shelf.colors),
    who: draw.pick(kind.who ?? shelf.who ?? []),
    size: draw.pick(sizes),
  };
  // A storefront keeps its sizes as variants; a feed has one row for each.
  const hasVariants = merchant.storefront === true && sizes.length > 0;
  const title = titleOf(shelf, kind, words, hasVariants);
  const handle = slugOf(title);
  const [low, high] = kind.price;
  const price = shopPrice(low + (high - low) * draw.next() ** 1.6);
  const isSale = draw.next() < 0.22;
  const inStock = draw.next() < 0.95;
  const variants = hasVariants
    ? sizes.map((size) => ({
        id: variantId(handle, size),
        title: size,
        priceMicros: price,
        available: inStock && draw.next() < 0.85,
      }))
    : [];
  const available = variants.find((variant) => variant.available);
  return {
    externalId: handle,
    groupId: null,
    title,
    brand: words.brand,
    category: kind.path,
    description: describe(kind, shelf, words, draw),
    color: words.color,
    sizes: hasVariants
      ? variants.filter((variant) => variant.available).map((variant) => variant.title)
      : words.size === null
        ? []
        : [words.size],
    gender: words.who,
    attributes: { material: words.material },
    currency: merchant.currency,
    priceMicros: price,
    salePriceMicros: isSale ? shopPrice((price / 1_000_000) * (0.62 + draw.next() * 0.28)) : null,
    saleStartsAt: null,
    saleEndsAt: null,
    regularPublished: true,
    inStock: hasVariants ? available !== undefined : inStock,
    imageUrl: `/demo-store/images/${merchant.slug}/${handle}.png`,
    pageUrl: `/demo-store/${merchant.slug}/products/${handle}`,
    ...checkoutOf(merchant, handle, available),
    variants,
  };
}

function checkoutOf(
  merchant: DemoMerchant,
  handle: string,
  available: CatalogVariant | undefined,
): Pick<CatalogItem, 'checkoutItemId' | 'continueUrl'> {
  if (merchant.storefront !== true) return { checkoutItemId: null, continueUrl: null };
  const id = available?.id ?? variantId(handle, null);
  return { checkoutItemId: id, continueUrl: `/demo-store/cart/${encodeURIComponent(id)}:1` };
}

export function variantId(handle: string, size: string | null): string {
  return size === null ? `demo-variant/${handle}` : `demo-variant/${handle}/${slugOf(size)}`;
}

interface Words {
  brand: string;
  style: string;
  material: string;
  color: string | null;
  who: string | null;
  size: string | null;
}

function titleOf(shelf: DemoShelf, kind: DemoKind, words: Words, hasVariants: boolean): string {
  if (shelf.shelf === 'books_media')
    return `${words.style} – ${kind.name}, ${capital(words.material)} (${words.brand})`;
  const name = [
    words.brand,
    ...(words.who === null ? [] : [words.who]),
    words.style,
    kind.name,
  ].join(' ');
  const details = [words.color, hasVariants ? null : words.size].filter(
    (detail) => detail !== null,
  );
  return details.length === 0 ? name : `${name}, ${details.join(', ')}`;
}

function describe(kind: DemoKind, shelf: DemoShelf, words: Words, draw: Draw): string {
  const first = Math.floor(draw.next() * shelf.points.length);
  const points = [0, 1, 2].map(
    (step) => shelf.points[(first + step * 2) % shelf.points.length] ?? '',
  );
  return `${kind.about} Made with ${words.material}. ${[...new Set(points)].join(' ')}`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** 47.31 becomes 46.95, 312.4 becomes 312: prices as shops write them, in micros. */
function shopPrice(amount: number): number {
  const whole = Math.max(2, Math.round(amount));
  return whole < 100 ? (whole - 1) * 1_000_000 + 950_000 : whole * 1_000_000;
}

interface Draw {
  next(): number;
  pick<T>(list: readonly T[]): T | null;
}

function drawer(seed: string): Draw {
  let hash = 2166136261;
  for (let at = 0; at < seed.length; at += 1)
    hash = Math.imul(hash ^ seed.charCodeAt(at), 16777619);
  const next = createRandom(hash);
  return { next, pick: (list) => list[Math.floor(next() * list.length)] ?? null };
}
