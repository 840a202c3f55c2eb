import { type Tool, toolCategories } from '../../domain/tool-search/tool.js';
import { builtToolVectors, loadVectors } from '../../platform/catalog-folder/load-vectors.js';
import type { Database } from '../../platform/db/db.js';
import { createStoredEmbeddings } from '../../platform/embedding/stored-embeddings.js';
import type { JobQueue } from '../../platform/jobs/job-queue.js';
import { errorFields } from '../../platform/log.js';
import { followToolCampaigns, type ToolCampaigns } from './follow-campaigns.js';
import { countOldSearches } from './queries.js';
import type { OpenedTools } from './open-tools.js';
import type { CategoryList } from './schema.js';
import { createToolSearch, type SearchTools, type ToolSearchDeps } from './search-tools.js';

export interface ToolSearchSurface {
  searchTools: SearchTools;
  listCategories(): CategoryList;
  /** By name. */
  listTools(): { slug: string; name: string; category: string }[];
  has(slug: string): boolean;
  campaigns: ToolCampaigns;
  /** `semantic` once the vectors are there. */
  readonly mode: 'semantic' | 'lexical';
  /** Settles when the vectors are there, or will not be. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

export interface ToolSearchOptions extends Omit<
  ToolSearchDeps,
  'db' | 'index' | 'vectorsLoaded' | 'findMentions' | 'roleReader' | 'inOrder' | 'campaigns'
> {
  db: Database;
  jobs: JobQueue;
  opened: OpenedTools;
  retentionDays: number;
}

/** Answers by meaning; by words only where the model is missing or late. */
export async function startToolSearch(options: ToolSearchOptions): Promise<ToolSearchSurface> {
  const { db, clock, log, embedder } = options;
  const { tools, index, findMentions, roleReader } = options.opened;
  const campaigns = await followToolCampaigns(options);
  const embedStored = createStoredEmbeddings(db, embedder, () =>
    new Date(clock()).toISOString().slice(0, 10),
  );
  const loading = loadVectors(embedder, embedStored, index.needTexts, builtToolVectors)
    .then((vectors) => {
      if (vectors !== null) index.setVectors(vectors);
    })
    .catch((error: unknown) => log.warn(errorFields(error), 'tool search stays lexical'));
  options.jobs.every('forget-tool-searches', 86_400_000, () =>
    countOldSearches(db, new Date(clock() - options.retentionDays * 86_400_000)),
  );
  const categories = countCategories(tools);
  return {
    searchTools: createToolSearch({
      ...options,
      index,
      findMentions,
      roleReader,
      campaigns,
      vectorsLoaded: loading,
    }),
    listCategories: () => categories,
    listTools: () =>
      tools
        .map(({ slug, name, category }) => ({ slug, name, category }))
        .sort((a, b) => a.name.localeCompare(b.name, 'en')),
    has: (slug) => index.find(slug) !== undefined,
    campaigns,
    get mode() {
      return index.hasVectors ? 'semantic' : 'lexical';
    },
    async settled() {
      await loading;
      await embedder.ready;
    },
    close: () => campaigns.close(),
  };
}

/** In alphabetical order whatever the case: Cache, CMS, Commerce, CRM. */
function countCategories(tools: readonly Tool[]): CategoryList {
  const names = [...toolCategories].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1));
  return {
    categories: names.map((name) => ({
      name,
      service_count: tools.filter((tool) => tool.category === name).length,
    })),
    total: tools.length,
  };
}
