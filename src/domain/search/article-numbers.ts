/** Thirteen figures, or ten of which the last may be an X, with hyphens or spaces between. */
const spaced = /(?<![\w-])\d(?:[- ]?\d){8}(?:[- ]?\d){0,3}[- ]?[\dx](?![\w-])/gi;

/** "36 37 38 39 40" are sizes: the last letter of a book’s number stands alone, or no one does. */
const endsAlone = /[- ][\dx]$|^\w+$/i;

/**
 * "978-3-16-148410-0" is the number that stands in a feed as 9783161484100. What it ends with tells
 * a number of an article from other figures in a row: sizes, quantities, years.
 */
export function joinArticleNumbers(text: string): string {
  return text.replace(spaced, (written) => {
    const whole = written.replace(/[- ]/g, '');
    const isOne =
      whole.length === 10 ? endsAlone.test(written) && isBookNumber(whole) : isArticleNumber(whole);
    return isOne ? whole : written;
  });
}

function isArticleNumber(text: string): boolean {
  return /^\d{13}$/.test(text) && sumOf(text, (at) => (at % 2 === 0 ? 1 : 3)) % 10 === 0;
}

/** As books were numbered before 2007. */
function isBookNumber(text: string): boolean {
  return sumOf(text, (at) => 10 - at) % 11 === 0;
}

function sumOf(text: string, weight: (at: number) => number): number {
  let sum = 0;
  for (const [at, letter] of [...text].entries())
    sum += weight(at) * (letter.toLowerCase() === 'x' ? 10 : Number(letter));
  return sum;
}
