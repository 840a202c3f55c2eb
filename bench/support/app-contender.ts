import { startOptions, startSettings } from './start-options.js';

/** Our server as a contender, as `npm start` runs it. */
export const sidelight = {
  module: new URL('./app-server.js', import.meta.url),
  nodeOptions: startOptions,
  settings: startSettings,
};
