// One service of the tool index, as its data file holds it.

export const toolCategories = [
  'AI',
  'Analytics',
  'Auth',
  'Background Jobs',
  'Cache',
  'CMS',
  'Commerce',
  'CRM',
  'Database',
  'Email',
  'Hosting',
  'Infrastructure',
  'Monitoring',
  'Payments',
  'Productivity',
  'Realtime',
  'Search',
  'SMS',
  'Storage',
  'Support',
  'Video',
  'Webhooks',
] as const;
export type ToolCategory = (typeof toolCategories)[number];

export const languages = [
  'javascript',
  'python',
  'go',
  'ruby',
  'php',
  'java',
  'csharp',
  'rust',
  'elixir',
  'swift',
  'kotlin',
  'dart',
] as const;
export type Language = (typeof languages)[number];

export const frameworks = [
  'nextjs',
  'react',
  'vue',
  'nuxt',
  'sveltekit',
  'remix',
  'astro',
  'express',
  'fastify',
  'nestjs',
  'hono',
  'django',
  'flask',
  'fastapi',
  'rails',
  'laravel',
  'spring',
  'dotnet',
  'flutter',
  'react-native',
  'ios',
  'android',
] as const;
export type Framework = (typeof frameworks)[number];

export const regions = ['us', 'eu', 'apac', 'global'] as const;
export type Region = (typeof regions)[number];

/** Countries of the European Union and the European Economic Area. */
const euCountries: ReadonlySet<string> = new Set(
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK'.split(
    ' ',
  ),
);
const apacCountries: ReadonlySet<string> = new Set('AU CN IN JP KR NZ SG TW'.split(' '));

/** Null: elsewhere, or not known. */
export function homeRegion({ home }: Pick<ToolFacts, 'home'>): 'eu' | 'apac' | null {
  if (home === undefined) return null;
  return euCountries.has(home) ? 'eu' : apacCountries.has(home) ? 'apac' : null;
}

/** Servers a tool may keep its data in, which somebody must run beside it. */
export const bases = ['postgres', 'mysql', 'sqlite', 'mongodb', 'redis', 'rabbitmq'] as const;
export type Base = (typeof bases)[number];

export interface ToolFacts {
  /** Null: not known. The same for the other nullable facts: nothing is claimed from them. */
  free_tier: boolean | null;
  free_tier_note: string | null;
  /** 0 free or open source only, 1 cheap, 2 moderate, 3 enterprise. */
  price_level: 0 | 1 | 2 | 3 | null;
  self_hostable: boolean;
  open_source: boolean;
  license: string | null;
  regions: readonly Region[];
  /** Official or well-kept SDKs; `any` where plain HTTP or a wire protocol is the way in. */
  languages: readonly (Language | 'any')[];
  frameworks: readonly Framework[];
  /** What it cannot do without: of each list one. Left out where it brings all it needs. */
  requires?: readonly (readonly Base[])[];
  /** Country of the maker as two letters. Left out: in the United States, or not known. */
  home?: string;
}

export interface EnvVar {
  name: string;
  description: string;
  secret: boolean;
  required: boolean;
}

export interface ToolStep {
  action: string;
  command?: string;
  file?: string;
  user_action?: string;
}

export interface InstallVariant {
  for: readonly (Language | Framework | 'any')[];
  summary: string;
  steps: readonly ToolStep[];
  notes: string;
}

/**
 * Somebody else's product that the tool index does not recommend: named to be left or refused, it
 * says what kind is wanted.
 */
export interface UnlistedTool extends Pick<
  Tool,
  'slug' | 'name' | 'category' | 'keywords' | 'alternatives'
> {
  /** Also a plain word: a name only with a capital. */
  isPlainWord: boolean;
}

/** What a name stands for, listed or not. */
export type NamedTool = Pick<Tool, 'slug' | 'name' | 'category' | 'keywords' | 'alternatives'>;

export interface Tool {
  slug: string;
  name: string;
  /** What else it is called, or was. */
  aliases?: readonly string[];
  category: ToolCategory;
  description: string;
  website_url: string;
  docs_url: string;
  /** Where a person gets credentials; null when none are needed. */
  credentials: { url: string; how: string } | null;
  needs: readonly string[];
  keywords: readonly string[];
  facts: ToolFacts;
  env_vars: readonly EnvVar[];
  install: readonly InstallVariant[];
  alternatives: readonly string[];
  /** 1: widely used. */
  tier: 1 | 2;
}
