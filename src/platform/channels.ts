import type { Database, Db } from './db/db.js';

/**
 * How nodes tell each other what changed: by PostgreSQL notifications, sent when the transaction
 * that changed it commits. Every channel and what is said on it stands here; who listens loads what
 * the news names. News can be missed, so a follower also loads everything when it hears `null` and
 * from time to time.
 */
export interface Channel<News> {
  readonly name: string;
  write(news: News): string;
  /** Null where everything may have changed: said so, or a connection was lost and came back. */
  read(payload: string): News | null;
}

/** Nothing is said but that something changed. */
function plain(name: string): Channel<null> {
  return { name, write: () => '', read: () => null };
}

/** One campaign; of it only one ad group where that is named. */
export type InventoryNews = { campaignId: string; adGroupId: string | null };

/**
 * Products of one import, and whether more of it is still to come; which ones, where they are few
 * enough to be named. Or the merchants and currency rates.
 */
export type CatalogNews =
  { batchId: string; goesOn: boolean; productIds: readonly string[] | null } | 'merchants';

/** PostgreSQL takes 8,000 bytes in one notification. */
const mostNamed = 7000;

function namesOf(ids: readonly string[] | null): string {
  const text = ids === null || ids.some((id) => /\s/.test(id)) ? '' : ` ${ids.join(' ')}`;
  return Buffer.byteLength(text) > mostNamed ? '' : text;
}

/** Somebody does not want to see an ad again. */
export type DislikeNews = { publisherId: string; subject: string; adId: string };

/** What somebody decided about their ads, or that a hashed e-mail must not be linked. */
export type ChoiceNews =
  { publisherId: string; subject: string } | { advertiserId: string; identity: string };

/** Ads of which something learned turned out to be nobody's. */
export type LessonNews = { adIds: readonly string[] };

/** People of a publisher who were erased, by the names that were stored. */
export interface ErasureNews {
  publisherId: string;
  users: string[];
  sessions: string[];
  searchers: string[];
}

/** What a node counted of callers; the key and its amounts, in a period all nodes number alike. */
export interface CountNews {
  node: string;
  space: string;
  period: number;
  counts: [key: string, ...amounts: number[]][];
}

export const channels = {
  /** Keys, accounts and who may do what. */
  accounts: plain('accounts'),
  /** Keys that tracking addresses are signed with. */
  trackingKeys: plain('tracking_keys'),
  /** A job is due. */
  jobs: plain('jobs'),
  /** Which campaigns advertise which developer tools. */
  toolCampaigns: plain('tool_campaigns'),
  inventory: {
    name: 'inventory',
    write: ({ campaignId, adGroupId }) =>
      adGroupId === null ? campaignId : `${campaignId} ${adGroupId}`,
    read(payload) {
      const [campaignId = '', adGroupId = null] = payload.split(' ');
      return campaignId === '' ? null : { campaignId, adGroupId };
    },
  } satisfies Channel<InventoryNews>,
  catalog: {
    name: 'catalog',
    write: (news) =>
      news === 'merchants'
        ? news
        : `${news.goesOn ? 'part' : 'batch'} ${news.batchId}${namesOf(news.productIds)}`,
    read(payload) {
      const [what, batchId, ...productIds] = payload.split(' ');
      if (what === 'merchants') return 'merchants';
      return (what === 'batch' || what === 'part') && batchId !== undefined
        ? { batchId, goesOn: what === 'part', productIds: productIds[0] ? productIds : null }
        : null;
    },
  } satisfies Channel<CatalogNews>,
  dislikes: {
    name: 'ad_dislikes',
    write: ({ publisherId, subject, adId }) => JSON.stringify([publisherId, subject, adId]),
    read(payload) {
      if (payload === '') return null;
      // Written above.
      const [publisherId, subject, adId] = JSON.parse(payload) as [string, string, string];
      return { publisherId, subject, adId };
    },
  } satisfies Channel<DislikeNews>,
  choices: {
    name: 'privacy_choices',
    write: (news) =>
      'identity' in news
        ? `identity ${news.advertiserId} ${news.identity}`
        : `subject ${news.publisherId} ${news.subject}`,
    read(payload) {
      const [what, owner = '', of = ''] = payload.split(' ');
      if (what === 'identity') return { advertiserId: owner, identity: of };
      return what === 'subject' ? { publisherId: owner, subject: of } : null;
    },
  } satisfies Channel<ChoiceNews>,
  lessons: {
    name: 'lessons',
    write: ({ adIds }) => adIds.join(' '),
    read: (payload) => (payload === '' ? null : { adIds: payload.split(' ') }),
  } satisfies Channel<LessonNews>,
  erasures: {
    name: 'erasures',
    write: ({ publisherId, users, sessions, searchers }) =>
      JSON.stringify([publisherId, users, sessions, searchers]),
    read(payload) {
      if (payload === '') return null;
      // Written above.
      const [publisherId, users, sessions, searchers] = JSON.parse(payload) as [
        string,
        string[],
        string[],
        string[],
      ];
      return { publisherId, users, sessions, searchers };
    },
  } satisfies Channel<ErasureNews>,
  counts: {
    name: 'counts',
    write: ({ node, space, period, counts }) => JSON.stringify([node, space, period, counts]),
    read(payload) {
      if (payload === '') return null;
      // Written above.
      const [node, space, period, counts] = JSON.parse(payload) as [
        string,
        string,
        number,
        CountNews['counts'],
      ];
      return { node, space, period, counts };
    },
  } satisfies Channel<CountNews>,
} as const;

/** Heard on every node when the transaction commits; null: look at everything again. */
export async function announce<News>(
  tx: Db,
  channel: Channel<News>,
  news: News | null,
): Promise<void> {
  await tx.query(`select pg_notify($1, $2)`, [
    channel.name,
    news === null ? '' : channel.write(news),
  ]);
}

/**
 * Announces each campaign a statement names: `select ${announceEachCampaign('c.id')} from …`. One
 * statement for many campaigns.
 */
export function announceEachCampaign(idColumn: string): string {
  return `pg_notify('${channels.inventory.name}', ${idColumn}::text)`;
}

/** Resolves once it listens, to what ends that. */
export function hear<News>(
  db: Pick<Database, 'listen'>,
  channel: Channel<News>,
  onNews: (news: News | null) => void,
): Promise<() => Promise<void>> {
  return db.listen(channel.name, (payload) => onNews(channel.read(payload)));
}
