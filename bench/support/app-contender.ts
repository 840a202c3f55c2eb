import { startOptions } from './start-options.js';

/** Our server as a contender, with the options of Node that `npm start` gives it. */
export const sidelight = {
  module: new URL('./app-server.js', import.meta.url),
  nodeOptions: startOptions,
};
