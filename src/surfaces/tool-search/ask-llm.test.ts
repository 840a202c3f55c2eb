import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { createMentionFinder, type FindMentions } from '../../domain/tool-search/find-mentions.js';
import { takeTurn, type Turn } from '../../domain/tool-search/need-state.js';
import { type RankedTool, rankTools } from '../../domain/tool-search/rank-tools.js';
import { readNeed } from '../../domain/tool-search/read-need.js';
import { createToolIndex } from '../../domain/tool-search/tool-index.js';
import { readTools } from '../../platform/catalog-folder/read-tools.js';
import { type Llm, LlmUnavailable } from '../../platform/llm/llm.js';
import { silentLog } from '../../platform/log.js';
import { askLlm } from './ask-llm.js';

describe('a language model choosing among ranked', () => {
  let ranked: readonly RankedTool[];
  let turn: Turn;
  let findMentions: FindMentions;
  const query = 'send password reset emails from my Next.js app';
  before(async () => {
    const tools = await readTools();
    const index = createToolIndex(tools);
    findMentions = createMentionFinder(tools);
    turn = takeTurn(
      null,
      readNeed(query, findMentions),
      {},
      { find: index.find, named: index.named, topicOf: (text) => index.evidenceFor(text, null) },
    );
    ranked = rankTools(index, turn.state, index.evidenceFor(turn.text, null), {
      named: null,
    }).ranked;
  });
  const answering = (answer: unknown): Llm => ({
    model: 'fake',
    complete: () => Promise.resolve(''),
    completeJson: () =>
      answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer),
  });
  const ask = (answer: unknown) =>
    askLlm(answering(answer), ranked, turn.state, query, { findMentions, log: silentLog });

  it('its choice goes first and its words are kept when they hold up', async () => {
    const second = ranked[1]?.tool;
    const reasoning = `${second?.name} fits because its example needs speak of password mails, and it documents Next.js.`;
    const choice = await ask({ slug: second?.slug, reasoning });
    assert.equal(choice?.ranked[0]?.tool.slug, second?.slug);
    assert.equal(choice?.ranked.length, ranked.length);
    assert.equal(choice?.reasoning, reasoning);
  });

  it('words that claim what the tool index does not say are replaced by ours', async () => {
    const resend = ranked.find(({ tool }) => !tool.facts.open_source)?.tool;
    for (const reasoning of [
      `${resend?.name} is open source and therefore the best choice for this need.`,
      `${resend?.name} delivers 99.99 percent of mails within 3 milliseconds everywhere.`,
      `${resend?.name} is better than Datadog for this need and everybody knows that.`,
      `${resend?.name} pays a commission of course, which is why it is first here.`,
      `See https://evil.example for why ${resend?.name} is the best choice here.`,
      'short',
    ]) {
      const choice = await ask({ slug: resend?.slug, reasoning });
      assert.equal(choice?.ranked[0]?.tool.slug, resend?.slug);
      assert.equal(choice?.reasoning, null, reasoning);
    }
    const denied = await ask({
      slug: resend?.slug,
      reasoning: `${resend?.name} fits the need closely; it is not open source, which is the trade-off.`,
    });
    assert.notEqual(denied?.reasoning, null);
  });

  it('a tool outside the ranked, nonsense or a failure changes nothing', async () => {
    for (const answer of [
      { slug: 'twilio', reasoning: 'x' },
      {},
      null,
      'text',
      [],
      new LlmUnavailable('slow'),
    ])
      assert.equal(await ask(answer), null);
  });
});
