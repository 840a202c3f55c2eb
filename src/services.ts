import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import type { Config } from './config.js';
import { nonceBytes } from './domain/aes-gcm.js';
import { createAccountDirectory } from './platform/auth/account-directory.js';
import { createAdminToken } from './platform/auth/admin-token.js';
import { createGuards } from './platform/auth/guards.js';
import { createKnownDevices } from './platform/auth/known-devices.js';
import { createPasswords } from './platform/auth/password.js';
import { createSessionStore } from './platform/auth/session-store.js';
import { remember } from './platform/bounded-cache.js';
import type { Clock } from './platform/clock.js';
import { watchCorners } from './platform/corners/take-over-corners.js';
import { alone, type Crew } from './platform/crew.js';
import type { Database } from './platform/db/db.js';
import { createAgentDescriber } from './platform/device/describe-agent.js';
import { createEmbedder } from './platform/embedding/create-embedder.js';
import {
  createNoReader,
  createReader,
  type Reader,
  withEndpoint,
} from './platform/embedding/create-reader.js';
import { createRemoteEmbedder } from './platform/embedding/create-remote-embedder.js';
import { createNoEmbedder, type Embedder } from './platform/embedding/embedder.js';
import {
  createNoToolReader,
  createToolReader,
  type ToolReader,
} from './platform/embedding/tool-reader.js';
import { createConsentReader } from './platform/consent/consent-reader.js';
import type { EventLog } from './platform/events/event-log.js';
import type { Disk } from './platform/events/journal/journal.js';
import type { ShipFile } from './platform/events/journal/ship-journal.js';
import { shipByCommand, shipToFolder } from './platform/events/journal/ship-targets.js';
import { openEventLog } from './platform/events/open-event-log.js';
import { freeAfterCrash } from './platform/budgets/free-after-crash.js';
import { createPartitions } from './platform/events/partitions.js';
import type { Recorders } from './platform/events/recorders.js';
import { openCountryLookup } from './platform/geo/country-lookup.js';
import { loadDataCentres } from './platform/geo/data-centres.js';
import { loadAddressRanges } from './platform/http/address-ranges.js';
import { createRequestLimits } from './platform/http/limit-requests.js';
import { createClientAddress } from './platform/http/client-address.js';
import { createMintId } from './platform/ids.js';
import { quietOutages } from './platform/quiet-outages.js';
import { createRandomBytes } from './platform/random-bytes.js';
import { createJobQueue } from './platform/jobs/job-queue.js';
import { createLlm } from './platform/llm/create-llm.js';
import type { Log } from './platform/log.js';
import { createMetrics, type Metrics } from './platform/metrics.js';
import { joinNodes } from './platform/nodes.js';
import { createOutbound, type Outbound } from './platform/outbound/guarded-fetch.js';
import { readDisclosure } from './platform/catalog-folder/read-disclosure.js';
import { createPublicUrls } from './platform/public-urls.js';
import { followChoices } from './platform/privacy/choices.js';
import { createRateLimit } from './platform/rate-limit.js';
import { keepForBackups } from './platform/secrets/backup-secret.js';
import { findMasterSecret } from './platform/secrets/master-secret.js';
import { createPseudonyms } from './platform/secrets/pseudonyms.js';
import { createSealer } from './platform/secrets/sealer.js';
import { createTrackingKeys } from './platform/secrets/tracking-keys.js';
import { createTrackingTokens } from './platform/secrets/tracking-tokens.js';
import { InvalidSettings } from './platform/settings.js';
import { createSharedCounts } from './platform/shared-counts.js';
import { createVouching } from './platform/vouching.js';
import { utcDay } from './domain/time/utc-day.js';

/**
 * A click is paid from its ad's hold for half a minute, and may wait in a journal for as long
 * again.
 */
const clicksKeptMs = 2 * 60_000;

export interface ServiceOptions {
  config: Config;
  db: Database;
  log: Log;
  clock: Clock;
  /** Where this node keeps its journal; the whole data folder in single-node use. */
  nodeDir: string;
  /** Who writes what the journal carries beside events. */
  recorders: Recorders;
  /** Replaced in tests, which must not leave the machine. */
  outbound?: Outbound;
  /** Shared by the workers of one machine; without it the process makes its own. */
  adminSecret?: string;
  /** The workers of one machine; without it the process is alone. */
  crew?: Crew;
  /** Replaced in tests by one that is full or does not sync. */
  disk?: Disk;
}

export type Services = Awaited<ReturnType<typeof createServices>>;

/** Everything surfaces are given: one of each, passed down, nothing global. */
export async function createServices(given: ServiceOptions) {
  const quiet = quietOutages(given.log, given.db.contact);
  const options = { ...given, log: quiet.log };
  const { config, db, log, clock, nodeDir, crew = alone } = options;
  const metrics = createMetrics({ processMetrics: true });
  const partitions = createPartitions(db);
  const today = utcDay(clock());
  await partitions.ensure([today, utcDay(clock() + 86_400_000)]);
  const eventLog = await openLog(options, partitions);
  const node = await joinAs(options, eventLog);
  const corners = watchOthers(options, partitions);
  const secrets = await openSecrets(options);
  const vouching = createVouching({
    contact: db.contact,
    unheardMs: config.UNHEARD_SECONDS * 1000,
    clockMs: config.CLOCK_SECONDS * 1000,
    log,
    leftOut: quiet.leftOut,
    metrics,
  });
  const directory = await createAccountDirectory(db, log, { clock, vouching });
  const sharedCounts = await createSharedCounts({ db, clock, log, nodeId: node.id });
  const urls = publicUrlsOf(config);
  const places = await openPlaces(config);
  measureEventLog(metrics, eventLog);
  const lifecycle = { isOpen: false, isStopping: false };
  watchStatements(db, metrics, log, lifecycle);
  return {
    config,
    db,
    log,
    clock,
    metrics,
    partitions,
    eventLog,
    nodeDir,
    crew,
    lifecycle,
    node,
    corners,
    directory,
    vouching,
    sharedCounts,
    urls,
    ...secrets,
    ...places,
    ...doors(options, { directory, urls, sharedCounts, metrics }),
    ...textReaders(options),
    choices: await followChoices(db, log),
    mintId: createMintId(),
    rateLimit: createRateLimit(db, clock),
    jobs: createJobQueue({ db, clock, log, nodeId: node.id }),
    outbound: options.outbound ?? createOutbound({ allow: config.OUTBOUND_ALLOW }),
    disclosure: readDisclosure(),
  };
}

function publicUrlsOf(config: Config): ReturnType<typeof createPublicUrls> {
  return createPublicUrls({
    base: config.PUBLIC_BASE_URL,
    api: config.PUBLIC_API_URL,
    platform: config.PUBLIC_PLATFORM_URL,
    index: config.PUBLIC_INDEX_URL,
  });
}

function openLog(
  { config, db, log, clock, nodeDir, recorders, disk }: ServiceOptions,
  partitions: ReturnType<typeof createPartitions>,
) {
  return openEventLog(nodeDir, {
    db,
    partitions,
    recorders,
    clock,
    log,
    ack: config.ACK,
    maxBytes: config.JOURNAL_MAX_MB * 1024 * 1024,
    keepMs: config.JOURNAL_KEEP_MINUTES * 60_000,
    keepBytes: config.JOURNAL_KEEP_MB * 1024 * 1024,
    ...shippingOf(config),
    ...(disk === undefined ? {} : { disk }),
  });
}

/** What processes that ended left in the same data folder is brought to its end. */
function watchOthers(options: ServiceOptions, partitions: ReturnType<typeof createPartitions>) {
  const openIn = (nodeDir: string) => openLog({ ...options, nodeDir }, partitions);
  return watchCorners({ ...options, ...holdWindows(options.config), openLog: openIn });
}

/** Until when an ad that was served may still be paid. */
function holdWindows({ IMPRESSION_WINDOW_MINUTES: minutes }: Config) {
  return { windowMs: (minutes + 5) * 60_000, clickWindowMs: clicksKeptMs };
}

/** Joins the other nodes, and frees what the process before left held. */
async function joinAs(
  { config, db, log, clock, nodeDir }: ServiceOptions,
  eventLog: Awaited<ReturnType<typeof openLog>>,
) {
  const node = await joinNodes({
    db,
    clock,
    log,
    file: `${nodeDir}/node`,
    serves: config.ROLES.includes('serve'),
    reuseAfterMs: (config.IMPRESSION_WINDOW_MINUTES + 10) * 60_000,
    stats: () => ({ ...eventLog.stats }),
  });
  const freeing = freeAfterCrash({
    db,
    clock,
    log,
    eventLog,
    node,
    ...holdWindows(config),
  });
  // Its journal may take long to apply; an empty one does not.
  if (eventLog.stats.journalled === 0) await freeing;
  return node;
}

/** Everything that is made from the installation's secret. */
async function openSecrets({ config, db, log }: ServiceOptions) {
  const masterSecret = await findMasterSecret({
    secretKey: config.SECRET_KEY,
    dataDir: config.DATA_DIR,
    db,
    passphrase: config.BACKUP_PASSPHRASE,
  });
  if (config.BACKUP_PASSPHRASE !== '')
    await keepForBackups(db, masterSecret, config.BACKUP_PASSPHRASE);
  const sealer = createSealer(masterSecret);
  const trackingKeys = await createTrackingKeys(db, sealer, log);
  return {
    sealer,
    pseudonyms: createPseudonyms(masterSecret),
    experimentSecret: createHash('sha256')
      .update(`sidelight.experiments:${masterSecret}`)
      .digest('hex'),
    knownDevices: createKnownDevices(sealer),
    trackingKeys,
    trackingTokens: createTrackingTokens(trackingKeys, createRandomBytes(nonceBytes)),
  };
}

/** Where addresses are. */
async function openPlaces(config: Config) {
  const countries = await fromFile('GEO_MMDB', () =>
    openCountryLookup({ mmdbPath: config.GEO_MMDB === '' ? null : config.GEO_MMDB }),
  );
  const isDataCentre = await fromFile('DATA_CENTRES', async () =>
    config.DATA_CENTRES === '' ? loadDataCentres() : loadAddressRanges(config.DATA_CENTRES),
  );
  return { countryOf: remember(countries.countryOf, 20_000), isDataCentre };
}

/** Who calls, whether they may, and how often. */
function doors(
  { config, db, clock, adminSecret }: ServiceOptions,
  given: {
    directory: Awaited<ReturnType<typeof createAccountDirectory>>;
    urls: ReturnType<typeof createPublicUrls>;
    sharedCounts: Awaited<ReturnType<typeof createSharedCounts>>;
    metrics: ReturnType<typeof createMetrics>;
  },
) {
  const { directory, urls, sharedCounts, metrics } = given;
  const clientAddress = createClientAddress(config.TRUST_PROXY);
  const shed = metrics.counter('sidelight_requests_shed_total', 'Requests turned away by overload');
  const adminToken = createAdminToken(adminSecret);
  const sessions = createSessionStore(db, clock, {
    person: config.SESSION_HOURS,
    operator: config.OPERATOR_SESSION_HOURS,
  });
  return {
    sessions,
    adminToken,
    passwords: createPasswords(),
    guards: createGuards({
      directory,
      sessions,
      adminToken,
      ownOrigin: () => new URL(urls.platform).origin,
    }),
    clientAddress,
    describeAgent: createAgentDescriber(),
    requestLimits: createRequestLimits({
      keyRate: config.KEY_RATE,
      addressRate: config.ADDRESS_RATE,
      clock,
      directory,
      clientAddress,
      shared: sharedCounts,
    }),
    onShed: () => shed.inc(),
  };
}

/** What reads texts: models of our own, of others, and consent strings. */
function textReaders({ config, log, clock }: ServiceOptions) {
  return {
    ...createModels(config, log),
    consent: createConsentReader({
      clock,
      log,
      vendorId: config.TCF_VENDOR_ID,
      patienceMs: config.READING_MS,
    }),
    llm: createLlm({
      provider: config.LLM_PROVIDER,
      baseUrl: config.LLM_BASE_URL,
      apiKey: config.LLM_API_KEY,
      model: config.LLM_MODEL,
      timeoutMs: config.LLM_TIMEOUT_MS,
    }),
  };
}

/** What a node's readiness is judged by, but for the model and the room on its disk. */
export function nodeFacts({
  config,
  eventLog,
  corners,
  crew,
  vouching,
  directory,
  lifecycle,
}: Pick<
  Services,
  'config' | 'eventLog' | 'corners' | 'crew' | 'vouching' | 'directory' | 'lifecycle'
>) {
  return {
    ...vouching.state,
    crew: crew.state(),
    isStopping: lifecycle.isStopping,
    doubt: vouching.doubt(directory.knownAt()),
    journalLagMs: eventLog.stats.lagMs,
    journalDamaged: eventLog.stats.damaged + corners.damaged,
    journalRefusal: eventLog.stats.refusal,
    wantsModel: readsConversations(config),
  };
}

/** For ads, and to show people how: elsewhere the model would only take memory. */
function readsConversations({ MATCHING, ROLES }: Pick<Config, 'MATCHING' | 'ROLES'>): boolean {
  return MATCHING === 'semantic' && (ROLES.includes('serve') || ROLES.includes('platform'));
}

/** What is wrong with a file is wrong with the setting that names it. */
async function fromFile<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    throw new InvalidSettings([
      `${name} names a file that cannot be used: ${error instanceof Error ? error.message : 'unreadable'}`,
    ]);
  }
}

interface Models {
  reader: Reader;
  embedder: Embedder;
  toolReader: ToolReader;
}

/**
 * The reader of conversations, and the two models developer tools are found with: a general one,
 * and one that was taught the tools. An endpoint takes the place of the general one and gives the
 * reader of conversations its vectors.
 */
function createModels(config: Config, log: Log): Models {
  if (config.MATCHING === 'fast')
    return {
      reader: createNoReader(),
      embedder: createNoEmbedder(),
      toolReader: createNoToolReader(),
    };
  const workers = config.EMBEDDING_WORKERS;
  const patienceMs = config.READING_MS;
  const reader = readsConversations(config)
    ? createReader({ workers, cacheSize: 20_000, log, patienceMs })
    : createNoReader();
  const asleep = { workers: 1, cacheSize: 5_000, log, patienceMs, whenAsked: true };
  const toolReader = createToolReader({ ...asleep, cacheSize: 1_000 });
  if (config.EMBEDDING_URL === '') return { reader, embedder: createEmbedder(asleep), toolReader };
  const endpoint = createRemoteEmbedder({
    baseUrl: config.EMBEDDING_URL,
    apiKey: config.EMBEDDING_API_KEY,
    model: config.EMBEDDING_MODEL,
    cacheSize: 20_000,
    timeoutMs: 5_000,
    log,
  });
  return { reader: withEndpoint(reader, endpoint), embedder: endpoint, toolReader };
}

/** Where copies of the journal go; nowhere unless a setting says so. */
function shippingOf(config: Config): { shipping?: { ship: ShipFile; everyMs: number } } {
  const { JOURNAL_SHIP_DIR: folder, JOURNAL_SHIP_COMMAND: command } = config;
  if (folder === '' && command === '') return {};
  const ship = command === '' ? shipToFolder(resolve(folder)) : shipByCommand(command);
  return { shipping: { ship, everyMs: config.JOURNAL_SHIP_SECONDS * 1000 } };
}

function measureEventLog(metrics: Metrics, { stats }: EventLog): void {
  metrics.gauge(
    'sidelight_events_queued',
    'Events waiting for the next commit',
    () => stats.queued,
  );
  metrics.gauge(
    'sidelight_journal_bytes',
    'Bytes of the journal that are not in the database yet',
    () => stats.journalled,
  );
  metrics.gauge(
    'sidelight_journal_lag_seconds',
    'How long the oldest event of the journal waits for the database',
    () => stats.lagMs / 1000,
  );
  metrics.gauge(
    'sidelight_journal_damaged',
    'Damaged places of the journal, set aside for a person to look at',
    () => stats.damaged,
  );
  metrics.gauge(
    'sidelight_journal_unshipped_files',
    'Files of the journal that wait to be copied elsewhere',
    () => stats.unshipped,
  );
  metrics.gauge(
    'sidelight_journal_rewound',
    'How often the database was found to have gone back since the start',
    () => stats.rewound,
  );
}

/**
 * On the embedded engine everybody waits behind a long statement: it is told and counted, once
 * there is anybody who could wait.
 */
function watchStatements(
  { slow }: Database,
  metrics: Metrics,
  log: Log,
  lifecycle: { readonly isOpen: boolean },
): void {
  if (slow === undefined) return;
  let told = 0;
  slow.onSlow(({ ms, text }) => {
    if (!lifecycle.isOpen) return;
    told += 1;
    log.warn({ ms: Math.round(ms), statement: text }, 'slow statement');
  });
  metrics.gauge(
    'sidelight_slow_statements',
    'Statements that kept the embedded engine busy for longer than 50 ms since it is open',
    () => told,
  );
}
