import { isRecord } from '../../domain/is-record.js';
import { nameMeant } from '../../domain/text/name-meant.js';
import { AppError } from '../../platform/errors.js';
import { ToolSearch } from './schema.js';

const known: ReadonlySet<string> = new Set(Object.keys(ToolSearch.properties));

/** What may be meant by a slip; the names left out are near words that mean something else. */
const meant = ['query', 'search_id', 'context', 'metadata', 'monetization'] as const;

/** What a need is read by, and how others name it. */
const facts: readonly (readonly [name: Fact, ...others: string[]])[] = [
  ['framework', 'frameworks'],
  ['language', 'languages'],
  ['constraints', 'constraint'],
];
type Fact = 'framework' | 'language' | 'constraints';

/**
 * A search with what was said in a place of its own: a framework beside `query` is meant as part of
 * the context. A name that is nearly one of ours is told; everything else stays ignored.
 */
export function readSearch(body: ToolSearch): ToolSearch {
  const sent = Object.entries(body).filter(([name, value]) => !known.has(name) && value !== null);
  const context: Record<string, unknown> = isRecord(body.context) ? body.context : {};
  const found: Record<string, unknown> = {};
  for (const [name, ...others] of facts) {
    if (context[name] != null) continue;
    const value = [
      ...others.map((other) => context[other]),
      ...[name, ...others].map((other) => sent.find(([each]) => each === other)?.[1]),
    ].find(isWords);
    if (value !== undefined) found[name] = value;
  }
  const slips = sent.flatMap(([name]) => {
    const wanted = nameMeant(name, meant);
    return wanted === null || Object.hasOwn(body, wanted) ? [] : [{ name, wanted }];
  });
  if (slips.length > 0)
    throw new AppError('validation_failed', {
      detail: slips.map(({ name, wanted }) => ({
        type: 'unknown_field',
        loc: ['body', name],
        msg: `Unknown field; did you mean ${wanted}?`,
      })),
    });
  return Object.keys(found).length === 0 ? body : { ...body, context: { ...context, ...found } };
}

/** As much as `context` itself takes. */
function isWords(value: unknown): value is string | string[] {
  const isWord = (each: unknown): each is string => typeof each === 'string' && each.length <= 200;
  return isWord(value) || (Array.isArray(value) && value.length <= 20 && value.every(isWord));
}
