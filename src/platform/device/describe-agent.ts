import { createRequire } from 'node:module';
import { isbot } from 'isbot';
import UAParser from 'ua-parser-js';
import { remember } from '../bounded-cache.js';

export type AgentDescription = {
  deviceType: 'desktop' | 'mobile' | 'tablet';
  os: string | null;
  browser: string | null;
  /**
   * `crawler`: works on its own. `preview`: looks at a link somebody posted. `library`: an HTTP
   * library's own name, of a native app as of a script. `user_agent_bot`: fetches because a person
   * just asked an assistant to. `empty`: said nothing.
   */
  bot: null | BotKind;
};

export type BotKind = 'crawler' | 'preview' | 'library' | 'user_agent_bot' | 'empty';

// The maintained list says of each machine what it is for.
const machines = createRequire(import.meta.url)('crawler-user-agents') as readonly {
  pattern: string;
  tags?: readonly string[];
}[];
const tagged = (tag: string): RegExp =>
  new RegExp(
    machines
      .filter((machine) => machine.tags?.includes(tag) === true)
      .map((machine) => machine.pattern)
      .join('|'),
  );
const previews = tagged('social-preview');
const libraries = tagged('http-library');
/** Frameworks of apps and servers that name themselves unless told otherwise. */
const frameworks = /^(node|undici|Dart|Java|Deno|Bun|Alamofire|Ktor client)\b|\bCFNetwork\//;
const isBrowserLike = /^(Mozilla|Opera)\//;

/**
 * Agents that act for a person in the moment; the crawlers of the same companies have names of
 * their own.
 */
const assistants = [
  'ChatGPT-User',
  'OAI-Operator',
  'Operator\\/',
  'Claude-User',
  'Perplexity-User',
  'MistralAI-User',
  'Gemini-Deep-Research',
  'Google-NotebookLM',
  'DuckAssistBot',
  'Meta-ExternalFetcher',
  'meta-externalfetcher',
  'cohere-ai',
  'Copilot-User',
  'Devin',
  'Manus-User',
  'YouBot-User',
  'NovaAct',
  'GoogleAgent-Mariner',
];
const actsForPerson = new RegExp(String.raw`\b(${assistants.join('|')})\b`, 'i');
const longestAgent = 1000;

export type DescribeAgent = (userAgent: string | undefined | null) => AgentDescription;

/** Each agent string is read once: the same few thousand make up nearly all traffic. */
export function createAgentDescriber(cacheSize = 5000): DescribeAgent {
  const described = remember(describeAgent, cacheSize);
  // Nobody's browser says more; without a limit one client could fill the cache with megabytes.
  return (userAgent) => described((userAgent ?? '').trim().slice(0, longestAgent));
}

export function describeAgent(agent: string): AgentDescription {
  const { device, os, browser } = new UAParser(agent).getResult();
  return {
    deviceType: deviceTypeOf(agent, device.type),
    os: os.name ?? null,
    browser: browser.name ?? null,
    bot: botOf(agent),
  };
}

function deviceTypeOf(agent: string, type: string | undefined): AgentDescription['deviceType'] {
  if (type === 'mobile' || type === 'wearable') return 'mobile';
  if (type === 'tablet') return 'tablet';
  // Without a model name the parser leaves phones and tablets of some makers undecided.
  if (type === undefined && /\bAndroid\b/i.test(agent))
    return /\bMobile\b/i.test(agent) ? 'mobile' : 'tablet';
  // An app of a phone speaks with the library of its system: who asks with these carries one.
  const isApp = agent.includes('CFNetwork/') && agent.includes('Darwin/');
  if (type === undefined && (isApp || agent.startsWith('okhttp/'))) return 'mobile';
  return 'desktop';
}

function botOf(agent: string): AgentDescription['bot'] {
  if (
    agent === '' ||
    agent === '-' ||
    agent.toLowerCase() === 'null' ||
    agent.toLowerCase() === 'undefined'
  )
    return 'empty';
  if (actsForPerson.test(agent)) return 'user_agent_bot';
  // People also read in apps that are named like the previews they make.
  if (previews.test(agent) && (!isBrowserLike.test(agent) || isbot(agent))) return 'preview';
  if (!isBrowserLike.test(agent) && (frameworks.test(agent) || libraries.test(agent)))
    return 'library';
  return isbot(agent) ? 'crawler' : null;
}
