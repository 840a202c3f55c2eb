import { trimEndSigns } from '../domain/text/trim-signs.js';

/**
 * Typed settings from text: each setting says how it is read, what it defaults to and what it is
 * for.
 */
export interface Setting<T> {
  readonly fallback: string;
  readonly about: string;
  readonly secret: boolean;
  read(text: string): T;
}

export type SettingTable = Readonly<Record<string, Setting<unknown>>>;
export type SettingValues<Table extends SettingTable> = {
  readonly [Name in keyof Table]: ReturnType<Table[Name]['read']>;
};

export class InvalidSettings extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(`Invalid settings:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

/**
 * What a text must be, and how that is said to the person who set it. Never repeats the text: it
 * may be a secret.
 */
export interface Rule {
  readonly accepts: (text: string) => boolean;
  readonly says: string;
}

const anything: Rule = { accepts: () => true, says: '' };

function obey(text: string, rule: Rule): string {
  if (!rule.accepts(text)) throw new Error(rule.says);
  return text;
}

export const setting = {
  text: (fallback: string, about: string): Setting<string> => ({
    fallback,
    about,
    secret: false,
    read: (text) => text,
  }),
  secretText: (fallback: string, about: string, rule: Rule = anything): Setting<string> => ({
    fallback,
    about,
    secret: true,
    read: (text) => (text === '' ? text : obey(text, rule)),
  }),
  integer(fallback: number, about: string, bounds: { min: number; max: number }): Setting<number> {
    return {
      fallback: String(fallback),
      about,
      secret: false,
      read(text) {
        const value = Number(text);
        if (!/^-?\d+$/.test(text) || value < bounds.min || value > bounds.max) {
          throw new Error(`must be a whole number from ${bounds.min} to ${bounds.max}`);
        }
        return value;
      },
    };
  },
  choice<const Options extends readonly string[]>(
    options: Options,
    fallback: Options[number],
    about: string,
  ): Setting<Options[number]> {
    return {
      fallback,
      about: `${about} (${options.join(', ')})`,
      secret: false,
      read(text) {
        const found = options.find((option) => option === text);
        if (found === undefined) throw new Error(`must be one of ${options.join(', ')}`);
        return found;
      },
    };
  },
  url(fallback: string, about: string): Setting<string> {
    return {
      fallback,
      about,
      secret: false,
      read(text) {
        if (text !== '' && (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)))
          throw new Error('must be an http:// or https:// address');
        return trimEndSigns(text, /\//);
      },
    };
  },
  list(fallback: string, about: string, rule: Rule = anything): Setting<readonly string[]> {
    return {
      fallback,
      about,
      secret: false,
      read: (text) =>
        text
          .split(',')
          .map((part) => part.trim())
          .filter((part) => part !== '')
          .map((part) => obey(part, rule)),
    };
  },
};

export function readSettings<Table extends SettingTable>(
  table: Table,
  environment: Record<string, string | undefined>,
): SettingValues<Table> {
  const values: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const [name, entry] of Object.entries(table)) {
    const given = environment[name]?.trim();
    try {
      values[name] = entry.read(given === undefined || given === '' ? entry.fallback : given);
    } catch (error) {
      problems.push(`${name} ${error instanceof Error ? error.message : 'is invalid'}`);
    }
  }
  if (problems.length > 0) throw new InvalidSettings(problems);
  // Every name of the table was read above, each by its own reader.
  return values as SettingValues<Table>;
}

/** The effective values as `NAME=value` lines, secrets replaced by whether they are set. */
export function describeSettings(
  table: SettingTable,
  environment: Record<string, string | undefined>,
): string {
  return Object.entries(table)
    .map(([name, entry]) => {
      const given = environment[name]?.trim();
      const value = given === undefined || given === '' ? entry.fallback : given;
      return `${name}=${entry.secret ? (value === '' ? '' : '(set)') : value}`;
    })
    .join('\n');
}

export function exampleSettings(table: SettingTable): string {
  return Object.entries(table)
    .map(([name, entry]) => `# ${entry.about}\n# ${name}=${entry.fallback}\n`)
    .join('\n');
}
