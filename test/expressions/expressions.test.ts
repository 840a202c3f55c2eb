import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { checkerVerdict, type Verdict, verdictFile } from './checker.js';
import { slowestText } from './growth.js';
import { type SourceExpression, sourceExpressions } from './source-expressions.js';

/** Where texts are cut to a length before any expression of the file meets them. */
const boundedFiles: Readonly<Record<string, number>> = {
  // Longer messages pass without being read here.
  'src/domain/matching/commercial-need.js': 400,
};

/**
 * Made while the server runs, from words that are escaped first: each with what one looks like.
 */
const lateOnes: Readonly<Record<string, RegExp>> = {
  'src/domain/ad-writing/claims.js': /(?<![a-z0-9])word(?![a-z0-9])/,
  'src/domain/text/script-elements.js': /<\/(?:script|style)\s*>/gi,
  'src/platform/http/route-list.js': /^\/api\/v1\/campaigns\/[^/]+\/ad-groups\/[^/]+$/,
  'src/surfaces/pixel-verification/find-script.js':
    /(?:^|\s)src\s{0,9}=\s{0,9}(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i,
};

const { expressions, late } = await sourceExpressions();
// The script below wrote this file.
const known = JSON.parse(readFileSync(verdictFile, 'utf8')) as Record<string, Verdict>;
const nameOf = ({ source, flags }: SourceExpression): string => `/${source}/${flags}`;
const boundOf = ({ file }: SourceExpression): number | undefined => boundedFiles[file];

describe('expressions of the source', () => {
  it(`none of the ${expressions.length} takes more than twice as long for twice the text`, () => {
    const slow = [
      ...expressions,
      ...Object.entries(lateOnes).map(([file, { source, flags }]) => ({ file, source, flags })),
    ].flatMap((entry) => {
      const found = slowestText(new RegExp(entry.source, entry.flags), boundOf(entry));
      return found === null ? [] : [{ file: entry.file, expression: nameOf(entry), ...found }];
    });
    assert.deepEqual(slow, []);
  });

  it('none is known to the checker as one that can be made slow', () => {
    // What the file does not hold is new since `node scripts/check-expressions.mjs` ran.
    const vulnerable = expressions.filter(
      (entry) =>
        boundOf(entry) === undefined &&
        (known[nameOf(entry)] ?? checkerVerdict(entry)) === 'vulnerable',
    );
    assert.deepEqual(
      vulnerable.map((entry) => `${entry.file}: ${nameOf(entry)}`),
      [],
    );
  });

  it('those made while the server runs are the few known here', () => {
    assert.deepEqual([...new Set(late.map(({ file }) => file))].sort(), Object.keys(lateOnes));
  });

  it('the check finds what it is there to find', () => {
    for (const hostile of [/a*x/, /^(?:a+)+$/, /\s+$/, /<[^>]*>/g])
      assert.ok(slowestText(hostile, 16_384) !== null, String(hostile));
    assert.equal(slowestText(/[a-z]+/g), null);
  });
});
