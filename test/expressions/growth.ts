/** What an expression may take for the longest text before its growth is measured. */
const quickMs = 6;
const usualLength = 4096;
/** Short texts first and in small steps: what doubles with every letter must not hang the check. */
const lengths = [8, 12, 16, 20, 24, 28, 512];
/** Twice the text, twice the time; four times with an expression that tries every place again. */
const mostGrowth = 2.9;
const letters = ['a', '1', ' ', '\n', '-', '.', '<', 'é'];

export interface SlowText {
  readonly text: string;
  readonly length: number;
  readonly ms: number;
  readonly growth: number;
}

/**
 * The text an expression is slow on, or null when it stays quick: for texts it knows the parts of,
 * and before an end it does not want, twice the length may at most take twice the time.
 */
export function slowestText(expression: RegExp, longest = usualLength): SlowText | null {
  for (const make of hostileTexts(expression)) {
    for (const length of [...lengths, longest]) {
      if (length > longest) continue;
      const ms = fastest(expression, make(length));
      if (ms <= quickMs) continue;
      const growth = ms / Math.max(0.001, fastest(expression, make(length / 2)));
      if (growth > mostGrowth)
        return { text: make(length).slice(0, 60), length, ms: Math.round(ms), growth };
    }
  }
  return null;
}

/** Other work on the machine makes single runs slow, never all of them. */
function fastest(expression: RegExp, text: string): number {
  let best = Infinity;
  for (let run = 0; run < 5 && best > quickMs / 2; run += 1) {
    const started = performance.now();
    expression.lastIndex = 0;
    if (expression.global) text.replace(expression, '');
    else expression.exec(text);
    best = Math.min(best, performance.now() - started);
  }
  return best;
}

function* hostileTexts(expression: RegExp): Generator<(length: number) => string> {
  for (const piece of piecesOf(expression.source)) {
    for (const start of ['', '1'])
      yield (length) =>
        `${start}${piece.repeat(Math.max(1, Math.floor(length / piece.length)))}\u0000z`;
  }
}

/** Words and letters of the expression itself, and letters most expressions know. */
function piecesOf(source: string): Iterable<string> {
  const plain = source
    .replace(/\\[bBdDwWsS]|\\[pP]\{[^}]{1,40}\}|\(\?<?[=!:]|\(\?<\w{1,40}>/g, '\uffff')
    .replace(/\\(.)/g, '$1');
  const own = [...new Set(plain.replace(/[\uffff()[\]|*+?{}^$a-z]/g, ''))].slice(0, 8);
  const words = [...new Set(plain.match(/[a-zA-Z<][a-zA-Z ]{1,20}/g))].slice(0, 4);
  return new Set([
    ...letters,
    ...own,
    ...own.map((sign) => `${sign} `),
    ...words.flatMap((word) => [word, `${word} `]),
    'a ',
    'x ',
    '1,',
    'a@',
    'a.',
    '--1',
    '\\"',
  ]);
}
