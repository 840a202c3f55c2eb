import type { Static } from '@sinclair/typebox';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type {
  Alerts,
  CreatedEndpoint,
  Endpoint,
  Endpoints as EndpointList,
} from '../../../src/surfaces/alerts/schema.js';
import { call } from '../core/api.js';
import { useApp } from '../core/boot.js';
import { moment } from '../core/format.js';
import { t } from '../core/language.js';
import { useAct } from '../core/use-act.js';
import { useLoad } from '../core/use-load.js';
import { CsvButton } from '../ui/csv-button.js';
import { DataTable } from '../ui/data-table.js';
import { Check, TextField } from '../ui/fields.js';
import { Badge, Card, Code, Dialog, Page } from '../ui/parts.js';
import { Empty, Shown } from '../ui/states.js';
import { alertSentence, alertTitles } from './alert-words.js';
import { DeliveriesDialog } from './deliveries.js';

type Kind = 'advertiser' | 'publisher';

/**
 * What happened that is worth knowing, and where it is sent. Both kinds of account have the same.
 */
export function AlertsPage({ kind }: { kind: Kind }): JSX.Element {
  const { zone } = useApp();
  const alerts = useLoad<Static<typeof Alerts>>(`/${kind}-dashboard/alerts`, { everyMs: 15_000 });
  return (
    <Page
      title={t('Alerts')}
      lead={
        kind === 'advertiser'
          ? t(
              'A budget nearly spent, stopped delivery, a falling conversion rate: noticed within minutes.',
            )
          : t('Stopped delivery is noticed within minutes.')
      }
    >
      <div class="stack">
        <EndpointsCard kind={kind} onTested={alerts.reload} />
        <Card
          title={t('What happened')}
          actions={
            <CsvButton
              what={t('Alerts')}
              from={() => [
                ['created_at', 'type', 'data'],
                ...(alerts.data?.alerts ?? []).map((row) => [
                  row.created_at,
                  row.type,
                  JSON.stringify(row.data),
                ]),
              ]}
            />
          }
        >
          <Shown load={alerts}>
            {(data) =>
              data.alerts.length === 0 ? (
                <Empty title={t('Nothing to report.')}>
                  <p>{t('Alerts are listed here whether or not they are sent anywhere.')}</p>
                </Empty>
              ) : (
                <DataTable
                  label={t('Alerts')}
                  rows={data.alerts}
                  rowKey={(row) => row.id}
                  columns={[
                    {
                      id: 'at',
                      title: t('When'),
                      cell: (row) => <span class="nowrap">{moment(row.created_at, zone)}</span>,
                      sort: (row) => row.created_at,
                    },
                    {
                      id: 'type',
                      title: t('What'),
                      cell: (row) => alertTitles[row.type] ?? row.type,
                      sort: (row) => row.type,
                    },
                    {
                      id: 'data',
                      title: t('Details'),
                      cell: (row) => (
                        <span class="wide-cell">{alertSentence(row.type, row.data)}</span>
                      ),
                    },
                  ]}
                />
              )
            }
          </Shown>
        </Card>
      </div>
    </Page>
  );
}

function EndpointsCard({ kind, onTested }: { kind: Kind; onTested: () => void }): JSX.Element {
  const base = `/${kind}-dashboard/webhooks`;
  const { zone } = useApp();
  const { act } = useAct();
  const list = useLoad<Static<typeof EndpointList>>(base);
  const [editing, setEditing] = useState<Endpoint | 'new' | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const [watched, setWatched] = useState<Endpoint | null>(null);
  const save = async (body: { url: string; alert_types: string[] }): Promise<void> => {
    const done = await act(async () => {
      if (editing === 'new')
        setSecret(
          (await call<Static<typeof CreatedEndpoint>>(base, { method: 'POST', body })).secret,
        );
      else if (editing !== null) await call(`${base}/${editing.id}`, { method: 'PATCH', body });
      return t('Saved.');
    });
    if (!done) return;
    setEditing(null);
    list.reload();
  };
  /** Shown at once; taken back when the server refuses. */
  const toggle = async (row: Endpoint): Promise<void> => {
    const apply = (active: boolean): void =>
      list.put((data) => ({
        webhooks: data.webhooks.map((one) =>
          one.id === row.id ? { ...one, is_active: active } : one,
        ),
      }));
    apply(!row.is_active);
    if (
      !(await act(
        async () => (
          await call(`${base}/${row.id}`, { method: 'PATCH', body: { is_active: !row.is_active } }),
          row.is_active ? t('Switched off.') : t('Switched on.')
        ),
      ))
    )
      apply(row.is_active);
  };
  const actions = (row: Endpoint): JSX.Element => (
    <span class="row">
      <button
        type="button"
        class="button small"
        aria-label={t('Send a test to {url}', { url: row.url })}
        onClick={() =>
          void act(
            async () => (
              await call(`${base}/${row.id}/test`, { method: 'POST' }),
              t('A test alert is on its way.')
            ),
          ).then((done) => done && (setWatched(row), onTested()))
        }
      >
        {t('Test')}
      </button>
      <button
        type="button"
        class="button small"
        aria-label={t('Deliveries to {url}', { url: row.url })}
        onClick={() => setWatched(row)}
      >
        {t('Deliveries')}
      </button>
      <button
        type="button"
        class="button small"
        aria-label={t('Edit {url}', { url: row.url })}
        onClick={() => setEditing(row)}
      >
        {t('Edit')}
      </button>
      <button
        type="button"
        class="button small"
        aria-label={`${row.is_active ? t('Switch off') : t('Switch on')} ${row.url}`}
        onClick={() => void toggle(row)}
      >
        {row.is_active ? t('Switch off') : t('Switch on')}
      </button>
      <button
        type="button"
        class="button small danger"
        aria-label={t('Remove {url}', { url: row.url })}
        onClick={() =>
          void act(
            async () => (await call(`${base}/${row.id}`, { method: 'DELETE' }), t('Removed.')),
          ).then(list.reload)
        }
      >
        {t('Remove')}
      </button>
    </span>
  );
  return (
    <Card
      title={t('Where alerts go')}
      actions={
        <button type="button" class="button small" onClick={() => setEditing('new')}>
          {t('Add address')}
        </button>
      }
    >
      <Shown load={list}>
        {(data) =>
          data.webhooks.length === 0 ? (
            <Empty title={t('Alerts are not sent anywhere yet.')}>
              <p>
                {t(
                  'Enter an address of your own server or of a chat tool that accepts webhooks. Each alert is signed and retried until it is accepted.',
                )}
              </p>
              <button type="button" class="button primary" onClick={() => setEditing('new')}>
                {t('Add an address')}
              </button>
            </Empty>
          ) : (
            <DataTable
              label={t('Webhook addresses')}
              rows={data.webhooks}
              rowKey={(row) => row.id}
              columns={[
                {
                  id: 'url',
                  title: t('Address'),
                  cell: (row) => (
                    <span class="clip" title={row.url}>
                      {row.url}
                    </span>
                  ),
                  sort: (row) => row.url,
                },
                {
                  id: 'types',
                  title: t('Alerts'),
                  cell: (row) =>
                    row.alert_types.length === 0
                      ? t('All')
                      : row.alert_types.map((type) => alertTitles[type] ?? type).join(', '),
                },
                {
                  id: 'state',
                  title: t('State'),
                  cell: (row) => <Badge value={row.is_active ? 'active' : 'off'} />,
                },
                {
                  id: 'since',
                  title: t('Added'),
                  cell: (row) => <span class="nowrap">{moment(row.created_at, zone)}</span>,
                  sort: (row) => row.created_at,
                },
                { id: 'actions', title: t('Actions'), cell: actions },
              ]}
            />
          )
        }
      </Shown>
      {editing !== null && (
        <EditEndpoint
          kind={kind}
          endpoint={editing === 'new' ? null : editing}
          onClose={() => setEditing(null)}
          onSave={(body) => void save(body)}
        />
      )}
      {watched !== null && (
        <DeliveriesDialog base={base} endpoint={watched} onClose={() => setWatched(null)} />
      )}
      {secret !== null && (
        <Dialog title={t('The signing secret')} onClose={() => setSecret(null)}>
          <div class="stack">
            <p>
              {t(
                'Copy it now; it will not be shown again. Your server uses it to verify that an alert comes from us.',
              )}
            </p>
            <Code label={t('Secret')} text={secret} />
            <Code
              label={t('Check a delivery')}
              text={
                "import { SIGNATURE_HEADER, verifyWebhook } from '@sidelight/sdk/webhooks';\n\nconst verdict = await verifyWebhook({ body: await request.text(), signature: request.headers.get(SIGNATURE_HEADER), secret });\nif (!verdict.ok) return new Response(verdict.reason, { status: 400 });"
              }
            />
          </div>
        </Dialog>
      )}
    </Card>
  );
}

function EditEndpoint({
  kind,
  endpoint,
  onClose,
  onSave,
}: {
  kind: Kind;
  endpoint: Endpoint | null;
  onClose: () => void;
  onSave: (body: { url: string; alert_types: string[] }) => void;
}): JSX.Element {
  const [url, setUrl] = useState(endpoint?.url ?? '');
  const own = Object.keys(alertTitles).filter((type) =>
    type.startsWith(kind === 'advertiser' ? 'campaign.' : 'publisher.'),
  );
  const [types, setTypes] = useState<readonly string[]>(endpoint?.alert_types ?? []);
  return (
    <Dialog
      title={endpoint === null ? t('Send alerts to an address') : t('Edit address')}
      onClose={onClose}
    >
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          onSave({ url: url.trim(), alert_types: [...types] });
        }}
      >
        <TextField
          label={t('Address')}
          value={url}
          onInput={setUrl}
          required
          maxLength={2000}
          inputMode="url"
          placeholder="https://"
          hint={t(
            'Must answer 2xx and be reachable from this server, so not an address in a private network.',
          )}
        />
        <fieldset>
          <legend>{t('Alerts')}</legend>
          <Check
            label={t('All, including ones added later')}
            checked={types.length === 0}
            onChange={(all) => setTypes(all ? [] : own)}
          />
          {own.map((type) => (
            <Check
              key={type}
              label={alertTitles[type] ?? type}
              checked={types.length === 0 || types.includes(type)}
              onChange={(on) =>
                setTypes(
                  on
                    ? [...types, type]
                    : (types.length === 0 ? own : types).filter((one) => one !== type),
                )
              }
            />
          ))}
        </fieldset>
        <div>
          <button class="button primary">{t('Save address')}</button>
        </div>
      </form>
    </Dialog>
  );
}
