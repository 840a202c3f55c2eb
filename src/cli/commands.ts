import type { Command } from './command.js';

export interface Listed {
  name: string;
  summary: string;
  /** Done by the server that runs on the data folder, where one does. */
  isErrand?: true;
  /** Works with what is there: without a store there is nothing to do, and none is made. */
  needsStore?: true;
  /** Only what is asked for is loaded: a command should answer at once, and a server start soon. */
  load: () => Promise<Command>;
}

export const commands: readonly Listed[] = [
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
    isErrand: true,
    needsStore: true,
    load: async () => (await import('./accounts.js')).accountsCommand,
  },
  {
    name: 'keys',
    summary: 'list and regenerate API keys; rotate the tracking key',
    isErrand: true,
    needsStore: true,
    load: async () => (await import('./keys.js')).keysCommand,
  },
  {
    name: 'verify',
    summary: 'recompute every total from the raw events and report differences',
    isErrand: true,
    needsStore: true,
    load: async () => (await import('./verify.js')).verifyCommand,
  },
  {
    name: 'rebuild',
    summary: 'restore every total from the raw events',
    isErrand: true,
    needsStore: true,
    load: async () => (await import('./rebuild.js')).rebuildCommand,
  },
  {
    name: 'explain',
    summary: 'why a request got its ad: candidates, scores, prices, reasons',
    isErrand: true,
    needsStore: true,
    load: async () => (await import('./explain.js')).explainCommand,
  },
  {
    name: 'catalog',
    summary: 'bring products into the shop; check the tool index',
    isErrand: true,
    needsStore: true,
    load: async () => (await import('./catalog.js')).catalogCommand,
  },
  {
    name: 'backup',
    summary: 'copy everything into one file, also of a running server',
    isErrand: true,
    needsStore: true,
    load: async () => (await import('./backup.js')).backupCommand,
  },
  {
    name: 'restore',
    summary: 'make a store from a backup',
    load: async () => (await import('./backup.js')).restoreCommand,
  },
  {
    name: 'export',
    summary: 'write every row to a file that any engine can import',
    isErrand: true,
    needsStore: true,
    load: async () => (await import('./export.js')).exportCommand,
  },
  {
    name: 'import',
    summary: 'read an exported file into an empty store',
    isErrand: true,
    load: async () => (await import('./export.js')).importCommand,
  },
  {
    name: 'privacy',
    summary: 'erase a person, or put one on the opt-out list',
    isErrand: true,
    needsStore: true,
    load: async () => (await import('./privacy.js')).privacyCommand,
  },
  {
    name: 'config',
    summary: 'print the effective settings, without secrets',
    load: async () => (await import('./config.js')).configCommand,
  },
];
