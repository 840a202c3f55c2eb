import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ApiError, call, query } from '../core/api.js';
import { useApp } from '../core/boot.js';
import { moment, words } from '../core/format.js';
import { named, rich, t } from '../core/language.js';
import { useLoad, type Loaded } from '../core/hooks/use-load.js';
import { CsvButton } from '../ui/tables/csv-button.js';
import { DataTable, type Column } from '../ui/tables/data-table.js';
import { Card, Dialog, Page } from '../ui/parts.js';
import { Empty, Listed } from '../ui/states.js';

interface Entry {
  id: string;
  at: string;
  actor_kind: string;
  actor_id: string;
  actor_email: string | null;
  account_id: string | null;
  action: string;
  entity: string;
  entity_id: string;
  before: unknown;
  after: unknown;
}

const page = 100;

/**
 * Entries come newest first; older ones are asked for by the time of the last, which may bring
 * entries of the same moment again.
 */
function useAudit(account: string): {
  items: Entry[];
  loading: boolean;
  error: ApiError | undefined;
  hasMore: boolean;
  more: () => void;
  reload: () => void;
} {
  const [state, setState] = useState<{
    entries: Entry[];
    loading: boolean;
    error: ApiError | undefined;
    hasMore: boolean;
  }>({ entries: [], loading: true, error: undefined, hasMore: false });
  const load = (known: readonly Entry[]): void => {
    setState((before) => ({ ...before, loading: true, error: undefined }));
    call<{ entries: Entry[] }>(
      `/operator/audit${query({ account_id: account, limit: page, before: known.length === 0 ? undefined : new Date(Date.parse(known.at(-1)?.at ?? '') + 1).toISOString() })}`,
    ).then(
      ({ entries }) =>
        setState({
          entries: [...known, ...entries.filter((one) => !known.some(({ id }) => id === one.id))],
          loading: false,
          error: undefined,
          hasMore: entries.length === page,
        }),
      (error: unknown) =>
        setState((before) => ({
          ...before,
          loading: false,
          error:
            error instanceof ApiError
              ? error
              : new ApiError(0, t('The entries could not be loaded.')),
        })),
    );
  };
  useEffect(() => load([]), [account]);
  const { entries: items, ...rest } = state;
  return { ...rest, items, more: () => load(items), reload: () => load([]) };
}

/** What was done and to what; somebody who signs in does nothing to themselves. */
const doneTo = ({ action, entity }: Entry): string =>
  action.startsWith('sign_')
    ? words(action)
    : t('{action} {entity}', { action: words(action), entity: named(entity) });

export function AuditPage(): JSX.Element {
  const { zone } = useApp();
  const [account, setAccount] = useState('');
  const [open, setOpen] = useState<Entry | null>(null);
  const accounts = useLoad<{ accounts: { id: string; name: string }[] }>('/operator/accounts');
  const audit = useAudit(account);
  const nameOf = (id: string | null): string =>
    id === null ? '—' : (accounts.data?.accounts.find((one) => one.id === id)?.name ?? id);
  return (
    <Page
      title={t('Audit trail')}
      lead={t('Who changed what, with the state before and after. Nothing here can be edited.')}
    >
      <EntriesCard
        account={account}
        setAccount={setAccount}
        accounts={accounts}
        audit={audit}
        nameOf={nameOf}
        zone={zone}
        setOpen={setOpen}
      />
      {open !== null && <EntryDialog open={open} setOpen={setOpen} zone={zone} />}
    </Page>
  );
}

function EntriesCard({
  account,
  setAccount,
  accounts,
  audit,
  nameOf,
  zone,
  setOpen,
}: {
  account: string;
  setAccount: (value: string) => void;
  accounts: Loaded<{ accounts: { id: string; name: string }[] }>;
  audit: {
    items: Entry[];
    loading: boolean;
    error: ApiError | undefined;
    hasMore: boolean;
    more: () => void;
    reload: () => void;
  };
  nameOf: (id: string | null) => string;
  zone: string;
  setOpen: (value: Entry | null) => void;
}): JSX.Element {
  return (
    <Card
      title={t('Newest entries')}
      actions={
        <>
          <AccountFilter account={account} setAccount={setAccount} accounts={accounts} />
          <EntriesCsv audit={audit} nameOf={nameOf} />
        </>
      }
    >
      <Listed
        list={audit}
        empty={
          <Empty title={t('Nothing was changed yet.')}>
            <p>{t('Every change a person or a key makes is written down here.')}</p>
          </Empty>
        }
        more={t('Load older entries')}
      >
        {(items) => (
          <DataTable
            label={t('Audit trail')}
            rows={items}
            rowKey={(row) => row.id}
            columns={entryColumns(zone, nameOf, setOpen)}
          />
        )}
      </Listed>
    </Card>
  );
}

function AccountFilter({
  account,
  setAccount,
  accounts,
}: {
  account: string;
  setAccount: (value: string) => void;
  accounts: Loaded<{ accounts: { id: string; name: string }[] }>;
}): JSX.Element {
  return (
    <select
      aria-label={t('Account')}
      value={account}
      onChange={(event) => setAccount(event.currentTarget.value)}
    >
      <option value="">{t('Every account')}</option>
      {(accounts.data?.accounts ?? []).map((one) => (
        <option key={one.id} value={one.id}>
          {one.name}
        </option>
      ))}
    </select>
  );
}

function EntriesCsv({
  audit,
  nameOf,
}: {
  audit: {
    items: Entry[];
    loading: boolean;
    error: ApiError | undefined;
    hasMore: boolean;
    more: () => void;
    reload: () => void;
  };
  nameOf: (id: string | null) => string;
}): JSX.Element {
  return (
    <CsvButton
      what={t('Audit trail')}
      from={() => [
        [
          'at',
          'action',
          'entity',
          'entity_id',
          'account',
          'actor_kind',
          'actor_id',
          'before',
          'after',
        ],
        ...audit.items.map((row) => [
          row.at,
          row.action,
          row.entity,
          row.entity_id,
          nameOf(row.account_id),
          row.actor_kind,
          row.actor_id,
          JSON.stringify(row.before),
          JSON.stringify(row.after),
        ]),
      ]}
    />
  );
}

function entryColumns(
  zone: string,
  nameOf: (id: string | null) => string,
  setOpen: (value: Entry | null) => void,
): readonly Column<Entry>[] {
  return [
    {
      id: 'at',
      title: t('When'),
      cell: (row) => <span class="nowrap">{moment(row.at, zone)}</span>,
      sort: (row) => row.at,
    },
    {
      id: 'what',
      title: t('What'),
      cell: doneTo,
      sort: (row) => row.action,
    },
    {
      id: 'account',
      title: t('Account'),
      cell: (row) => (
        <span class="clip" title={nameOf(row.account_id)}>
          {nameOf(row.account_id)}
        </span>
      ),
    },
    { id: 'by', title: t('By'), cell: (row) => row.actor_email ?? words(row.actor_kind) },
    {
      id: 'more',
      title: t('Change'),
      cell: (row) => (
        <button
          type="button"
          class="button small"
          aria-label={t('Show change of {entity} at {at}', {
            entity: row.entity,
            at: moment(row.at, zone),
          })}
          onClick={() => setOpen(row)}
        >
          {t('Show')}
        </button>
      ),
    },
  ];
}

function EntryDialog({
  open,
  setOpen,
  zone,
}: {
  open: Entry;
  setOpen: (value: Entry | null) => void;
  zone: string;
}): JSX.Element {
  return (
    <Dialog title={doneTo(open)} onClose={() => setOpen(null)}>
      <p class="quiet">
        {rich('{at} by {actor_email}, {entity} {entity_id}', {
          at: moment(open.at, zone),
          actor_email: open.actor_email ?? `${open.actor_kind} ${open.actor_id}`,
          entity: open.entity,
          entity_id: open.entity_id,
        })}
      </p>
      <h3>{t('Before')}</h3>
      <pre class="diff" tabIndex={0}>
        {JSON.stringify(open.before, null, 2)}
      </pre>
      <h3>{t('After')}</h3>
      <pre class="diff" tabIndex={0}>
        {JSON.stringify(open.after, null, 2)}
      </pre>
    </Dialog>
  );
}
