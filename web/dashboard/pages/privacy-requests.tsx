import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { call } from '../core/api.js';
import { useApp } from '../core/boot.js';
import { moment, words } from '../core/format.js';
import { t } from '../core/language.js';
import { useAct } from '../core/hooks/use-act.js';
import { useLoad, type Loaded } from '../core/hooks/use-load.js';
import { Choice, TextField } from '../ui/forms/fields.js';
import { LoadedTable } from '../ui/tables/loaded-table.js';
import { Card, Code, Page } from '../ui/parts.js';
import type { Role } from '../reports/report-columns.js';
import type { Column } from '../ui/tables/data-table.js';

interface Receipt {
  receipt_id: string;
  kind: string;
  at: string;
  asked_by: string;
  subject: string;
  found: Record<string, number>;
}

const doors = {
  advertiser: '/advertiser-dashboard/privacy-requests',
  publisher: '/publisher-dashboard/privacy-requests',
  operator: '/operator/privacy-requests',
};
const names = {
  advertiser: [
    ['em', 'E-mail'],
    ['ph', t('Phone')],
    ['external_id', t('Customer id')],
    ['visitor_id', t('Visitor id')],
  ],
  publisher: [
    ['user_id', t('User id')],
    ['session_id', t('Session id')],
    ['em', 'E-mail'],
  ],
  operator: [
    ['user_id', t('User id of a publisher')],
    ['em', 'E-mail'],
    ['ph', t('Phone')],
    ['external_id', t('Customer id')],
    ['visitor_id', t('Visitor id')],
  ],
} as const;

/** Showing and erasing what is kept of somebody, and the receipts of it. */
export function PrivacyRequestsPage({ kind }: { kind: keyof typeof doors }): JSX.Element {
  const { zone } = useApp();
  const path = doors[kind];
  const load = useLoad<{ requests: Receipt[] }>(path);
  const request = usePrivacyRequest(kind, path, load);
  return (
    <Page title={t('Privacy requests')}>
      <Card title={t('Someone asks what is stored about them')}>
        <form class="row" onSubmit={(event) => void request.submit(event)}>
          <Choice
            label={t('Request')}
            value={request.what}
            onChange={request.setWhat}
            options={[
              ['access', t('Show what is stored')],
              ['erase', t('Erase what is stored')],
            ]}
          />
          <Choice
            label={t('Known by')}
            value={request.by}
            onChange={request.setBy}
            options={names[kind]}
          />
          <TextField
            label={t('Which one')}
            value={request.who}
            onInput={request.setWho}
            required
            maxLength={500}
          />
          <button class="button primary" disabled={request.busy}>
            {t('Go')}
          </button>
        </form>
        {request.shown !== null && (
          <Code label={t('What is stored')} text={JSON.stringify(request.shown, null, 2)} />
        )}
      </Card>
      <LoadedTable
        title={t('Receipts')}
        path={path}
        load={load}
        rowsOf={(data) => data.requests}
        rowKey={(row) => row.receipt_id}
        empty={t('Nobody has asked yet.')}
        columns={receiptColumns(zone)}
      />
    </Page>
  );
}

function receiptColumns(zone: string): readonly Column<Receipt>[] {
  return [
    {
      id: 'at',
      title: t('When'),
      cell: (row) => <span class="nowrap">{moment(row.at, zone)}</span>,
      sort: (row) => row.at,
    },
    { id: 'kind', title: t('Request'), cell: (row) => words(row.kind), sort: (row) => row.kind },
    {
      id: 'found',
      title: t('Found'),
      cell: (row) =>
        Object.entries(row.found)
          .filter(([, number]) => number > 0)
          .map(([name, number]) => `${number} ${name.replaceAll('_', ' ')}`)
          .join(', ') || t('nothing'),
    },
    { id: 'id', title: t('Receipt'), cell: (row) => <code>{row.receipt_id}</code> },
  ];
}

interface PrivacyRequest {
  busy: boolean;
  what: string;
  setWhat: (value: string) => void;
  by: string;
  setBy: (value: string) => void;
  who: string;
  setWho: (value: string) => void;
  shown: unknown;
  submit: (event: Event) => Promise<void>;
}

function usePrivacyRequest(
  kind: Role,
  path: string,
  load: Loaded<{ requests: Receipt[] }>,
): PrivacyRequest {
  const { act, busy } = useAct();
  const [what, setWhat] = useState('access');
  const [by, setBy] = useState<string>(names[kind][0][0]);
  const [who, setWho] = useState('');
  const [shown, setShown] = useState<unknown>(null);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (
      what === 'erase' &&
      !confirm(t('Erase everything stored about this person? This cannot be undone.'))
    )
      return;
    await act(async () => {
      const receipt = await call<Receipt & { data?: unknown }>(path, {
        method: 'POST',
        body: { kind: what, [by]: who },
      });
      setShown(receipt.data ?? receipt.found);
      load.reload();
      return t('Receipt {receipt_id}', { receipt_id: receipt.receipt_id });
    });
  };
  return { busy, what, setWhat, by, setBy, who, setWho, shown, submit };
}
