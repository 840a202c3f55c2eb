import { readMatchingLists } from '../../src/platform/catalog-folder/read-matching-lists.js';
import type { Reader } from '../../src/platform/embedding/create-reader.js';
import { silentLog } from '../../src/platform/log.js';
import { createAdMatcher } from '../../src/surfaces/serving/deciding/ad-matcher.js';

/** Ad groups, what people say who want one of them, and what people say who want none. */
export type JudgedConversations = {
  groups: { id: string; context: string }[];
  /** Several wanted: any of them is right. */
  positive: { text: string; want: string | string[] }[];
  /** Small talk. */
  negative: { text: string }[];
  /** Orders to the assistant and questions of knowledge. */
  other?: { text: string }[];
};

export type Verdict = {
  /** Of the ads shown, how many were the wanted one. */
  precision: number;
  /** Of those who wanted one, how many got it. */
  right: number;
  servedOnSmallTalk: number;
  servedOnOther: number;
  /** Share of people who were shown something when the one ad they wanted does not exist. */
  servedWithoutWanted: number;
  mistakes: string[];
};

/** What a publisher without a baseline of its own asks for. */
export const usualBaseline = 0.5;

/** Runs every text as a conversation of its own. */
export async function judgeMatching(
  judged: JudgedConversations,
  reader: Reader,
  threshold = usualBaseline,
): Promise<Verdict> {
  const matcher = createAdMatcher({
    reader,
    lists: readMatchingLists(),
    embedStored: (texts) => reader.embed(texts),
    log: silentLog,
  });
  for (const [slot, { context }] of judged.groups.entries())
    matcher.set(slot, { context, brand: '', adText: '', landingTerms: '', negativeContext: '' });
  await matcher.settled();

  async function shownFor(text: string, without: readonly string[] = []): Promise<string | null> {
    const query = await matcher.read([{ role: 'user', content: text }], []);
    const best = matcher
      .match(query, 64)
      .find(({ slot }) => !without.includes(judged.groups[slot]!.id));
    return best !== undefined && best.relevance >= threshold ? judged.groups[best.slot]!.id : null;
  }

  const mistakes: string[] = [];
  let [shown, right, missing] = [0, 0, 0];
  for (const { text, want: wanted } of judged.positive) {
    const got = await shownFor(text);
    const want = [wanted].flat();
    if (got !== null) shown++;
    if (got !== null && want.includes(got)) right++;
    else mistakes.push(`${want.join(' or ')} ← ${got ?? 'nothing'}: ${text}`);
    if ((await shownFor(text, want)) !== null) missing++;
  }
  const servedOn = async (texts: readonly { text: string }[]): Promise<number> => {
    let served = 0;
    for (const { text } of texts) {
      const got = await shownFor(text);
      if (got === null) continue;
      served++;
      mistakes.push(`nothing ← ${got}: ${text}`);
    }
    return served;
  };
  const small = await servedOn(judged.negative);
  const other = await servedOn(judged.other ?? []);
  return {
    precision: right / Math.max(1, shown + small),
    right: right / judged.positive.length,
    servedOnSmallTalk: small / Math.max(1, judged.negative.length),
    servedOnOther: other / Math.max(1, judged.other?.length ?? 0),
    servedWithoutWanted: missing / judged.positive.length,
    mistakes,
  };
}
