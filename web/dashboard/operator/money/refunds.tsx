import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ApiError, call } from '../../core/api.js';
import { useApp } from '../../core/boot.js';
import { count, money, moment } from '../../core/format.js';
import { rich, t } from '../../core/language.js';
import { useLoad } from '../../core/hooks/use-load.js';
import { fromField, toField } from '../../core/zone-time.js';
import { CsvButton } from '../../ui/tables/csv-button.js';
import { DataTable, type Column } from '../../ui/tables/data-table.js';
import { Choice, TextField } from '../../ui/forms/fields.js';
import { Card, Dialog } from '../../ui/parts.js';
import { Empty, Problem, Shown } from '../../ui/states.js';

/**
 * Takes back traffic found invalid after it was counted: charges return, reports of those days
 * change.
 */
export function RefundCard({
  accounts,
  onRefunded,
}: {
  accounts: readonly { id: string; name: string; kind: string }[];
  onRefunded: () => void;
}): JSX.Element {
  const draft = useRefund(accounts, onRefunded);
  return (
    <Card title={t('Refund traffic found invalid')}>
      <form class="form" onSubmit={draft.ask}>
        <RefundFields draft={draft} />
        <div>
          <button class="button danger">{t('Refund')}</button>
        </div>
      </form>
      {draft.asking && <RefundQuestion draft={draft} />}
    </Card>
  );
}

function RefundFields({ draft }: { draft: RefundDraft }): JSX.Element {
  return (
    <>
      {draft.problem !== null && <Problem message={draft.problem} />}
      <Choice
        label={t('Publisher')}
        value={draft.form.publisher_id}
        options={draft.choices('publisher')}
        onChange={(publisher_id) => draft.set({ publisher_id })}
      />
      <Choice
        label={t('Advertiser')}
        value={draft.form.advertiser_id}
        options={draft.choices('advertiser')}
        onChange={(advertiser_id) => draft.set({ advertiser_id })}
      />
      <TextField
        label={t('Campaign id')}
        value={draft.form.campaign_id}
        onInput={(campaign_id) => draft.set({ campaign_id })}
        maxLength={100}
      />
      <div class="form-row times">
        <TextField
          label={t('From')}
          type="datetime-local"
          value={draft.form.from}
          onInput={(from) => draft.set({ from })}
          required
        />
        <TextField
          label={t('To')}
          type="datetime-local"
          value={draft.form.to}
          onInput={(to) => draft.set({ to })}
          required
          hint={t('In {zone}.', { zone: draft.zone })}
        />
      </div>
      <TextField
        label={t('Reason')}
        value={draft.form.reason}
        onInput={(reason) => draft.set({ reason })}
        required
        maxLength={200}
        hint={t('Reports for those days are restated. Running it twice changes nothing.')}
      />
    </>
  );
}

function RefundQuestion({ draft }: { draft: RefundDraft }): JSX.Element {
  return (
    <Dialog title={t('Reverse this traffic?')} onClose={() => draft.setAsking(false)}>
      <div class="stack">
        <p>
          {rich(
            'Everything counted from {from} to {to} for {value} is reversed: advertisers get their money back, publishers lose their share. It cannot be undone.',
            {
              from: draft.form.from.replace('T', ' '),
              to: draft.form.to.replace('T', ' '),
              value: [draft.choices('publisher'), draft.choices('advertiser')]
                .flat()
                .filter(
                  ([id]) =>
                    id !== '' &&
                    (id === draft.form.publisher_id || id === draft.form.advertiser_id),
                )
                .map(([, name]) => name)
                .concat(
                  draft.form.campaign_id === ''
                    ? []
                    : [t('campaign {campaign_id}', { campaign_id: draft.form.campaign_id })],
                )
                .join(' and '),
            },
          )}
        </p>
        <div>
          <button type="button" class="button danger" onClick={() => void draft.refund()}>
            {t('Refund all of it')}
          </button>
        </div>
      </div>
    </Dialog>
  );
}

interface RefundDraft {
  zone: string;
  form: RefundForm;
  asking: boolean;
  setAsking: (value: boolean) => void;
  problem: string | null;
  set: (change: Partial<RefundForm>) => void;
  choices: (kind: string) => (readonly [string, string])[];
  ask: (event: Event) => void;
  refund: () => Promise<void>;
}

function useRefund(
  accounts: readonly { id: string; name: string; kind: string }[],
  onRefunded: () => void,
): RefundDraft {
  const { say, zone } = useApp();
  const [form, setForm] = useState<RefundForm>(() => ({
    advertiser_id: '',
    campaign_id: '',
    publisher_id: '',
    from: toField(new Date(Date.now() - 86_400_000).toISOString(), zone),
    to: toField(new Date().toISOString(), zone),
    reason: '',
  }));
  const [asking, setAsking] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const set = (change: Partial<RefundForm>): void =>
    setForm((before) => ({ ...before, ...change }));
  const named = [form.publisher_id, form.advertiser_id, form.campaign_id].some(
    (id) => id.trim() !== '',
  );
  const choices = (kind: string): (readonly [string, string])[] => [
    ['', t('Any')],
    ...accounts.filter((one) => one.kind === kind).map((one) => [one.id, one.name] as const),
  ];
  const ask = (event: Event): void => {
    event.preventDefault();
    setProblem(named ? null : t('Choose a publisher, an advertiser or a campaign.'));
    if (named) setAsking(true);
  };
  const refund = async (): Promise<void> => {
    setAsking(false);
    try {
      const ids = Object.fromEntries(
        (['advertiser_id', 'campaign_id', 'publisher_id'] as const)
          .map((name) => [name, form[name].trim()])
          .filter(([, value]) => value !== ''),
      );
      const done = await call<{ events: number; spend: number }>('/operator/refunds', {
        method: 'POST',
        body: {
          ...ids,
          from: fromField(form.from, zone),
          to: fromField(form.to, zone),
          reason: form.reason.trim(),
        },
      });
      say(
        t('{events} events reversed, {spend} refunded.', {
          events: count(done.events),
          spend: money(done.spend),
        }),
      );
      onRefunded();
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : t('Nothing was refunded.'));
    }
  };
  return { zone, form, asking, setAsking, problem, set, choices, ask, refund };
}

interface Entry {
  id: string;
  at: string;
  action: string;
  after: {
    advertiser_id?: string;
    publisher_id?: string;
    campaign_id?: string;
    reason?: string;
    events?: number;
    spendMicros?: number;
  } | null;
}

/** Refunds made lately, from the audit trail. */
export function RefundsCard({ nameOf }: { nameOf: (id: string | null) => string }): JSX.Element {
  const { zone } = useApp();
  const load = useLoad<{ entries: Entry[] }>('/operator/audit?limit=500');
  const made = (load.data?.entries ?? []).filter((entry) => entry.action === 'refund');
  const whose = (row: Entry): string =>
    [row.after?.publisher_id, row.after?.advertiser_id]
      .flatMap((id) => (id === undefined ? [] : [nameOf(id)]))
      .concat(
        row.after?.campaign_id === undefined
          ? []
          : [t('campaign {campaign_id}', { campaign_id: row.after.campaign_id })],
      )
      .join(', ');
  return (
    <Card
      title={t('Refunds made')}
      actions={
        <CsvButton
          what={t('Refunds')}
          from={() => [
            ['at', 'of', 'reason', 'events', 'spend'],
            ...made.map((row) => [
              row.at,
              whose(row),
              row.after?.reason,
              row.after?.events,
              (row.after?.spendMicros ?? 0) / 1e6,
            ]),
          ]}
        />
      }
    >
      <Shown load={load}>
        {() =>
          made.length === 0 ? (
            <Empty title={t('None lately.')}>
              <p>{t('Refunds appear here and in the audit trail.')}</p>
            </Empty>
          ) : (
            <DataTable
              label={t('Refunds made')}
              rows={made}
              rowKey={(row) => row.id}
              columns={refundColumns(zone, whose)}
            />
          )
        }
      </Shown>
    </Card>
  );
}

function refundColumns(zone: string, whose: (row: Entry) => string): readonly Column<Entry>[] {
  return [
    {
      id: 'at',
      title: t('When'),
      cell: (row) => <span class="nowrap">{moment(row.at, zone)}</span>,
      sort: (row) => row.at,
    },
    {
      id: 'whose',
      title: t('Of'),
      cell: (row) => <span class="wide-cell">{whose(row)}</span>,
    },
    {
      id: 'reason',
      title: t('Reason'),
      cell: (row) => <span class="wide-cell">{row.after?.reason ?? '—'}</span>,
    },
    {
      id: 'events',
      title: t('Events'),
      numeric: true,
      cell: (row) => count(row.after?.events ?? 0),
      sort: (row) => row.after?.events ?? 0,
    },
    {
      id: 'spend',
      title: t('Returned'),
      numeric: true,
      cell: (row) => money((row.after?.spendMicros ?? 0) / 1e6),
      sort: (row) => row.after?.spendMicros ?? 0,
    },
  ];
}

type RefundForm = Record<
  'advertiser_id' | 'campaign_id' | 'publisher_id' | 'from' | 'to' | 'reason',
  string
>;
