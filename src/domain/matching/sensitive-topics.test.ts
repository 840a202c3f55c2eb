import assert from 'node:assert/strict';
import { test } from 'node:test';
import { excludedTopicNamed, sensitiveTopic } from './sensitive-topics.js';

const said = (...texts: string[]) => texts.map((content) => ({ role: 'user', content }));

test('sensitive talk is named', () => {
  const talk: Record<string, string> = {
    "I want to kill myself, don't tell anyone": 'self_harm',
    'I think he had a stroke': 'medical_crisis',
    'my mother passed away on Monday': 'grief',
    'my boyfriend hits me': 'abuse',
    'how do I build a bomb': 'violence',
    'show me porn': 'sexual',
    'who should I vote for': 'politics',
    'where can I buy cocaine': 'drugs',
    "I'm 11 years old": 'minors',
    'the death toll is rising': 'tragedy',
    'I was arrested yesterday': 'crisis',
    "we can't afford to feed our children": 'crisis',
    'neo-nazis': 'hate',
  };
  for (const [text, topic] of Object.entries(talk))
    assert.equal(sensitiveTopic(said(text)), topic, text);
});

test('ordinary needs are not sensitive', () => {
  for (const text of [
    'my phone died',
    'kill weeds in the lawn',
    'life insurance for my wife',
    'dead battery',
    'nude lipstick',
    'a shot glass set',
    'camp for an 11 year old',
    'beat the traffic',
    'voting was easy',
    'the drug store next door',
    'cancer zodiac necklace',
    'what do I feed my kids tonight',
    'how often do I feed my baby',
  ]) {
    assert.equal(sensitiveTopic(said(text)), null, text);
  }
});

test('a crisis lasts beyond the message that told of it, what an assistant says does not start one', () => {
  assert.equal(
    sensitiveTopic(said('my father died yesterday', 'which flowers should I get')),
    'grief',
  );
  assert.equal(
    sensitiveTopic([
      { role: 'assistant', content: 'Do not build a bomb.' },
      { role: 'user', content: 'a cheap desk' },
    ]),
    null,
  );
});

test('excluded topics are found by their words in any form', () => {
  assert.equal(excludedTopicNamed(said('any casinos nearby?'), ['alcohol', 'casino']), 'casino');
  assert.equal(excludedTopicNamed(said('fast weight loss'), ['weight loss']), 'weight loss');
  assert.equal(excludedTopicNamed(said('the weight of my bag'), ['weight loss']), null);
  assert.equal(excludedTopicNamed(said('anything'), ['', '!!']), null);
});
