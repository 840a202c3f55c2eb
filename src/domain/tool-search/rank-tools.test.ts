import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, describe, it } from 'node:test';
import fc from 'fast-check';
import { readTools } from '../../platform/catalog-folder/read-tools.js';
import { constraintsSet, failedBy } from './constraints.js';
import { explainChoice } from './explain-choice.js';
import { createMentionFinder, type FindMentions } from './find-mentions.js';
import { type NeedState, takeTurn, type Turn } from './need-state.js';
import { type Ranking, rankTools } from './rank-tools.js';
import { type NeedContext, readNeed } from './read-need.js';
import type { Tool } from './tool.js';
import { createToolIndex, type ToolIndex } from './tool-index.js';

interface JudgedNeed {
  need: string;
  category: string[];
  tools: string[];
  context?: NeedContext;
}

const needs = JSON.parse(
  readFileSync(new URL('../../../../test/fixtures/tool-needs.json', import.meta.url), 'utf8'),
) as JudgedNeed[]; // the file has this shape

describe('choosing a tool by words', () => {
  let tools: Tool[];
  let index: ToolIndex;
  let findMentions: FindMentions;
  before(async () => {
    tools = await readTools();
    index = createToolIndex(tools);
    findMentions = createMentionFinder(tools);
  });

  function ask(
    query: string,
    before: NeedState | null = null,
    context: NeedContext = {},
  ): { turn: Turn; ranking: Ranking; tool: Tool | null; after: NeedState; reasoning: string } {
    const turn = takeTurn(before, readNeed(query, findMentions), context, {
      find: index.find,
      named: index.named,
      topicOf: (text) => index.evidenceFor(text, null),
    });
    const establishedIn = turn.isNewNeed ? null : (before?.category ?? null);
    const ranking = rankTools(index, turn.state, index.evidenceFor(turn.text, null), {
      named: turn.named,
      cheaperThan: turn.cheaperThan,
      establishedIn,
    });
    const tool = ranking.ranked[0]?.tool ?? null;
    const previous = index.find(turn.state.shown.at(-1) ?? '') ?? null;
    const reasoning = explainChoice(ranking, turn.state, {
      named: turn.named,
      cheaperThan: turn.cheaperThan,
      previous,
    });
    return {
      turn,
      ranking,
      tool,
      reasoning,
      after: {
        ...turn.state,
        shown: tool === null ? turn.state.shown : [...turn.state.shown, tool.slug],
        category: tool?.category ?? turn.state.category,
      },
    };
  }

  it('judged needs get the right category 95 times and an acceptable tool 85 times in a hundred', () => {
    const chosen = needs.map(({ need, context }) => ask(need, null, context).tool);
    const share = (isRight: (need: JudgedNeed, tool: Tool) => boolean): number =>
      chosen.filter((tool, at) => tool !== null && isRight(needs[at] as JudgedNeed, tool)).length /
      needs.length; // as many as needs
    assert.ok(share(({ category }, tool) => category.includes(tool.category)) >= 0.95);
    assert.ok(share((need, tool) => need.tools.includes(tool.slug)) >= 0.85);
  });

  it('every judged tool exists', () => {
    for (const { tools: slugs } of needs)
      for (const slug of slugs) assert.ok(index.find(slug) !== undefined, slug);
  });

  it('whatever is said, constraints hold and nothing shown or refused comes back unasked', () => {
    const phrases = [
      'cheaper',
      'self-hosted',
      'open source',
      'for Python',
      'for a Rails app',
      'with a free tier',
      'something with EU hosting',
      'another',
      'not that one',
      'managed',
      'not Stripe',
      'it need not be open source',
      'hosted in the US',
      'for Flutter',
    ];
    fc.assert(
      fc.property(
        fc.constantFrom(...needs.map(({ need }) => need)),
        fc.array(fc.constantFrom(...phrases), { minLength: 1, maxLength: 6 }),
        (need, followUps) => {
          let { after: state } = ask(need);
          for (const phrase of followUps) {
            const { turn, ranking, after, tool } = ask(phrase, state);
            for (const each of turn.named === null ? ranking.ranked : ranking.ranked.slice(1)) {
              assert.deepEqual(
                failedBy(each.tool, turn.state.constraints),
                [],
                `${need} / ${phrase}: ${each.tool.slug}`,
              );
              assert.ok(
                !state.shown.includes(each.tool.slug) &&
                  !turn.state.refused.includes(each.tool.slug),
                `${need} / ${phrase}: ${each.tool.slug} again`,
              );
            }
            if (tool === null) assert.equal(ranking.answer, 'none');
            state = after;
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('a follow-up sets conditions on the same need, or moves to another', () => {
    const first = ask('send password reset emails from my Next.js app');
    assert.deepEqual(constraintsSet(first.after.constraints), ['frameworks']);
    const python = ask('for Python', first.after);
    assert.deepEqual(python.after.constraints.languages, ['python']);
    assert.deepEqual(python.after.constraints.frameworks, []);
    assert.equal(python.tool?.category, 'Email');
    const managed = ask('managed instead', ask('self-hosted', python.after).after);
    assert.deepEqual(
      [managed.after.constraints.selfHosted, managed.after.constraints.managed],
      [false, true],
    );
    const other = ask('now I also need a database for it', managed.after);
    assert.equal(other.turn.isNewNeed, true);
    assert.equal(other.tool?.category, 'Database');
    assert.deepEqual(other.after.constraints.languages, ['python']);
  });

  it('cheaper means a lower price level, or says that there is none', () => {
    for (const { need } of needs) {
      const first = ask(need);
      if (first.tool === null) continue;
      const next = ask('cheaper', first.after);
      if (next.tool === null || first.tool.facts.price_level === null) continue;
      if (next.ranking.isPriceRelaxed)
        assert.match(next.reasoning, /Nothing that fits is known to be cheaper/);
      else
        assert.ok(
          (next.tool.facts.price_level ?? 9) < first.tool.facts.price_level,
          `${need}: ${first.tool.slug} → ${next.tool.slug}`,
        );
    }
  });

  it('reasons name only what the tool index says', () => {
    for (const { need } of needs) {
      const { tool, reasoning } = ask(need);
      if (tool === null) continue;
      const own = reasoning.split(/Traded off|was the next best/)[0] ?? '';
      assert.ok(own.includes(tool.name), reasoning);
      if (/It [^.]*is open source/.test(own)) assert.ok(tool.facts.open_source);
      if (/It [^.]*can be self-hosted/.test(own)) assert.ok(tool.facts.self_hostable);
      if (/It [^.]*has a free tier/.test(own)) assert.equal(tool.facts.free_tier, true);
      assert.match(
        own,
        new RegExp(
          tool.needs.map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|') +
            '|You asked for',
        ),
      );
    }
  });

  it('an alternative to a tool is like it and not it', () => {
    for (const [query, category] of [
      ['alternative to Google Analytics', 'Analytics'],
      ['something like Heroku but on my own server', 'Hosting'],
      ['replacement for Auth0, open source', 'Auth'],
      ['moving off Firebase', 'Database'],
    ] as const) {
      const { tool } = ask(query);
      assert.equal(tool?.category, category, query);
      assert.ok(!query.includes(tool.name), query);
    }
  });

  it('what is no developer’s need gets nothing', () => {
    for (const query of [
      'write a poem about autumn',
      'my cat is sick, find a vet',
      'cheap flights to Tokyo',
      'hello',
      'how tall is Mount Everest',
      'asdf qwer zxcv',
    ])
      assert.equal(ask(query).tool, null, query);
  });

  it('nothing left under the conditions says which one fails', () => {
    const { tool, ranking, reasoning } = ask('accept card payments online', null, {
      constraints: ['open source', 'hosted in Asia'],
      language: 'dart',
    });
    if (tool === null && ranking.nearMiss !== null)
      assert.match(reasoning, /is not known to offer/);
  });

  it('a favoured tool wins only against one that is hardly better', () => {
    const query = 'sms verification codes';
    const turn = takeTurn(
      null,
      readNeed(query, findMentions),
      {},
      { find: index.find, named: index.named, topicOf: (text) => index.evidenceFor(text, null) },
    );
    const evidence = index.evidenceFor(turn.text, null);
    const plain = rankTools(index, turn.state, evidence, { named: null, limit: 40 }).ranked;
    for (const { tool, score } of plain.slice(1)) {
      const [first] = rankTools(index, turn.state, evidence, {
        named: null,
        favoured: new Set([tool.slug]),
      }).ranked;
      assert.equal(
        first?.tool.slug === tool.slug,
        (plain[0]?.score ?? 0) - score < 0.04,
        tool.slug,
      );
    }
  });
});
