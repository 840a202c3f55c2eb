import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { asksToKnow } from './asks-to-know.js';

describe('Asking to know', () => {
  it('is a question or task in which nobody speaks of themselves', () => {
    for (const text of [
      'Which sea borders Turkey?',
      'tell me why wolves howl',
      'Can you explain how magnets attract',
      'are penguins birds',
      'write me a verse about the first snow',
      'Rewrite this with a list comprehension',
      'who’s the author of that book',
      'play a guessing game',
      'turn this into a list',
      'how many hearts are there in an octopus',
    ]) {
      assert.equal(asksToKnow(text), true, text);
    }
  });

  it('is not what speaks of a need of one’s own, of choosing, paying or getting', () => {
    for (const text of [
      'why does my car shake at 60',
      'what is the best tent for two',
      'how much does a plumber cost',
      'where can you get passport photos',
      'which insurance covers a cancelled flight',
      'is there a cheap hotel near the station',
      'how do we split the rent',
      'write me a quote for a new roof',
      'a sofa for a small room',
      'stuck at the airport',
      'are there any inns that take dogs',
      'do any clubs have a sauna',
      'is the console in stock',
      'who can repair a zip',
      'when does the pharmacy open',
      'play some blues',
      'turn up the heating',
      'we’re leaving town next month',
    ]) {
      assert.equal(asksToKnow(text), false, text);
    }
  });
});
