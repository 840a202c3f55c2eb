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

export interface Tool {
  slug: string;
  name: string;
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
