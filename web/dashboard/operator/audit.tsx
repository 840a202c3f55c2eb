import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ApiError, call, query } from '../core/api.js';
import { useApp } from '../core/boot.js';
import { moment, words } from '../core/format.js';
import { useLoad } from '../core/use-load.js';
import { CsvButton } from '../ui/csv-button.js';
import { DataTable } from '../ui/data-table.js';
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
            error instanceof ApiError ? error : new ApiError(0, 'The entries could not be loaded.'),
        })),
    );
  };
  useEffect(() => load([]), [account]);
  const { entries: items, ...rest } = state;
  return { ...rest, items, more: () => load(items), reload: () => load([]) };
}

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
      title="Audit trail"
      lead="Who changed what, with the state before and after. Nothing here can be edited."
    >
      <Card
        title="Newest entries"
        actions={
          <>
            <select
              aria-label="Account"
              value={account}
              onChange={(event) => setAccount(event.currentTarget.value)}
            >
              <option value="">Every account</option>
              {(accounts.data?.accounts ?? []).map((one) => (
                <option key={one.id} value={one.id}>
                  {one.name}
                </option>
              ))}
            </select>
            <CsvButton
              what="Audit trail"
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
          </>
        }
      >
        <Listed
          list={audit}
          empty={
            <Empty title="Nothing was changed yet.">
              <p>Every change a person or a key makes is written down here.</p>
            </Empty>
          }
          more="Load older entries"
        >
          {(items) => (
            <DataTable
              label="Audit trail"
              rows={items}
              rowKey={(row) => row.id}
              columns={[
                {
                  id: 'at',
                  title: 'When',
                  cell: (row) => <span class="nowrap">{moment(row.at, zone)}</span>,
                  sort: (row) => row.at,
                },
                {
                  id: 'what',
                  title: 'What',
                  cell: (row) => `${words(row.action)} ${row.entity.replaceAll('_', ' ')}`,
                  sort: (row) => row.action,
                },
                {
                  id: 'account',
                  title: 'Account',
                  cell: (row) => <span class="clip">{nameOf(row.account_id)}</span>,
                },
                { id: 'by', title: 'By', cell: (row) => row.actor_email ?? row.actor_kind },
                {
                  id: 'more',
                  title: 'Change',
                  cell: (row) => (
                    <button
                      type="button"
                      class="button small"
                      aria-label={`Show change of ${row.entity} at ${moment(row.at, zone)}`}
                      onClick={() => setOpen(row)}
                    >
                      Show
                    </button>
                  ),
                },
              ]}
            />
          )}
        </Listed>
      </Card>
      {open !== null && (
        <Dialog title={`${words(open.action)} ${open.entity}`} onClose={() => setOpen(null)}>
          <p class="quiet">
            {moment(open.at, zone)} by {open.actor_email ?? `${open.actor_kind} ${open.actor_id}`},{' '}
            {open.entity} {open.entity_id}
          </p>
          <h3>Before</h3>
          <pre class="diff" tabIndex={0}>
            {JSON.stringify(open.before, null, 2)}
          </pre>
          <h3>After</h3>
          <pre class="diff" tabIndex={0}>
            {JSON.stringify(open.after, null, 2)}
          </pre>
        </Dialog>
      )}
    </Page>
  );
}
