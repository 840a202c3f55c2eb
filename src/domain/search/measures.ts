// "27 inch", 27", "27in" and "27-inch" are one thing; so are "16 GB" and "16gb".
import { pairsOf } from '../text/read-words.js';
import { wordLists } from './word-lists.js';

const unitNames: ReadonlyMap<string, string> = new Map(
  pairsOf(wordLists.units).flatMap(([unit, [names = '']]) =>
    names.split(' ').map((name): [string, string] => [name, unit]),
  ),
);

const plainNumber = /^\d+(?:\.\d+)?(?:\/\d+)?$/;
const numberThenUnit = /^(\d+(?:\.\d+)?)([a-z]+)$/;

export function isNumber(word: string): boolean {
  return plainNumber.test(word);
}

/** `number` and the word after it as one measure ("27inch"), or '' when the word is no unit. */
export function measureOf(number: string, unit: string): string {
  const name = unitNames.get(unit);
  return name === undefined || !isNumber(number) ? '' : withoutTrailingZero(number) + name;
}

/** A measure written as one word ("16gb", "27in") in its usual form, or ''. */
export function attachedMeasure(word: string): string {
  const parts = numberThenUnit.exec(word);
  return parts === null ? '' : measureOf(parts[1] ?? '', parts[2] ?? '');
}

/** The same amount in the unit another shop would use: 1tb and 1000gb. */
export function equalMeasures(measure: string): string[] {
  const parts = numberThenUnit.exec(measure);
  if (parts === null) return [];
  const amount = Number(parts[1]);
  switch (parts[2]) {
    case 'tb':
      return [`${amount * 1000}gb`, `${amount * 1024}gb`];
    case 'gb':
      return amount >= 1000 && amount % 1000 === 0
        ? [`${amount / 1000}tb`]
        : amount >= 1024 && amount % 1024 === 0
          ? [`${amount / 1024}tb`]
          : [];
    case 'ft':
      return amount <= 10 ? [`${amount * 12}inch`] : [];
    case 'count':
      return [`${parts[1] ?? ''}pack`, `${parts[1] ?? ''}piece`];
    case 'pack':
      return [`${parts[1] ?? ''}count`, `${parts[1] ?? ''}piece`];
    case 'piece':
      return [`${parts[1] ?? ''}pack`, `${parts[1] ?? ''}count`];
    default:
      return [];
  }
}

function withoutTrailingZero(number: string): string {
  return number.includes('.') ? number.replace(/(?<!0)0+$/, '').replace(/\.$/, '') : number;
}
