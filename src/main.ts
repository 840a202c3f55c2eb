import { runCommand } from './cli/run-command.js';

process.exitCode = await runCommand(process.argv.slice(2), process.env);
// What a failed start leaves running must not keep the process, and its port, alive.
if (process.exitCode !== 0) setTimeout(() => process.exit(), 1000).unref();
