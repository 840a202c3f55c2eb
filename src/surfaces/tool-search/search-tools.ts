import { grclidOf } from '../../domain/grclid.js';
import {
  disclose,
  type Disclosure,
  type DisclosureTable,
  languageOf,
  wordsOf,
} from '../../domain/disclosure/disclosure.js';
import { chooseInstall } from '../../domain/tool-search/choose-install.js';
import type { NeedState } from '../../domain/tool-search/need-state.js';
import { destinationOf, requestCredentials } from '../../domain/tool-search/request-credentials.js';
import { createWishDoubts } from '../../domain/tool-search/doubt-wishes.js';
import type { Tool } from '../../domain/tool-search/tool.js';
import { createReadingOrder } from '../../domain/tool-search/tool-reading.js';
import { isUuid } from '../../domain/uuid.js';
import type { AccountDirectory } from '../../platform/auth/account-directory.js';
import type { PublisherAccount } from '../../platform/auth/queries.js';
import type { Clock } from '../../platform/clock.js';
import type { Db } from '../../platform/db/db.js';
import type { EventLog } from '../../platform/events/event-log.js';
import { AppError, fieldError } from '../../platform/errors.js';
import type { MintId } from '../../platform/ids.js';
import type { Llm } from '../../platform/llm/llm.js';
import type { Permissions } from '../../domain/privacy/decision-table.js';
import type { PrivacyDecision } from '../../domain/privacy/weigh-signals.js';
import {
  judgeSearch,
  linkSignals,
  type SearchPrivacy,
  storedObject,
  storedSearcher,
  storedWords,
} from '../../platform/privacy/searcher.js';
import { type Decision, decideTool } from './decide-tool.js';
import type { ToolCampaigns } from './follow-campaigns.js';
import {
  findSearch,
  insertTurns,
  type StoredSearch,
  type StoredTurn,
  updateSearch,
} from './queries.js';
import { attributionOf, storable } from './read-attribution.js';
import type { MessageReaders } from './read-message.js';
import type { ToolAnswer, ToolSearch } from './schema.js';

/** A tracked link as the index-links surface stores it. */
export interface NewLink {
  id: string;
  searchId: string;
  publisherId: string;
  kind: 'tool';
  targetUrl: string;
  ref: string;
  campaignId: string | null;
  priceMicros: number | null;
  at: number;
}

export interface ToolSearchDeps extends SearchPrivacy, MessageReaders {
  db: Db;
  eventLog: Pick<EventLog, 'appendEntry' | 'settled'>;
  clock: Clock;
  mintId: MintId;
  llm?: Llm | null;
  campaigns: ToolCampaigns;
  disclosure: DisclosureTable;
  directory: Pick<AccountDirectory, 'advertiser'>;
  links: {
    insert(tx: Db, links: readonly NewLink[]): Promise<void>;
    rows(links: readonly NewLink[]): Record<string, readonly unknown[]>;
    urlOf(linkId: string): string;
  };
}

export type SearchTools = (
  publisher: Pick<PublisherAccount, 'id'>,
  body: ToolSearch,
  /** What is allowed, where more was said than the body says. */
  privacy?: PrivacyDecision,
) => Promise<ToolAnswer>;

const triesAtOnce = 4;

/** What is kept for the next question: the need, without whom it is about. */
function storedState(state: NeedState, allowed: Permissions): NeedState {
  return { ...state, text: storedWords(state.text, allowed) };
}

function linkFor(
  deps: ToolSearchDeps,
  decision: Decision,
  searchId: string,
  publisherId: string,
  at: number,
): NewLink | null {
  if (decision.chosen === null) return null;
  const { tool } = decision.chosen;
  const campaign = deps.campaigns.campaignOf(tool.slug);
  return {
    id: deps.mintId(at),
    searchId,
    publisherId,
    kind: 'tool',
    targetUrl: destinationOf(tool),
    ref: tool.slug,
    campaignId: campaign?.campaignId ?? null,
    priceMicros: campaign?.cpaMicros ?? null,
    at,
  };
}

function answerOf(
  deps: ToolSearchDeps,
  searchId: string,
  decision: Decision,
  link: NewLink | null,
  privacy: PrivacyDecision,
  locale: unknown,
): ToolAnswer {
  if (decision.chosen === null || link === null)
    return {
      search_id: searchId,
      recommendation: null,
      reasoning: decision.reasoning,
      install: null,
      credential_request: null,
      click_url: null,
      grclid: null,
      disclosure: null,
    };
  const { tool } = decision.chosen;
  const { name, slug, category, description, website_url, docs_url } = tool;
  const url = deps.links.urlOf(link.id) + linkSignals(privacy);
  const install = chooseInstall(tool, decision.state.constraints);
  const credentials = requestCredentials(tool, { url, grclid: grclidOf(link.id) });
  return {
    search_id: searchId,
    recommendation: { name, slug, category, description, website_url, docs_url },
    reasoning: decision.reasoning,
    install: { ...install, steps: [...install.steps], env_vars: [...install.env_vars] },
    credential_request: { ...credentials, required_env_vars: [...credentials.required_env_vars] },
    click_url: url,
    grclid: grclidOf(link.id),
    disclosure: disclosureOf(deps, tool, link, locale),
  };
}

/** Of a link that leads to what somebody pays for; what is paid is nobody else's business. */
function disclosureOf(
  deps: ToolSearchDeps,
  { name, slug }: Tool,
  link: NewLink,
  locale: unknown,
): Disclosure | null {
  if (link.campaignId === null) return null;
  const payer = deps.campaigns.campaignOf(slug)?.advertiserId ?? '';
  return disclose(wordsOf(deps.disclosure, languageOf(deps.disclosure, [locale])), {
    advertiser: name,
    paidBy: deps.directory.advertiser(payer)?.name ?? name,
    ground: 'search',
  });
}

function turnOf(
  decision: Decision,
  link: NewLink | null,
  searchId: string,
  turn: number,
  query: string,
  at: Date,
): StoredTurn {
  return {
    searchId,
    turn,
    at,
    query,
    answer: decision.answer,
    slug: decision.chosen?.tool.slug ?? null,
    category: decision.category,
    linkId: link?.id ?? null,
  };
}

async function begin(
  deps: ToolSearchDeps,
  publisherId: string,
  query: string,
  body: ToolSearch,
  privacy: PrivacyDecision,
): Promise<ToolAnswer> {
  const decision = await decideTool(
    deps,
    null,
    query,
    body.context ?? {},
    body.monetization?.mode === 'boost_cpa',
  );
  const now = deps.clock();
  const at = new Date(now);
  const id = deps.mintId(now);
  const link = linkFor(deps, decision, id, publisherId, now);
  const { permissions: allowed } = privacy;
  const { metadata, ...searcher } = attributionOf(body);
  const search: StoredSearch = {
    id,
    publisherId,
    at,
    state: storedState(decision.state, allowed),
    ...storedSearcher(deps, publisherId, searcher, allowed),
    metadata: storedObject(metadata, allowed),
  };
  await deps.eventLog.appendEntry({
    events: [],
    rows: {
      tool_searches: [search],
      tool_search_turns: [turnOf(decision, link, id, 1, storedWords(query, allowed), at)],
      ...(link === null ? {} : deps.links.rows([link])),
    },
  });
  return answerOf(deps, id, decision, link, privacy, body.locale);
}

/**
 * Two follow-ups at once take their turns one after the other: the later one is decided again on
 * what the earlier one left.
 */
async function goOn(
  deps: ToolSearchDeps,
  publisherId: string,
  searchId: string,
  query: string,
  body: ToolSearch,
  privacy: PrivacyDecision,
): Promise<ToolAnswer> {
  const { permissions: allowed } = privacy;
  const words = storedWords(query, allowed);
  // The turn before may be in the journal still.
  await deps.eventLog.settled([searchId.toLowerCase()]);
  for (let attempt = 0; attempt < triesAtOnce; attempt += 1) {
    const search = isUuid(searchId) ? await findSearch(deps.db, searchId, publisherId) : null;
    if (search === null) throw new AppError('not_found');
    const decision = await decideTool(
      deps,
      search.state,
      query,
      body.context ?? {},
      body.monetization?.mode === 'boost_cpa',
    );
    const now = deps.clock();
    const at = new Date(now);
    const link = linkFor(deps, decision, searchId.toLowerCase(), publisherId, now);
    const isStored = await deps.db.transaction(async (tx) => {
      if (
        !(await updateSearch(tx, {
          id: searchId,
          turns: search.turns,
          state: storedState(decision.state, allowed),
          at,
        }))
      )
        return false;
      await insertTurns(tx, [turnOf(decision, link, searchId, search.turns + 1, words, at)]);
      await deps.links.insert(tx, link === null ? [] : [link]);
      return true;
    });
    if (isStored)
      return answerOf(deps, searchId.toLowerCase(), decision, link, privacy, body.locale);
  }
  throw new AppError('conflict');
}

/**
 * One need, one recommendation. Every turn is stored before it is answered, so that its link works
 * and a follow-up finds it.
 */
export function createToolSearch(given: Omit<ToolSearchDeps, 'inOrder'>): SearchTools {
  const { index, toolReader } = given;
  const inOrder = createReadingOrder(index.tools, toolReader.taught);
  const doubted = createWishDoubts(index.tools);
  const deps = { ...given, inOrder: (row: Float32Array) => doubted(inOrder(row)) };
  return async (publisher, body, told) => {
    const query = storable(body.query).trim();
    if (query === '') throw fieldError(['body', 'query'], 'Field required', 'missing');
    const { search_id: searchId } = body;
    const privacy =
      told ?? (await judgeSearch(deps, publisher.id, body, attributionOf(body).emailHash));
    return searchId === undefined || searchId === null || searchId === ''
      ? begin(deps, publisher.id, query, body, privacy)
      : goOn(deps, publisher.id, searchId, query, body, privacy);
  };
}
