import type { Constraints } from './constraints.js';
import { frameworkLanguages, frameworkNames, languageNames } from './read-stack.js';
import type { Framework, InstallVariant, Language, Tool, ToolStep } from './tool.js';

export interface Install {
  summary: string;
  steps: readonly (ToolStep & { step: number })[];
  env_vars: readonly { name: string; description: string; secret: boolean; required: boolean }[];
  notes: string;
}

/**
 * The steps for the caller's framework, else its language, else any stack, else the tool's own
 * first choice, and then says so. Who names no stack gets that first choice.
 */
export function chooseInstall(
  tool: Tool,
  stack: Pick<Constraints, 'frameworks' | 'languages'>,
): Install {
  const spoken: readonly Language[] = [
    ...stack.languages,
    ...stack.frameworks.flatMap((framework) => frameworkLanguages[framework]),
  ];
  const offers = (word: Language | Framework | 'any'): InstallVariant | undefined =>
    tool.install.find((variant) => variant.for.includes(word));
  const wanted = [...stack.frameworks, ...spoken];
  const matched = wanted.map(offers).find((variant) => variant !== undefined);
  const variant = matched ?? (wanted.length > 0 ? offers('any') : undefined) ?? tool.install[0];
  if (variant === undefined)
    return { summary: `See ${tool.docs_url}.`, steps: [], env_vars: tool.env_vars, notes: '' };
  const isForeign = matched === undefined && wanted.length > 0 && !variant.for.includes('any');
  const notes = isForeign
    ? [
        `These steps are for ${names(variant.for)}; for ${names(wanted.slice(0, 1))} see ${tool.docs_url}.`,
        variant.notes,
      ]
    : [variant.notes];
  return {
    summary: variant.summary,
    steps: variant.steps.map((step, at) => ({ step: at + 1, ...step })),
    env_vars: tool.env_vars,
    notes: notes.filter((note) => note !== '').join(' '),
  };
}

function names(words: readonly (Language | Framework | 'any')[]): string {
  return words
    .map((word) =>
      word === 'any'
        ? 'any stack'
        : word in languageNames
          ? languageNames[word as Language]
          : frameworkNames[word as Framework],
    )
    .join(', '); // one of the two by the line before
}
