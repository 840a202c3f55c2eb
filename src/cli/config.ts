import { settingTable } from '../config.js';
import { describeSettings, exampleSettings } from '../platform/settings.js';
import { type Command, parseOptions } from './command.js';

export const configCommand: Command = {
  help: 'Usage: sidelight config [--example]\n\nPrints every setting with its effective value; secrets only as (set). --example prints a .env file with every setting explained.',
  async run({ args, environment, print }) {
    const { flags } = parseOptions(args, { flags: ['example'] });
    print(
      flags.has('example')
        ? exampleSettings(settingTable)
        : describeSettings(settingTable, environment),
    );
    return 0;
  },
};
