import type { JSX } from 'preact';
import { query } from '../../core/api.js';
import { Link, navigate, useLocation } from '../../core/router.js';
import { useChosen } from '../../core/hooks/use-chosen.js';
import { usePages } from '../../core/hooks/use-pages.js';
import { t } from '../../core/language.js';
import { type Column, DataTable } from '../../ui/tables/data-table.js';
import { Card, Page } from '../../ui/parts.js';
import { Empty, Listed } from '../../ui/states.js';
import { ChangeBar } from './bulk-change-bar.js';

export function BulkList<Row extends { id: string }>({
  kind,
  columns,
  nameOf,
  mayChange,
}: {
  kind: 'ads' | 'ad_groups';
  columns: readonly Column<Row>[];
  nameOf: (row: Row) => string;
  mayChange: (row: Row) => boolean;
}): JSX.Element {
  const { path, search } = useLocation();
  const [text, status] = [search.get('q') ?? '', search.get('status') ?? ''];
  const { chosen, choose, chooseNone } = useChosen();
  const list = usePages<Row>(
    `/advertiser-dashboard/bulk/${kind.replace('_', '-')}${query({ q: text, status, limit: 50 })}`,
    // Of the route for this kind.
    (page) => page[kind] as Row[],
  );
  /** In the address: reload, back and a link show the same list. */
  const look = (change: { q?: string; status?: string; of?: string }): void => {
    chooseNone();
    const of = kind === 'ads' ? 'ads' : '';
    navigate(`${path}${query({ of, q: text, status, ...change })}`, { replace: true });
  };
  const open = list.items.filter(mayChange).map(({ id }) => id);
  return (
    <Page
      title={t('Ad groups and ads')}
      lead={t('Of all campaigns. Choose some and change them in one step.')}
    >
      <KindTabs kind={kind} look={look} />
      <Card
        title={kind === 'ads' ? t('Ads') : t('Ad groups')}
        actions={<ListFilters kind={kind} text={text} look={look} status={status} />}
      >
        <ChangeBar
          kind={kind}
          chosen={chosen}
          onDone={() => {
            chooseNone();
            list.reload();
          }}
        />
        <Listed list={list} empty={<NothingFound text={text} status={status} kind={kind} />}>
          {(rows) => (
            <RowsTable
              kind={kind}
              rows={rows}
              nameOf={nameOf}
              chosen={chosen}
              mayChange={mayChange}
              choose={choose}
              columns={columns}
            />
          )}
        </Listed>
        {open.length > 1 && <ChooseAll choose={choose} open={open} chosen={chosen} />}
      </Card>
    </Page>
  );
}

function KindTabs({
  kind,
  look,
}: {
  kind: 'ads' | 'ad_groups';
  look: (change: { q?: string; status?: string; of?: string }) => void;
}): JSX.Element {
  return (
    <div class="actions" role="group" aria-label={t('What is listed')}>
      {(
        [
          ['', t('Ad groups')],
          ['ads', t('Ads')],
        ] as const
      ).map(([of, title]) => (
        <button
          key={of}
          type="button"
          class="button small"
          aria-pressed={(kind === 'ads') === (of === 'ads')}
          onClick={() => look({ of, q: '', status: '' })}
        >
          {title}
        </button>
      ))}
    </div>
  );
}

function ListFilters({
  kind,
  text,
  look,
  status,
}: {
  kind: 'ads' | 'ad_groups';
  text: string;
  look: (change: { q?: string; status?: string; of?: string }) => void;
  status: string;
}): JSX.Element {
  return (
    <>
      <input
        type="search"
        aria-label={kind === 'ads' ? t('Find ads') : t('Find ad groups')}
        placeholder={t('Find by name or text')}
        value={text}
        onInput={(event) => look({ q: event.currentTarget.value })}
      />
      <select
        aria-label={t('Show')}
        value={status}
        onChange={(event) => look({ status: event.currentTarget.value })}
      >
        <option value="">{t('All but archived')}</option>
        <option value="active">{t('Active')}</option>
        <option value="paused">{t('Paused')}</option>
        <option value="archived">{t('Archived')}</option>
      </select>
    </>
  );
}

function NothingFound({
  text,
  status,
  kind,
}: {
  text: string;
  status: string;
  kind: 'ads' | 'ad_groups';
}): JSX.Element {
  return (
    <Empty
      title={
        text === '' && status === ''
          ? kind === 'ads'
            ? t('No ads yet.')
            : t('No ad groups yet.')
          : t('Nothing matches.')
      }
    >
      {text === '' && status === '' ? (
        <Link to="/app/advertiser/campaigns/new" class="button primary">
          {t('Create a campaign')}
        </Link>
      ) : (
        <p>{t('Change the filter or the search.')}</p>
      )}
    </Empty>
  );
}

function RowsTable<Row extends { id: string }>({
  kind,
  rows,
  nameOf,
  chosen,
  mayChange,
  choose,
  columns,
}: {
  kind: 'ads' | 'ad_groups';
  rows: Row[];
  nameOf: (row: Row) => string;
  chosen: ReadonlySet<string>;
  mayChange: (row: Row) => boolean;
  choose: (ids: readonly string[], on: boolean) => void;
  columns: readonly Column<Row>[];
}): JSX.Element {
  return (
    <DataTable
      label={kind === 'ads' ? t('Ads') : t('Ad groups')}
      rows={rows}
      rowKey={(row) => row.id}
      columns={[
        {
          id: 'choose',
          title: t('Choose'),
          cell: (row) => (
            <input
              type="checkbox"
              aria-label={t('Choose {name}', { name: nameOf(row) })}
              checked={chosen.has(row.id)}
              disabled={!mayChange(row)}
              onChange={(event) => choose([row.id], event.currentTarget.checked)}
            />
          ),
        },
        ...columns,
      ]}
    />
  );
}

function ChooseAll({
  choose,
  open,
  chosen,
}: {
  choose: (ids: readonly string[], on: boolean) => void;
  open: string[];
  chosen: ReadonlySet<string>;
}): JSX.Element {
  return (
    <div class="actions">
      <button
        type="button"
        class="button small"
        onClick={() => choose(open, chosen.size < open.length)}
      >
        {chosen.size < open.length ? t('Choose all shown') : t('Choose none')}
      </button>
    </div>
  );
}
