import { readFileSync } from 'node:fs';

const manifest: { scripts: { start: string } } = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
);

/** Our server as a contender, with the options of Node that `npm start` gives it. */
export const sidelight = {
  module: new URL('./app-server.js', import.meta.url),
  nodeOptions: manifest.scripts.start.split(' ').filter((word) => word.startsWith('--')),
};
