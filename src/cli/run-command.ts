import { readConfig } from '../config.js';
import { readDotEnv } from './read-dot-env.js';
import { type Command, UsageError } from './command.js';
import { describeFailure } from './describe-failure.js';

interface Listed {
  name: string;
  summary: string;
  /** Only what is asked for is loaded: a command should answer at once, and a server start soon. */
  load: () => Promise<Command>;
}

const commands: readonly Listed[] = [
  {
    name: 'serve',
    summary: 'run the server (the default)',
    load: async () => (await import('./serve.js')).serveCommand,
  },
  {
    name: 'migrate',
    summary: 'bring the database to the newest schema',
    load: async () => (await import('./migrate.js')).migrateCommand,
  },
  {
    name: 'accounts',
    summary: 'list, create, approve and block accounts',
    load: async () => (await import('./accounts.js')).accountsCommand,
  },
  {
    name: 'keys',
    summary: 'list and regenerate API keys; rotate the tracking key',
    load: async () => (await import('./keys.js')).keysCommand,
  },
  {
    name: 'verify',
    summary: 'recompute every total from the raw events and report differences',
    load: async () => (await import('./verify.js')).verifyCommand,
  },
  {
    name: 'rebuild',
    summary: 'restore every total from the raw events',
    load: async () => (await import('./rebuild.js')).rebuildCommand,
  },
  {
    name: 'explain',
    summary: 'why a request got its ad: candidates, scores, prices, reasons',
    load: async () => (await import('./explain.js')).explainCommand,
  },
  {
    name: 'catalog',
    summary: 'bring products into the shop; check the tool catalogue',
    load: async () => (await import('./catalog.js')).catalogCommand,
  },
  {
    name: 'backup',
    summary: 'copy the embedded store into one file',
    load: async () => (await import('./backup.js')).backupCommand,
  },
  {
    name: 'restore',
    summary: 'put a backup in place of an absent store',
    load: async () => (await import('./backup.js')).restoreCommand,
  },
  {
    name: 'export',
    summary: 'write every row to a file that any engine can import',
    load: async () => (await import('./export.js')).exportCommand,
  },
  {
    name: 'import',
    summary: 'read an exported file into an empty store',
    load: async () => (await import('./export.js')).importCommand,
  },
  {
    name: 'privacy',
    summary: 'erase a person, or put one on the opt-out list',
    load: async () => (await import('./privacy.js')).privacyCommand,
  },
  {
    name: 'config',
    summary: 'print the effective settings, without secrets',
    load: async () => (await import('./config.js')).configCommand,
  },
];

/** Runs `sidelight <command> …` and returns the exit code. */
export async function runCommand(
  args: readonly string[],
  processEnvironment: Record<string, string | undefined>,
): Promise<number> {
  const print = (line: string): void => void process.stdout.write(`${line}\n`);
  const complain = (line: string): void => void process.stderr.write(`${line}\n`);
  const [name = 'serve', ...rest] = args;
  if (name === 'help' || name === '--help' || name === '-h') {
    print(overview());
    return 0;
  }
  const listed = commands.find((candidate) => candidate.name === name);
  if (listed === undefined) {
    complain(`sidelight: there is no command "${name}". Run "sidelight --help" for the list.`);
    return 2;
  }
  const command = await listed.load();
  if (rest.includes('--help') || rest.includes('-h')) {
    print(command.help);
    return 0;
  }
  try {
    const environment = { ...readDotEnv(process.cwd()), ...processEnvironment };
    return await command.run({ args: rest, environment, config: readConfig(environment), print });
  } catch (error) {
    complain(`sidelight: ${describeFailure(error)}`);
    return error instanceof UsageError ? 2 : 1;
  }
}

function overview(): string {
  const width = Math.max(...commands.map((command) => command.name.length));
  return [
    'sidelight: an ad network for AI assistants',
    '',
    'Usage: sidelight <command> [options]   (from a clone: npm start -- <command> [options])',
    '',
    ...commands.map((command) => `  ${command.name.padEnd(width)}  ${command.summary}`),
    '',
    '"sidelight <command> --help" explains one. Settings come from the environment or a .env file; "sidelight config" lists them.',
  ].join('\n');
}
