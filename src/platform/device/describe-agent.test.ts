import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createAgentDescriber, describeAgent } from './describe-agent.js';

const agents = {
  windowsChrome:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36',
  macSafari:
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15',
  iphone:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
  ipad: 'Mozilla/5.0 (iPad; CPU OS 16_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.6 Mobile/15E148 Safari/604.1',
  pixel:
    'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36',
  plainAndroid:
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36',
  galaxyTab:
    'Mozilla/5.0 (Linux; Android 13; SM-X700) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36',
  linuxFirefox: 'Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0',
};

test('devices are told apart', () => {
  const types = Object.fromEntries(
    Object.entries(agents).map(([name, agent]) => [name, describeAgent(agent).deviceType]),
  );
  assert.deepEqual(types, {
    windowsChrome: 'desktop',
    macSafari: 'desktop',
    iphone: 'mobile',
    ipad: 'tablet',
    pixel: 'mobile',
    plainAndroid: 'mobile',
    galaxyTab: 'tablet',
    linuxFirefox: 'desktop',
  });
});

test('the library of a phone’s system is used by apps on phones', () => {
  const type = (agent: string): string => describeAgent(agent).deviceType;
  assert.equal(type('okhttp/4.12.0'), 'mobile');
  assert.equal(type('Chat/3.1 CFNetwork/1474 Darwin/23.0.0'), 'mobile');
  assert.equal(type('node'), 'desktop');
});

test('system and browser are named', () => {
  const { os, browser } = describeAgent(agents.windowsChrome);
  assert.equal(os, 'Windows');
  assert.equal(browser, 'Chrome');
});

test('people are not bots', () => {
  for (const agent of Object.values(agents)) assert.equal(describeAgent(agent).bot, null, agent);
});

test('crawlers, tools and empty agents are told apart from agents that act for a person', () => {
  const bots: Record<string, string> = {
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)': 'crawler',
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)':
      'crawler',
    'Mozilla/5.0 (compatible; ClaudeBot/1.0; +claudebot@anthropic.com)': 'crawler',
    'curl/8.5.0': 'library',
    'python-requests/2.31.0': 'library',
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0; +https://openai.com/bot':
      'user_agent_bot',
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Claude-User/1.0; +Claude-User@anthropic.com)':
      'user_agent_bot',
    'Mozilla/5.0 (compatible; Perplexity-User/1.0; +https://perplexity.ai/perplexity-user)':
      'user_agent_bot',
    '': 'empty',
    '  ': 'empty',
    '-': 'empty',
  };
  const describe = createAgentDescriber();
  for (const [agent, bot] of Object.entries(bots)) assert.equal(describe(agent).bot, bot, agent);
  assert.equal(describe(undefined).bot, 'empty');
  assert.equal(describe(null).bot, 'empty');
});

test('an agent seen before gives the same description', () => {
  const describe = createAgentDescriber(2);
  assert.equal(describe(agents.ipad), describe(agents.ipad));
});

test('any agent text is described', () => {
  const describe = createAgentDescriber(10);
  fc.assert(
    fc.property(fc.string({ maxLength: 3000 }), (agent) => {
      assert.ok(['desktop', 'mobile', 'tablet'].includes(describe(agent).deviceType));
    }),
  );
});
