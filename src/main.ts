import { setFlagsFromString } from 'node:v8';
import { runCommand } from './cli/run-command.js';

// The larger young heap that a start asks for is this thread's; others would each grow one.
setFlagsFromString('--max-semi-space-size=0');

process.exitCode = await runCommand(process.argv.slice(2), process.env);
// What a failed start leaves running must not keep the process, and its port, alive.
if (process.exitCode !== 0) setTimeout(() => process.exit(), 1000).unref();
