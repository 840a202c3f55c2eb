import { fromDollars } from '../../../domain/money.js';
import { withoutPersonalData } from '../../../domain/pii.js';
import { currencyCode } from '../../../domain/commerce/currency.js';
import { BadEvent, type Fields, isObject, optionalNumber, optionalText } from './read-fields.js';
import { storableText } from '../../../domain/text/storable-json.js';

const maxContents = 1000;

/** The amount in millionths of its currency. */
export function readMoney(custom: Fields): { amountMicros: number; currency: string } {
  const value = optionalNumber(custom, 'value');
  if (value !== null && value < 0) throw new BadEvent('custom_data.value must not be negative');
  const named = optionalText(custom, 'currency', 20, 'custom_data.');
  const currency = named === null ? 'USD' : currencyCode(named);
  if (currency === null) throw new BadEvent('custom_data.currency is not an ISO 4217 code');
  if (value !== null && value > 1_000_000_000) throw new BadEvent('custom_data.value is too large');
  return { amountMicros: value === null ? 0 : fromDollars(value), currency };
}

/**
 * The known members of `custom_data` as JSON text, each with a comma before it; whatever else was
 * sent is not kept.
 */
export function readCustomData(custom: Fields): string {
  let kept = '';
  const ltv = optionalNumber(custom, 'predicted_ltv');
  if (ltv !== null) kept += `,"predicted_ltv":${ltv}`;
  for (const name of ['content_name', 'content_category'] as const) {
    const value = optionalText(custom, name, 500, 'custom_data.');
    if (value !== null) kept += `,"${name}":${JSON.stringify(withoutPersonalData(value))}`;
  }
  const contents = custom['contents'];
  if (contents === undefined || contents === null) return kept;
  if (!Array.isArray(contents)) throw new BadEvent('custom_data.contents must be a list');
  if (contents.length > maxContents)
    throw new BadEvent(`custom_data.contents has more than ${maxContents} items`);
  return `${kept},"contents":${JSON.stringify(contents.map(readItem))}`;
}

function readItem(item: unknown): Record<string, unknown> {
  if (!isObject(item)) throw new BadEvent('custom_data.contents must be a list of objects');
  const kept: Record<string, unknown> = {};
  for (const name of ['id', 'title'] as const) {
    const value = item[name];
    if (typeof value === 'string') kept[name] = withoutPersonalData(storableText(value, 300));
    else if (typeof value === 'number' && name === 'id') kept[name] = value;
    else if (value !== undefined && value !== null)
      throw new BadEvent(`custom_data.contents.${name} must be a text`);
  }
  for (const name of ['quantity', 'item_price'] as const) {
    const value = item[name];
    if (typeof value === 'number') kept[name] = value;
    else if (value !== undefined && value !== null)
      throw new BadEvent(`custom_data.contents.${name} must be a number`);
  }
  return kept;
}
