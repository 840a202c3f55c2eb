import { readConfig } from '../config.js';
import { readDotEnv } from './read-dot-env.js';
import { type Command, UsageError } from './command.js';
import { describeFailure } from './describe-failure.js';
import { configCommand } from './config.js';
import { migrateCommand } from './migrate.js';
import { serveCommand } from './serve.js';
import { verifyCommand } from './verify.js';
import { rebuildCommand } from './rebuild.js';
import { accountsCommand } from './accounts.js';
import { backupCommand, restoreCommand } from './backup.js';
import { catalogCommand } from './catalog.js';
import { explainCommand } from './explain.js';
import { exportCommand, importCommand } from './export.js';
import { keysCommand } from './keys.js';
import { privacyCommand } from './privacy.js';

const commands: readonly Command[] = [serveCommand, migrateCommand, accountsCommand, keysCommand, verifyCommand, rebuildCommand, explainCommand, catalogCommand, backupCommand, restoreCommand, exportCommand, importCommand, privacyCommand, configCommand];

/** Runs `sidelight <command> …` and returns the exit code. */
export async function runCommand(args: readonly string[], processEnvironment: Record<string, string | undefined>): Promise<number> {
  const print = (line: string): void => void process.stdout.write(`${line}\n`);
  const complain = (line: string): void => void process.stderr.write(`${line}\n`);
  const [name = 'serve', ...rest] = args;
  if (name === 'help' || name === '--help' || name === '-h') {
    print(overview());
    return 0;
  }
  const command = commands.find((candidate) => candidate.name === name);
  if (command === undefined) {
    complain(`sidelight: there is no command "${name}". Run "sidelight --help" for the list.`);
    return 2;
  }
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
