// Prices as feeds write them. Amounts are kept as decimal text until the last step: 0.1 + 0.2 never
// happens.

export interface Money {
  micros: number;
  currency: string;
}

const threeDigits = new Set(['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND']);
const noDigits = new Set([
  'BIF',
  'CLP',
  'DJF',
  'GNF',
  'ISK',
  'JPY',
  'KMF',
  'KRW',
  'PYG',
  'RWF',
  'UGX',
  'UYI',
  'VND',
  'VUV',
  'XAF',
  'XOF',
  'XPF',
]);

/** Decimal places of a currency's smallest unit. */
export function minorDigits(currency: string): number {
  return noDigits.has(currency) ? 0 : threeDigits.has(currency) ? 3 : 2;
}

export function microsOfMinor(amount: number, currency: string): number {
  return amount * 10 ** (6 - minorDigits(currency));
}

/** To the nearest smallest unit. */
export function minorOfMicros(micros: number, currency: string): number {
  return Math.round(micros / 10 ** (6 - minorDigits(currency)));
}

/** No price needs more; longer texts come from feeds that try us. */
const longestPrice = 100;

/**
 * "1,299.00", "1.299,00", "15": the last separator followed by one or two digits is the decimal
 * one. Three digits after a point are thousands, "1.299 EUR", where the currency is known and has
 * no such fractions. Null when it is no amount.
 */
export function microsOfAmount(text: string, currency?: string): number | null {
  if (text.length > longestPrice) return null;
  const bare = text.replace(/[\s\u00a0\u202f'’]/g, '');
  if (!/^\d[\d.,]*$/.test(bare)) return null;
  const isThousands =
    currency !== undefined && minorDigits(currency) < 3 && /^[1-9]\d{0,2}\.\d{3}$/.test(bare);
  const decimal = isThousands
    ? null
    : (/[.,](\d{1,2})$/.exec(bare) ?? /^(?:\d+)\.(\d{3,6})$/.exec(bare));
  const fraction = decimal?.[1] ?? '';
  const whole = (
    decimal === null ? bare : bare.slice(0, bare.length - fraction.length - 1)
  ).replace(/[.,]/g, '');
  const micros = Number(whole) * 1_000_000 + Number(fraction.padEnd(6, '0'));
  return Number.isSafeInteger(micros) ? micros : null;
}

const signs: Readonly<Record<string, string>> = {
  $: 'USD',
  US$: 'USD',
  '€': 'EUR',
  '£': 'GBP',
  '¥': 'JPY',
};

/** "15.00 USD", "USD 15.00", "€15,00"; a bare number takes the currency given, if any. */
export function parsePrice(text: string, fallbackCurrency: string | null = null): Money | null {
  if (text.length > longestPrice) return null;
  const bare = text.trim();
  const before = /^(?:US\$|[$€£¥]|[A-Za-z]{3})/.exec(bare)?.[0];
  const rest = bare.slice(before?.length ?? 0);
  const after = /(?:[$€£¥]|[A-Za-z]{3})$/.exec(rest)?.[0];
  const name = after ?? before;
  const currency = name === undefined ? fallbackCurrency : (signs[name] ?? name.toUpperCase());
  if (currency === null) return null;
  const micros = microsOfAmount(rest.slice(0, rest.length - (after?.length ?? 0)), currency);
  return micros === null ? null : { micros, currency };
}
