import { readConfig } from '../config.js';
import { serverVersion } from '../platform/version.js';
import { readDotEnv } from './read-dot-env.js';
import { UsageError } from './command.js';
import { commands } from './commands.js';
import { describeFailure } from './describe-failure.js';
import { ErrandFailed, findServer, sendErrand } from './find-server.js';
import { openAlone } from './open-alone.js';

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
  if (name === '--version' || name === '-v' || name === 'version') {
    print(serverVersion);
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
  let known: Parameters<typeof describeFailure>[1] = {};
  try {
    const cwd = process.cwd();
    const environment = { ...readDotEnv(cwd), ...processEnvironment };
    const config = readConfig(environment);
    known = { ...config, PGUSER: environment['PGUSER'] ?? environment['USER'] };
    const server = listed.isErrand ? await findServer(config) : null;
    if (server !== null) {
      const errand = { name, args: rest, cwd, passphrase: config.BACKUP_PASSPHRASE };
      return await sendErrand(server, errand, print);
    }
    return await command.run({
      args: rest,
      environment,
      config,
      print,
      cwd,
      openStore: (how) => openAlone(config, { mustExist: listed.needsStore === true, ...how }),
      showProgress: process.stderr.isTTY ? (line) => void process.stderr.write(line) : null,
    });
  } catch (error) {
    complain(`sidelight: ${describeFailure(error, known)}`);
    if (error instanceof ErrandFailed) return error.code;
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
    '"sidelight <command> --help" explains one. Settings come from the environment or a .env file; "sidelight config" lists them. "sidelight --version" says which this is.',
  ].join('\n');
}
