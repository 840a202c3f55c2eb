import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ApiError, call } from '../../core/api.js';
import { useApp } from '../../core/boot.js';
import { moment } from '../../core/format.js';
import { t } from '../../core/language.js';
import { useAct } from '../../core/hooks/use-act.js';
import type { Loaded } from '../../core/hooks/use-load.js';
import { DataTable, type Column } from '../../ui/tables/data-table.js';
import { Choice, TextField } from '../../ui/forms/fields.js';
import { Badge, Card, Dialog } from '../../ui/parts.js';
import { Empty, Problem, Shown } from '../../ui/states.js';

export interface Run {
  id: string;
  merchant: string;
  source: string;
  format: string;
  status: string;
  problem: string | null;
  started_at: string;
  finished_at: string | null;
  rows_read: number;
  rows_written: number;
  rows_unchanged: number;
  rows_failed: number;
  rows_removed: number;
  shown: string | null;
}

/** What the operator's catalog call answers. */
export interface Catalog {
  merchants: {
    id: string;
    name: string;
    platform: string;
    commission_bps: number;
    ucp_endpoint: string | null;
    ucp_problem: string | null;
    products: number;
    in_stock: number;
  }[];
  feeds: {
    id: string;
    merchant: string;
    url: string;
    format: string;
    every_minutes: number;
    is_active: boolean;
    next_run_at: string | null;
  }[];
  runs: Run[];
}

const formats = [
  ['auto', t('Detect automatically')],
  ['google-xml', t('Shopping feed (XML)')],
  ['table', t('CSV or TSV')],
  ['jsonl', t('JSON lines')],
  ['shopify', t('Storefront products.json')],
  ['schema-org', t('Product pages')],
] as const;

export function FeedsCard({ catalog }: { catalog: Loaded<Catalog> }): JSX.Element {
  const { zone } = useApp();
  const { act } = useAct();
  const [adding, setAdding] = useState(false);
  return (
    <Card
      title={t('Product feeds')}
      actions={
        <button type="button" class="button small" onClick={() => setAdding(true)}>
          {t('Add feed')}
        </button>
      }
    >
      <Shown load={catalog}>
        {(data) =>
          data.feeds.length === 0 ? (
            <Empty title={t('No feeds yet.')}>
              <p>
                {t(
                  'Add the address of a merchant’s product feed: it is read at once and then on a schedule.',
                )}
              </p>
            </Empty>
          ) : (
            <DataTable
              label={t('Product feeds')}
              rows={data.feeds}
              rowKey={(row) => row.id}
              columns={feedColumns(zone, act, catalog)}
            />
          )
        }
      </Shown>
      {adding && (
        <AddFeed
          onClose={() => setAdding(false)}
          onAdded={() => {
            setAdding(false);
            catalog.reload();
          }}
        />
      )}
    </Card>
  );
}

function feedColumns(
  zone: string,
  act: (work: () => Promise<string | undefined>) => Promise<boolean>,
  catalog: Loaded<Catalog>,
): readonly Column<{
  id: string;
  merchant: string;
  url: string;
  format: string;
  every_minutes: number;
  is_active: boolean;
  next_run_at: string | null;
}>[] {
  return [
    {
      id: 'merchant',
      title: t('Merchant'),
      cell: (row) => row.merchant,
      sort: (row) => row.merchant,
    },
    {
      id: 'url',
      title: t('Address'),
      cell: (row) => (
        <span class="clip" title={row.url}>
          {row.url}
        </span>
      ),
    },
    { id: 'format', title: t('Format'), cell: (row) => row.format },
    {
      id: 'every',
      title: t('Every'),
      cell: (row) =>
        row.every_minutes % 60 === 0
          ? `${row.every_minutes / 60} h`
          : t('{every_minutes} min', { every_minutes: row.every_minutes }),
    },
    {
      id: 'next',
      title: t('Next'),
      cell: (row) =>
        row.is_active ? (
          <span class="nowrap">{moment(row.next_run_at, zone)}</span>
        ) : (
          <Badge value="off" />
        ),
    },
    {
      id: 'act',
      title: t('Actions'),
      cell: (row) => row.is_active && <RemoveFeedButton row={row} act={act} catalog={catalog} />,
    },
  ];
}

function RemoveFeedButton({
  row,
  act,
  catalog,
}: {
  row: {
    id: string;
    merchant: string;
    url: string;
    format: string;
    every_minutes: number;
    is_active: boolean;
    next_run_at: string | null;
  };
  act: (work: () => Promise<string | undefined>) => Promise<boolean>;
  catalog: Loaded<Catalog>;
}): JSX.Element {
  return (
    <button
      type="button"
      class="button small danger"
      aria-label={t('Stop reading the feed of {merchant}', {
        merchant: row.merchant,
      })}
      onClick={() =>
        void act(
          async () => (
            await call(`/operator/catalog/feeds/${row.id}`, { method: 'DELETE' }),
            t('Stopped.')
          ),
        ).then(catalog.reload)
      }
    >
      {t('Stop')}
    </button>
  );
}

function AddFeed({ onClose, onAdded }: { onClose: () => void; onAdded: () => void }): JSX.Element {
  const feed = useNewFeed(onAdded);
  return (
    <Dialog title={t('Add a product feed')} onClose={onClose}>
      <form class="form" onSubmit={(event) => void feed.add(event)}>
        {feed.problem !== null && <Problem message={feed.problem} />}
        <Addresses feed={feed} />
        <FeedTerms feed={feed} />
        <div>
          <button class="button primary">{t('Add feed')}</button>
        </div>
      </form>
    </Dialog>
  );
}

function Addresses({ feed }: { feed: NewFeed }): JSX.Element {
  return (
    <>
      <TextField
        label={t('Merchant')}
        value={feed.form.merchant}
        onInput={(merchant) => feed.set({ merchant })}
        required
        maxLength={120}
      />
      <TextField
        label={t('Address of the feed')}
        value={feed.form.url}
        onInput={(url) => feed.set({ url })}
        required
        inputMode="url"
        maxLength={2000}
        placeholder="https://"
      />
      <TextField
        label={t('Address of the shop')}
        value={feed.form.store_url}
        onInput={(store_url) => feed.set({ store_url })}
        inputMode="url"
        maxLength={500}
        placeholder="https://"
        hint={t('Checked for agent checkout.')}
      />
    </>
  );
}

function FeedTerms({ feed }: { feed: NewFeed }): JSX.Element {
  return (
    <div class="form-row">
      <Choice
        label={t('Format')}
        value={feed.form.format}
        options={formats}
        onChange={(format) => feed.set({ format })}
      />
      <TextField
        label={t('Currency')}
        value={feed.form.currency}
        onInput={(currency) => feed.set({ currency })}
        maxLength={3}
        placeholder="USD"
        hint={t('Where the feed names none.')}
      />
      <TextField
        label={t('Read every (hours)')}
        value={feed.form.hours}
        onInput={(hours) => feed.set({ hours })}
        type="number"
        min="1"
        step="1"
        required
      />
      <TextField
        label={t('Commission in per cent')}
        value={feed.form.commission}
        onInput={(commission) => feed.set({ commission })}
        type="number"
        min="0"
        step="0.1"
        required
      />
    </div>
  );
}

interface NewFeed {
  form: FeedForm;
  problem: string | null;
  set: (change: Partial<FeedForm>) => void;
  add: (event: Event) => Promise<void>;
}

function useNewFeed(onAdded: () => void): NewFeed {
  const { say } = useApp();
  const [form, setForm] = useState<FeedForm>({
    merchant: '',
    url: '',
    store_url: '',
    format: 'auto',
    currency: '',
    hours: '24',
    commission: '0',
  });
  const [problem, setProblem] = useState<string | null>(null);
  const set = (change: Partial<FeedForm>): void => setForm((before) => ({ ...before, ...change }));
  const add = async (event: Event): Promise<void> => {
    event.preventDefault();
    try {
      await call('/operator/catalog/feeds', {
        method: 'POST',
        body: {
          merchant: form.merchant.trim(),
          url: form.url.trim(),
          format: form.format,
          every_minutes: Math.round(Number(form.hours) * 60),
          commission_bps: Math.round(Number(form.commission) * 100),
          ...(form.store_url.trim() === '' ? {} : { store_url: form.store_url.trim() }),
          ...(form.currency === '' ? {} : { currency: form.currency.toUpperCase() }),
        },
      });
      say(t('The feed is being read. Its import appears below.'));
      onAdded();
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : t('The feed was not added.'));
    }
  };
  return { form, problem, set, add };
}

type FeedForm = Record<
  'merchant' | 'url' | 'store_url' | 'format' | 'currency' | 'hours' | 'commission',
  string
>;
