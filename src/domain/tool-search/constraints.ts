import { frameworkLanguages, frameworkNames, languageNames } from './read-stack.js';
import type { Framework, Language, Tool } from './tool.js';

/** What a tool must satisfy. Filters, never weights: a tool that fails one is not recommended. */
export interface Constraints {
  freeTier: boolean;
  openSource: boolean;
  selfHosted: boolean;
  /** Somebody else runs it. */
  managed: boolean;
  region: 'us' | 'eu' | 'apac' | null;
  languages: readonly Language[];
  frameworks: readonly Framework[];
}

export const noConstraints: Constraints = {
  freeTier: false,
  openSource: false,
  selfHosted: false,
  managed: false,
  region: null,
  languages: [],
  frameworks: [],
};

export type ConstraintName =
  'freeTier' | 'openSource' | 'selfHosted' | 'managed' | 'region' | 'languages' | 'frameworks';

export const regionNames = { us: 'the US', eu: 'the EU', apac: 'Asia-Pacific' } as const;

/**
 * The constraints a tool fails. Facts that are not known count against it: nothing is promised that
 * is not sure.
 */
export function failedBy({ facts, credentials }: Tool, wanted: Constraints): ConstraintName[] {
  const failed: ConstraintName[] = [];
  if (wanted.freeTier && facts.free_tier !== true && facts.price_level !== 0)
    failed.push('freeTier');
  if (wanted.openSource && !facts.open_source) failed.push('openSource');
  if (wanted.selfHosted && !facts.self_hostable) failed.push('selfHosted');
  // What one can run, costs nothing and has no account is run by oneself.
  if (wanted.managed && facts.self_hostable && (facts.price_level === 0 || credentials === null))
    failed.push('managed');
  if (wanted.region !== null && !facts.regions.includes(wanted.region) && !facts.self_hostable)
    failed.push('region');
  const speaks = (language: Language): boolean =>
    facts.languages.includes('any') || facts.languages.includes(language);
  if (!wanted.languages.every(speaks)) failed.push('languages');
  if (
    !wanted.frameworks.every(
      (framework) =>
        facts.frameworks.includes(framework) || frameworkLanguages[framework].some(speaks),
    )
  )
    failed.push('frameworks');
  return failed;
}

/** A constraint as the person who set it would say it. */
export function describeConstraint(name: ConstraintName, wanted: Constraints): string {
  switch (name) {
    case 'freeTier':
      return 'a free tier';
    case 'openSource':
      return 'open source';
    case 'selfHosted':
      return 'self-hosting';
    case 'managed':
      return 'a managed service';
    case 'region':
      return `hosting in ${wanted.region === null ? 'any region' : regionNames[wanted.region]}`;
    case 'languages':
      return `use from ${wanted.languages.map((language) => languageNames[language]).join(' and ')}`;
    case 'frameworks':
      return `use with ${wanted.frameworks.map((framework) => frameworkNames[framework]).join(' and ')}`;
  }
}

export function constraintsSet(wanted: Constraints): ConstraintName[] {
  const names: ConstraintName[] = [];
  for (const name of ['freeTier', 'openSource', 'selfHosted', 'managed'] as const)
    if (wanted[name]) names.push(name);
  if (wanted.region !== null) names.push('region');
  for (const name of ['languages', 'frameworks'] as const)
    if (wanted[name].length > 0) names.push(name);
  return names;
}
