import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { commercialNeed } from './commercial-need.js';

const said = (...texts: string[]) => texts.map((content) => ({ role: 'user', content }));

test('greetings, thanks, jokes and talk about the assistant are small talk', () => {
  for (const text of [
    'Hi!',
    'hello there',
    'Good morning 🙂',
    'Thanks a lot!!',
    'thank you for your help',
    'tell me a joke',
    'do you know any good riddles?',
    'What is your name?',
    'who built you',
    'are you a robot',
    'how old are you',
    'do you have any pets',
    'what is the meaning of life',
    'lol',
    'goodbye',
    'see you later',
    'how are you today?',
    "what's up",
    'that is correct',
    'no idea',
    'I love you',
    "you're the best",
    'do you still remember me',
    'could you hear me?',
    'should I believe you',
    'how are you named',
    'would you like to be called Max',
    'hang on one moment',
    'just a minute please',
    'are you more of a cat or a dog person',
    'do you ever dream',
    'can you get bored?',
  ]) {
    assert.equal(commercialNeed(said(text)), 'small_talk', text);
  }
});

test('orders to the assistant itself are commands', () => {
  for (const text of [
    'set a timer for 10 minutes',
    'wake me up at 7',
    'turn the volume down',
    'stop',
    'never mind',
    'flip a coin',
    'roll two dice',
    'what time is it?',
    'spell rhythm',
    'what is 12 * 9',
    'speak more slowly',
    'call me Sam',
    'go to sleep',
    'please answer in Dutch',
    'do you speak Farsi',
    'pair with my tablet',
    'please disconnect from that device',
  ]) {
    assert.equal(commercialNeed(said(text)), 'command', text);
  }
});

test('needs pass, also when they are polite or look like orders', () => {
  for (const text of [
    'thanks, and where can I buy running shoes?',
    'hi, I need a hotel in Rome',
    'turn on the lights in the kitchen',
    'how much is a flight to Oslo',
    'add milk to my shopping list',
    'an alarm system for my house',
    'what is the best time to visit Peru',
    'my flight got cancelled',
    'hello kitty backpack',
    'what do I have to do today',
    'how do you say hello in Thai',
    'good coffee near me',
    'recommend a funny movie',
    'call a taxi',
    'connect my printer to the wifi',
    'my phone won’t pair with the car',
    'can you see me a dentist this week',
    'I can hold on to my deposit',
    'could you recognise this plant',
    'can you teach me to speak Italian',
    'do you know a dog or a cat sitter',
    'learn French',
    'can you eat raw salmon',
  ]) {
    assert.equal(commercialNeed(said(text)), 'open', text);
  }
});

test('a bare yes continues what was said before, and means nothing alone', () => {
  assert.equal(commercialNeed(said('find me a hotel in Rome', 'yes please')), 'continues');
  assert.equal(commercialNeed(said('yes please')), 'small_talk');
  assert.equal(commercialNeed(said('find me a hotel in Rome', 'thanks!')), 'small_talk');
});

test('without words of a person there is nothing', () => {
  assert.equal(commercialNeed([]), 'empty');
  assert.equal(commercialNeed([{ role: 'assistant', content: 'buy shoes' }]), 'empty');
  assert.equal(commercialNeed(said('   ')), 'empty');
  assert.equal(commercialNeed(said('🙂🙂')), 'empty');
});

test('any text is judged', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 600 }), (text) => {
      assert.ok(
        ['open', 'continues', 'empty', 'small_talk', 'command'].includes(
          commercialNeed(said(text)),
        ),
      );
    }),
  );
});
