import type { Db } from '../platform/db/db.js';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { slugOf } from '../domain/commerce/product-id.js';
import { createMintId } from '../platform/ids.js';
import { createOutbound } from '../platform/outbound/guarded-fetch.js';
import { createOutboundStream } from '../platform/outbound/guarded-stream.js';
import { feedFormats, isStorefront } from '../surfaces/catalog-import/feeds/feed-row.js';
import { openFeed } from '../surfaces/catalog-import/feeds/open-feed.js';
import {
  announceMerchants,
  listErrors,
  listRuns,
  openMerchant,
} from '../surfaces/catalog-import/queries.js';
import { describeShown, runImport } from '../surfaces/catalog-import/run-import.js';
import { runToolVerb, toolHelp, toolVerbs } from './catalog-tools.js';
import {
  type Command,
  CommandFailure,
  type CommandInput,
  parseOptions,
  UsageError,
} from './command.js';

const shownErrors = 20;

export const catalogCommand: Command = {
  help: [
    'Usage: sidelight catalog import FEED --merchant NAME [--format FORMAT] [--currency CODE] [--store URL] [--max-missing PERCENT] [--partial]',
    '       sidelight catalog runs',
    ...toolHelp,
    '',
    'FEED is a file or an address, plain or gzipped. Formats: google-xml (RSS or Atom), table (TSV or CSV), jsonl (also a list, or an object with one inside), shopify (a storefront’s products.json),',
    'ucp (a storefront’s address; its own catalog tools over MCP), schema-org (a product page or a sitemap); without --format the first bytes decide.',
    'A feed is the whole shop of the merchant: products it no longer has disappear, unless more than --max-missing percent (50) would. --partial removes nothing.',
    'Example: sidelight catalog import ./feed.xml.gz --merchant "Acme Outdoors" --store https://acme.example',
  ].join('\n'),
  async run(input) {
    const [verb] = input.args;
    if (verb === 'import') return importFeed(input);
    if (verb === 'runs') return showRuns(input);
    const toolVerb = toolVerbs.find((known) => known === verb);
    if (toolVerb !== undefined) return runToolVerb(toolVerb, input);
    throw new UsageError('say what to do: try "sidelight catalog --help"');
  },
};

/** What `catalog import` was asked to do; throws where it makes no sense. */
function readImport({ args, cwd }: Pick<CommandInput, 'args' | 'cwd'>) {
  const { values, flags, rest } = parseOptions(args, {
    values: ['merchant', 'format', 'currency', 'store', 'max-missing'],
    flags: ['partial'],
  });
  const [, named] = rest;
  const { merchant = '', currency } = values;
  if (named === undefined || merchant === '')
    throw new UsageError('a feed and --merchant are needed');
  const format =
    values['format'] === undefined
      ? null
      : (feedFormats.find((known) => known === values['format']) ?? null);
  if (values['format'] !== undefined && format === null)
    throw new UsageError(`--format is one of ${feedFormats.join(', ')}`);
  const maxMissingPercent = Number(values['max-missing'] ?? 50);
  if (!(maxMissingPercent >= 0 && maxMissingPercent <= 100))
    throw new UsageError('--max-missing is a number from 0 to 100');
  if (currency !== undefined && !/^[A-Z]{3}$/.test(currency))
    throw new UsageError('--currency is a code such as USD');
  const isAddress = /^https?:\/\//i.test(named);
  const place = isAddress ? named : resolve(cwd, named);
  if (!isAddress && !existsSync(place)) throw new CommandFailure(`there is no file ${named}`);
  return {
    merchant,
    place,
    format,
    currency: currency ?? null,
    storeUrl: values['store'],
    maxMissingPercent,
    isSnapshot: !flags.has('partial'),
  };
}

async function importFeed(input: CommandInput): Promise<number> {
  const { config, openStore, showProgress, print } = input;
  const { merchant, place, format, currency, storeUrl, ...bounds } = readImport(input);
  const store = await openStore();
  const mintId = createMintId();
  const deps = { db: store.db, clock: Date.now, mintId };
  try {
    const doors = {
      outbound: createOutbound({ allow: config.OUTBOUND_ALLOW }),
      outboundStream: createOutboundStream({ allow: config.OUTBOUND_ALLOW }),
      indexUrl: () => config.PUBLIC_INDEX_URL || `http://${config.HOST}:${config.PORT}`,
    };
    const opened = await openFeed(doors, { place, format, currency, storeUrl: storeUrl ?? null });
    const slug = slugOf(merchant);
    const merchantId = await store.db.transaction(async (tx) => {
      const isShop = isStorefront(opened.format);
      const id = await openMerchant(tx, {
        id: mintId(Date.now()),
        slug,
        name: merchant,
        storeUrl: storeUrl ?? (isShop ? new URL(place).origin : ''),
        platform: isShop ? 'storefront' : 'feed',
        commissionBps: 0,
        isDemo: false,
        createdAt: new Date(),
      });
      await announceMerchants(tx);
      return id;
    });
    const progress = createProgress(showProgress);
    const outcome = await runImport(deps, {
      target: { merchantId, merchantSlug: slug, feedId: null },
      source: place,
      format: opened.format,
      rows: opened.rows,
      ...bounds,
      onProgress: (counts) => progress(counts.read),
    });
    progress(outcome.read, true);
    await printOutcome(store.db, outcome, print);
    if (outcome.problem !== null) throw new CommandFailure(outcome.problem);
    return 0;
  } finally {
    await store.close();
  }
}

async function printOutcome(
  db: Db,
  outcome: Awaited<ReturnType<typeof runImport>>,
  print: CommandInput['print'],
): Promise<void> {
  print(
    `${describeShown(outcome)}; ${outcome.written} written, ${outcome.unchanged} unchanged, ${outcome.removed} removed`,
  );
  for (const error of await listErrors(db, outcome.runId, shownErrors))
    print(`  row ${error.row_number} ${error.item}: ${error.message}`);
  if (outcome.failed > shownErrors) print(`  … and ${outcome.failed - shownErrors} more`);
}

/** A line that counts up. */
function createProgress(
  show: CommandInput['showProgress'],
): (rows: number, last?: boolean) => void {
  const started = performance.now();
  return (rows, last = false) => {
    const seconds = (performance.now() - started) / 1000;
    show?.(
      `\r${rows} rows, ${Math.round(rows / Math.max(seconds, 0.001))} a second${last ? '\n' : ' '}`,
    );
  };
}

async function showRuns({ openStore, print }: CommandInput): Promise<number> {
  const store = await openStore();
  try {
    for (const run of await listRuns(store.db, 20)) {
      const at = run.started_at.toISOString().slice(0, 19);
      const shown = run.shown ?? `${run.rows_read} read, ${run.rows_failed} not readable`;
      const why = run.problem === null ? '' : `  (${run.problem})`;
      print(
        `${at}  ${run.status.padEnd(7)}  ${run.merchant}  ${shown}; ${run.rows_written} written, ${run.rows_removed} removed${why}`,
      );
    }
    return 0;
  } finally {
    await store.close();
  }
}
