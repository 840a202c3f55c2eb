import { isTrustEntry } from './platform/http/client-address.js';
import { roles } from './platform/http/role-gate.js';
import {
  setting,
  type SettingTable,
  type SettingValues,
  readSettings,
} from './platform/settings.js';

/**
 * Every setting of the server: the only place that knows environment variable names. `.env.example`
 * and
 * `sidelight config` are made from this table.
 */
export const settingTable = {
  HOST: setting.text('127.0.0.1', 'Address to listen on; 0.0.0.0 for every interface'),
  PORT: setting.integer(8080, 'Port to listen on; 0 picks a free one', { min: 0, max: 65535 }),
  DEMO_STORE_PORT: setting.integer(
    0,
    'Port of the demo shop’s own origin; 0: the one after PORT. Only where there is a demo',
    { min: 0, max: 65535 },
  ),
  WORKERS: setting.integer(
    1,
    'Processes behind PORT, each a node of its own, for machines with several cores; more than 1 needs DATABASE_URL',
    { min: 1, max: 64 },
  ),
  ROLES: setting.list(
    roles.join(','),
    'What this process is there for: serve (ads), track (beacons, conversions), platform (dashboards, API, MCP), index (search), worker (jobs); other doors answer 421',
    {
      accepts: (text) => roles.some((role) => role === text),
      says: `must list some of ${roles.join(', ')}`,
    },
  ),
  METRICS_PORT: setting.integer(
    0,
    'Serve /metrics on this port, without a key; 0: on PORT, behind METRICS_KEY. With WORKERS the next ports too, one a worker',
    { min: 0, max: 65535 },
  ),
  METRICS_KEY: setting.secretText(
    '',
    'Bearer key of /metrics on PORT; empty: only a signed-in operator reads it there',
    { accepts: (text) => text.length >= 16, says: 'must have at least 16 characters' },
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: setting.url(
    '',
    'Collector that is sent metrics and traces as OpenTelemetry over HTTP (http://collector:4318); empty: nobody',
  ),
  OTEL_EXPORTER_OTLP_HEADERS: setting.secretText(
    '',
    'Headers the collector asks for: name=value,name=value',
  ),
  OTEL_SERVICE_NAME: setting.text('sidelight', 'What this server is called there'),
  OTEL_METRIC_EXPORT_INTERVAL: setting.integer(
    60_000,
    'Milliseconds between two sendings of metrics',
    {
      min: 1000,
      max: 3_600_000,
    },
  ),
  TRACES_PERCENT: setting.integer(
    10,
    'How many of a hundred requests are sent as traces; those a caller traces itself always are',
    { min: 0, max: 100 },
  ),
  DATA_DIR: setting.text('./data', 'Folder of the embedded store, the journal and demo.json'),
  DATABASE_URL: setting.secretText(
    '',
    'postgres://… uses that PostgreSQL (15 or newer) instead of the embedded store',
    {
      // Without a host it names a folder of sockets.
      accepts: (text) =>
        /^postgres(ql)?:\/\//.test(text) && URL.canParse(text.replace('@/', '@sockets/')),
      says: 'must be a postgres:// address; in a password # / ? are written %23 %2F %3F',
    },
  ),
  DATABASE_CONNECTIONS: setting.integer(10, 'Connections to a PostgreSQL server, for each worker', {
    min: 2,
    max: 200,
  }),
  DATABASE_SILENCE_MS: setting.integer(
    5000,
    'After so long without an answer from a PostgreSQL server its connections are dropped and requests that need it get 503',
    { min: 100, max: 600_000 },
  ),
  UNHEARD_SECONDS: setting.integer(
    30,
    'How long keys and campaigns are trusted while the PostgreSQL server is not heard; after that requests with a key get 503; 0: for ever',
    { min: 0, max: 86_400 },
  ),
  CLOCK_SECONDS: setting.integer(
    60,
    'How far the clock of this machine may be from the PostgreSQL server’s; beyond that requests with a key get 503',
    { min: 5, max: 86_400 },
  ),
  SECRET_KEY: setting.secretText(
    '',
    'At least 32 characters; seals stored secrets. Empty: made once and kept beside the data',
    { accepts: (text) => text.length >= 32, says: 'must have at least 32 characters' },
  ),
  BACKUP_PASSPHRASE: setting.secretText(
    '',
    'At least 12 characters; keeps the secret, sealed with it, in the store, so that a backup, export or dump can be opened with it alone',
    { accepts: (text) => text.length >= 12, says: 'must have at least 12 characters' },
  ),
  DEMO: setting.choice(
    ['auto', '1', 'accounts', '0'],
    'auto',
    'On an empty store create demo accounts and inventory (1), accounts only, or nothing (0); auto: 1 on a loopback HOST without DATABASE_URL, else 0',
  ),
  PUBLIC_BASE_URL: setting.url(
    '',
    'Address of ad serving put into links; empty: the address listened on',
  ),
  PUBLIC_API_URL: setting.url('', 'Address of tracking and conversions put into links'),
  PUBLIC_PLATFORM_URL: setting.url('', 'Address of dashboards and MCP put into links'),
  PUBLIC_INDEX_URL: setting.url('', 'Address of the search index put into links'),
  TRUST_PROXY: setting.list(
    'loopback,private',
    'Whose X-Forwarded-For is believed: loopback, private, all, none, or addresses and CIDR ranges',
    {
      accepts: isTrustEntry,
      says: 'must list loopback, private, all, none, addresses or CIDR ranges',
    },
  ),
  KEY_RATE: setting.integer(5000, 'Requests a second an account may make with its keys', {
    min: 1,
    max: 1_000_000,
  }),
  ADDRESS_RATE: setting.integer(
    500,
    'Requests a second from one address without a key (IPv6: from one /64); private ones are not counted',
    { min: 1, max: 1_000_000 },
  ),
  PIXEL_EVENTS_PER_DAY: setting.integer(
    5_000_000,
    'Events a day one pixel may report, on all nodes together',
    { min: 1, max: 1_000_000_000 },
  ),
  QUEUE_MS: setting.integer(
    500,
    'How long an ad, beacon or search may wait for its turn until it is turned away with 503, any new request once half of that is to be expected; 0 never',
    { min: 0, max: 60_000 },
  ),
  IMPORT_WAIT_MS: setting.integer(
    1000,
    'How long a product search waits for products imported just before; a small shop at start: 20 times as long',
    { min: 0, max: 600_000 },
  ),
  LISTINGS_MB: setting.integer(
    128,
    'Embedded engine: the most megabytes of listings kept in memory to be shown without asking the database; 0 none',
    { min: 0, max: 100_000 },
  ),
  READING_MS: setting.integer(
    3000,
    'How long a conversation may wait for the model; after that the ad is chosen by words',
    { min: 1, max: 600_000 },
  ),
  LOG_LEVEL: setting.choice(
    ['debug', 'info', 'warn', 'error', 'silent'],
    'info',
    'How much is logged',
  ),
  SIGN_UP: setting.choice(
    ['open', 'invitation', 'off'],
    'invitation',
    'Who may open an account: anybody, those invited by operators and owners, or only those operators add',
  ),
  SMTP_URL: setting.secretText(
    '',
    'smtp://user:password@host:port or smtps://… sends mail; empty: operators see the links and hand them on',
    { accepts: (text) => /^smtps?:\/\//.test(text), says: 'must be a smtp:// or smtps:// address' },
  ),
  MAIL_FROM: setting.text('Sidelight <no-reply@localhost>', 'Sender of mail'),
  SESSION_HOURS: setting.integer(168, 'Hours until people have to sign in again', {
    min: 1,
    max: 8760,
  }),
  OPERATOR_SESSION_HOURS: setting.integer(12, 'Hours until operators have to sign in again', {
    min: 1,
    max: 8760,
  }),
  REVIEW: setting.choice(
    ['manual', 'auto'],
    'manual',
    'auto approves campaigns that pass the automatic checks at once',
  ),
  MATCHING: setting.choice(
    ['semantic', 'fast'],
    'semantic',
    'fast matches by words only and loads no model',
  ),
  EMBEDDING_WORKERS: setting.integer(1, 'Threads of the embedded model', { min: 1, max: 16 }),
  EMBEDDING_URL: setting.url(
    '',
    'OpenAI-compatible embedding endpoint to use instead of the embedded model',
  ),
  EMBEDDING_API_KEY: setting.secretText('', 'Its key'),
  EMBEDDING_MODEL: setting.text('', 'Its model'),
  LLM_PROVIDER: setting.choice(
    ['none', 'openai', 'anthropic'],
    'none',
    'Language model: any OpenAI-compatible endpoint, Anthropic, or none',
  ),
  LLM_BASE_URL: setting.url('', 'Its address; empty: the vendor’s own'),
  LLM_API_KEY: setting.secretText('', 'Its key'),
  LLM_MODEL: setting.text('', 'Its model'),
  LLM_TIMEOUT_MS: setting.integer(
    2000,
    'How long an answer may take before the local path answers',
    { min: 100, max: 60000 },
  ),
  WEB_SEARCH_PROVIDER: setting.choice(
    ['none', 'searxng', 'brave'],
    'none',
    'Web search behind product search when the catalog has nothing',
  ),
  WEB_SEARCH_URL: setting.url('', 'Its address'),
  WEB_SEARCH_API_KEY: setting.secretText('', 'Its key'),
  GEO_MMDB: setting.text('', 'Country database in .mmdb form to use instead of the bundled one'),
  DATA_CENTRES: setting.text(
    '',
    'File of networks where no people browse, one address or CIDR range a line, instead of the bundled ranges of clouds and hosters: beacons from them are kept but never count. An empty file filters nothing',
  ),
  UNSHOWN_BUDGET_PERCENT: setting.integer(
    40,
    'How much of what a budget has left the ads one publisher asked for and has not shown may hold',
    { min: 1, max: 100 },
  ),
  IMPRESSION_WINDOW_MINUTES: setting.integer(30, 'How long after serving an impression counts', {
    min: 1,
    max: 1440,
  }),
  CLICK_WINDOW_DAYS: setting.integer(30, 'How long after a click a conversion is credited to it', {
    min: 1,
    max: 365,
  }),
  VIEW_WINDOW_HOURS: setting.integer(24, 'How long after a view a conversion is credited to it', {
    min: 0,
    max: 720,
  }),
  EARNINGS_HOLD_DAYS: setting.integer(
    14,
    'Days a publisher’s earnings are held before they can be paid',
    { min: 1, max: 365 },
  ),
  DISCLOSED_PERCENT: setting.integer(
    50,
    'Of a hundred ads seen for a second so many must be seen to be ads; publishers below are shown to operators',
    { min: 1, max: 100 },
  ),
  UNDISCLOSED_EARNINGS: setting.choice(
    ['pay', 'hold'],
    'pay',
    'What becomes of the earnings of publishers below DISCLOSED_PERCENT: paid as others’, or held until they are above it',
  ),
  PAYOUTS: setting.choice(
    ['manual', 'stripe_connect'],
    'manual',
    'Who sends publishers what was approved: the operator, or Stripe Connect with STRIPE_SECRET_KEY to those who opened an account there',
  ),
  REVERSAL_WINDOW_DAYS: setting.integer(
    30,
    'How long after it was told of a paid conversion may be taken back by its shop',
    { min: 0, max: 365 },
  ),
  SESSION_CAP: setting.integer(3, 'Times one campaign is shown in one session', {
    min: 1,
    max: 1000,
  }),
  USER_CAP: setting.integer(10, 'Times one campaign is shown to one user in a day', {
    min: 1,
    max: 1000,
  }),
  ACK: setting.choice(
    ['journal', 'database'],
    'journal',
    'When an event is acknowledged: synced to the journal under DATA_DIR, or committed to the database (for machines whose disk does not last)',
  ),
  JOURNAL_MAX_MB: setting.integer(
    8192,
    'Megabytes of events the journal takes while the database is away; beyond that they are refused with 503',
    { min: 1, max: 1_000_000 },
  ),
  JOURNAL_KEEP_MINUTES: setting.integer(
    60,
    'How long the journal keeps what is in the database, so that it is applied again after a failover to a replica that was behind or a restore',
    { min: 0, max: 10_080 },
  ),
  JOURNAL_KEEP_MB: setting.integer(1024, 'The most it keeps for that', {
    min: 0,
    max: 1_000_000,
  }),
  JOURNAL_SHIP_DIR: setting.text(
    '',
    'Folder, best on another machine, that gets a copy of every file of the journal, for `sidelight restore --journal`',
  ),
  JOURNAL_SHIP_COMMAND: setting.text(
    '',
    'Command that copies one instead: $1 is the file, $2 the name to keep it under; it must end with 0 once the copy is safe',
  ),
  JOURNAL_SHIP_SECONDS: setting.integer(30, 'The most that is not copied yet', {
    min: 1,
    max: 3600,
  }),
  RETENTION_DAYS: setting.integer(400, 'Days raw events are kept; totals stay', {
    min: 2,
    max: 3650,
  }),
  QUERY_DAYS: setting.integer(
    90,
    'Days the words of product and tool searches are kept; after that only how many there were',
    { min: 1, max: 3650 },
  ),
  SESSION_CHOICE_DAYS: setting.integer(
    30,
    'Days that what somebody without a user id decided about their ads holds for their session',
    { min: 1, max: 3650 },
  ),
  EXPERIMENT_DAYS: setting.integer(
    90,
    'Days after its end that an experiment keeps who was in which arm; after that its result alone',
    { min: 1, max: 3650 },
  ),
  TCF_VENDOR_ID: setting.integer(
    0,
    'Number of this installation’s operator in the list of TCF vendors: consent strings must name it; 0: not listed, the purposes alone count',
    { min: 0, max: 65_535 },
  ),
  STRIPE_SECRET_KEY: setting.secretText('', 'Charges invoices through Stripe'),
  STRIPE_API_URL: setting.url('', 'Another address than Stripe’s own, for a stand-in'),
  STRIPE_WEBHOOK_SECRET: setting.secretText('', 'Checks Stripe’s webhooks'),
  STOREFRONT_WEBHOOK_SECRET: setting.secretText(
    '',
    'Shared secret of the storefront app; signs its webhooks',
  ),
  OUTBOUND_ALLOW: setting.list(
    '',
    'host or host:port the server may fetch although it is private (for testing)',
  ),
  DRAIN_SECONDS: setting.integer(
    2,
    'How long after SIGTERM requests are still taken, each as the last of its connection, so that balancers notice that /ready is 503',
    { min: 0, max: 60 },
  ),
  SHUTDOWN_SECONDS: setting.integer(
    10,
    'How long a stop takes at most, whatever requests under way and the database do',
    { min: 1, max: 600 },
  ),
} satisfies SettingTable;

export type Config = SettingValues<typeof settingTable>;

/** Throws `InvalidSettings` naming every problem at once. */
export function readConfig(environment: Record<string, string | undefined>): Config {
  return readSettings(settingTable, environment);
}

/**
 * Whether an empty store gets demo accounts and data: when asked for, or when only this machine can
 * reach the server and the data is its own.
 */
export function demoMode(
  config: Pick<Config, 'DEMO' | 'HOST' | 'DATABASE_URL'>,
): '1' | 'accounts' | '0' {
  if (config.DEMO !== 'auto') return config.DEMO;
  return isLoopback(config.HOST) && config.DATABASE_URL === '' ? '1' : '0';
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);
}

/** Every setting as an operator may read it: of secrets only whether they are set. */
export function shownSettings(config: Config): {
  name: string;
  value: string;
  about: string;
  is_secret: boolean;
  is_default: boolean;
}[] {
  return Object.entries(settingTable).map(([name, { about, secret, fallback }]) => {
    // The table and the values it was read into have the same names.
    const value = textOf(config[name as keyof Config]);
    return {
      name,
      value: secret ? (value === '' ? '' : '(set)') : withoutCredentials(value),
      about,
      is_secret: secret,
      is_default: value === textOf(settingTable[name as keyof typeof settingTable].read(fallback)),
    };
  });
}

function textOf(value: unknown): string {
  return Array.isArray(value) ? value.join(',') : String(value ?? '');
}

/** An address may carry a password where nobody would look for one. */
function withoutCredentials(value: string): string {
  const at = value.indexOf('@');
  const scheme = value.indexOf('://');
  return scheme === -1 || at < scheme ? value : `${value.slice(0, scheme + 3)}…${value.slice(at)}`;
}
