import type { Static } from '@sinclair/typebox';
import type { JSX } from 'preact';
import type { GapList } from '../../../../src/surfaces/tool-search/schema.js';
import { useApp } from '../../core/boot.js';
import { count, moment, percent, words } from '../../core/format.js';
import { heard, named, rich, t } from '../../core/language.js';
import { useLoad, type Loaded } from '../../core/hooks/use-load.js';
import { Bars } from '../../ui/charts/charts.js';
import { CsvButton } from '../../ui/tables/csv-button.js';
import { DataTable, type Column } from '../../ui/tables/data-table.js';
import { Badge, Card, Page } from '../../ui/parts.js';
import { Empty, Shown } from '../../ui/states.js';
import { type Catalog, FeedsCard } from './feeds.js';
import { ImportsCard } from './imports.js';
import { ToolCampaignsCard } from './tool-campaigns.js';

export function CatalogPage(): JSX.Element {
  const catalog = useLoad<Catalog>('/operator/catalog', { everyMs: 15_000 });

  return (
    <Page
      title={t('Catalog')}
      lead={t('What the searches cover, and what people looked for without success.')}
    >
      <div class="stack">
        <GapsCard />
        <ToolCampaignsCard />
        <FeedsCard catalog={catalog} />
        <ImportsCard catalog={catalog} />
        <MerchantsCard catalog={catalog} />
        <ToolsCard />
      </div>
    </Page>
  );
}

function MerchantsCard({ catalog }: { catalog: Loaded<Catalog> }): JSX.Element {
  return (
    <Card
      title={t('Merchants')}
      actions={
        <CsvButton
          what={t('Merchants')}
          from={() => [
            ['name', 'platform', 'products', 'in_stock', 'commission_percent'],
            ...(catalog.data?.merchants ?? []).map((row) => [
              row.name,
              row.platform,
              row.products,
              row.in_stock,
              row.commission_bps / 100,
            ]),
          ]}
        />
      }
    >
      <Shown load={catalog}>
        {(data) =>
          data.merchants.length === 0 ? (
            <Empty title={t('No merchants yet.')}>
              <p>{t('Add a feed above: its merchant comes with it.')}</p>
            </Empty>
          ) : (
            <DataTable
              label={t('Merchants')}
              rows={data.merchants}
              rowKey={(row) => row.id}
              columns={merchantColumns()}
            />
          )
        }
      </Shown>
    </Card>
  );
}

function merchantColumns(): readonly Column<{
  id: string;
  name: string;
  platform: string;
  commission_bps: number;
  ucp_endpoint: string | null;
  ucp_problem: string | null;
  products: number;
  in_stock: number;
}>[] {
  return [
    {
      id: 'name',
      title: t('Merchant'),
      cell: (row) => row.name,
      sort: (row) => row.name,
    },
    {
      id: 'platform',
      title: t('Source'),
      cell: (row) => words(row.platform),
      sort: (row) => row.platform,
    },
    {
      id: 'products',
      title: t('Products'),
      numeric: true,
      cell: (row) => count(row.products),
      sort: (row) => row.products,
    },
    {
      id: 'stock',
      title: t('In stock'),
      numeric: true,
      cell: (row) => count(row.in_stock),
      sort: (row) => row.in_stock,
    },
    {
      id: 'commission',
      title: t('Commission'),
      numeric: true,
      cell: (row) => percent(row.commission_bps / 100),
      sort: (row) => row.commission_bps,
    },
    {
      id: 'checkout',
      title: t('Agent checkout'),
      cell: (row) =>
        row.ucp_endpoint !== null ? (
          <Badge value="live" />
        ) : (
          <span class="quiet" title={row.ucp_problem ?? undefined}>
            {rich('none{value}', {
              value: row.ucp_problem !== null && `: ${checkoutProblem(row.ucp_problem)}`,
            })}
          </span>
        ),
    },
  ];
}

/** Why agents cannot buy there, as the server said it. */
function checkoutProblem(problem: string): string {
  const [, status] = /^answered (\d+)$/.exec(problem) ?? [];
  return status === undefined ? heard(problem) : t('answered {status}', { status });
}

function ToolsCard(): JSX.Element {
  const categories = useLoad<{ categories: { name: string; service_count: number }[] }>(
    '/categories',
  );
  return (
    <Card title={t('Developer tools by category')}>
      <Shown load={categories}>
        {(data) => (
          <Bars
            label={t('Services by category')}
            rows={[...data.categories]
              .sort((a, b) => b.service_count - a.service_count)
              .map((row) => ({ name: row.name, value: row.service_count }))}
            format={count}
          />
        )}
      </Shown>
    </Card>
  );
}

function GapsCard(): JSX.Element {
  const { zone } = useApp();
  const gaps = useLoad<Static<typeof GapList>>('/operator/search-gaps');
  return (
    <Card
      title={t('Searches without a good answer')}
      actions={
        <CsvButton
          what={t('Search gaps')}
          from={() => [
            ['query', 'answer', 'category', 'recommended', 'searches', 'last_at'],
            ...(gaps.data?.gaps ?? []).map((row) => [
              row.query,
              row.answer,
              row.category,
              row.recommended,
              row.searches,
              row.last_at,
            ]),
          ]}
        />
      }
    >
      <Shown load={gaps}>
        {(data) =>
          data.gaps.length === 0 ? (
            <Empty title={t('No search of the last 30 days went without a good answer.')}>
              <p>
                {t(
                  'Searches without a result appear here, so you know which tools to add to the index.',
                )}
              </p>
            </Empty>
          ) : (
            <DataTable
              label={t('Searches without a good answer')}
              rows={data.gaps}
              rowKey={(row) => `${row.query} ${row.answer}`}
              columns={gapColumns(zone)}
            />
          )
        }
      </Shown>
    </Card>
  );
}

function gapColumns(zone: string): readonly Column<{
  category: string | null;
  query: string;
  answer: string;
  recommended: string | null;
  searches: number;
  last_at: string;
}>[] {
  return [
    {
      id: 'query',
      title: t('Looked for'),
      cell: (row) => <span class="wide-cell">{row.query}</span>,
      sort: (row) => row.query,
    },
    {
      id: 'answer',
      title: t('Answer'),
      cell: (row) => named(row.answer),
      sort: (row) => row.answer,
    },
    {
      id: 'nearest',
      title: t('Nearest'),
      cell: (row) => row.recommended ?? row.category ?? '—',
    },
    {
      id: 'searches',
      title: t('Searches'),
      numeric: true,
      cell: (row) => count(row.searches),
      sort: (row) => row.searches,
    },
    {
      id: 'at',
      title: t('Last'),
      cell: (row) => <span class="nowrap">{moment(row.last_at, zone)}</span>,
      sort: (row) => row.last_at,
    },
  ];
}
