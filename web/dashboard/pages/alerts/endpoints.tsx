import type { Static } from '@sinclair/typebox';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type {
  CreatedEndpoint,
  Endpoint,
  Endpoints as EndpointList,
} from '../../../../src/surfaces/alerts/schema.js';
import { call } from '../../core/api.js';
import { useApp } from '../../core/boot.js';
import { moment } from '../../core/format.js';
import { t } from '../../core/language.js';
import { useAct } from '../../core/hooks/use-act.js';
import { useLoad, type Loaded } from '../../core/hooks/use-load.js';
import { DataTable, type Column } from '../../ui/tables/data-table.js';
import { Check, TextField } from '../../ui/forms/fields.js';
import { Badge, Card, Code, Dialog } from '../../ui/parts.js';
import { Empty, Shown } from '../../ui/states.js';
import { alertTitles } from './alert-words.js';
import { DeliveriesDialog } from './deliveries.js';

export type Kind = 'advertiser' | 'publisher';

export function EndpointsCard({
  kind,
  onTested,
}: {
  kind: Kind;
  onTested: () => void;
}): JSX.Element {
  const base = `/${kind}-dashboard/webhooks`;
  const { zone } = useApp();
  const { act } = useAct();
  const list = useLoad<Static<typeof EndpointList>>(base);
  const [editing, setEditing] = useState<Endpoint | 'new' | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const [watched, setWatched] = useState<Endpoint | null>(null);
  const edits = useEndpointEdits({ act, editing, setSecret, base, setEditing, list });
  const given = { act, base, setWatched, onTested, setEditing, edits, list };
  const actions = (row: Endpoint): JSX.Element => <EndpointActions row={row} {...given} />;
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
            <NoEndpoints setEditing={setEditing} />
          ) : (
            <DataTable
              label={t('Webhook addresses')}
              rows={data.webhooks}
              rowKey={(row) => row.id}
              columns={endpointColumns(zone, actions)}
            />
          )
        }
      </Shown>
      {editing !== null && (
        <EditEndpoint
          kind={kind}
          endpoint={editing === 'new' ? null : editing}
          onClose={() => setEditing(null)}
          onSave={(body) => void edits.save(body)}
        />
      )}
      {watched !== null && (
        <DeliveriesDialog base={base} endpoint={watched} onClose={() => setWatched(null)} />
      )}
      {secret !== null && <SecretDialog setSecret={setSecret} secret={secret} />}
    </Card>
  );
}

function EndpointActions({
  row,
  act,
  base,
  setWatched,
  onTested,
  setEditing,
  edits,
  list,
}: {
  row: Endpoint;
  act: (work: () => Promise<string | undefined>) => Promise<boolean>;
  base: string;
  setWatched: (value: Endpoint | null) => void;
  onTested: () => void;
  setEditing: (value: Endpoint | 'new' | null) => void;
  edits: EndpointEdits;
  list: Loaded<Endpoints>;
}): JSX.Element {
  return (
    <span class="row">
      <SendTestButton row={row} act={act} base={base} setWatched={setWatched} onTested={onTested} />
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
        onClick={() => void edits.toggle(row)}
      >
        {row.is_active ? t('Switch off') : t('Switch on')}
      </button>
      <RemoveButton row={row} act={act} base={base} list={list} />
    </span>
  );
}

function SendTestButton({
  row,
  act,
  base,
  setWatched,
  onTested,
}: {
  row: Endpoint;
  act: (work: () => Promise<string | undefined>) => Promise<boolean>;
  base: string;
  setWatched: (value: Endpoint | null) => void;
  onTested: () => void;
}): JSX.Element {
  return (
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
  );
}

function RemoveButton({
  row,
  act,
  base,
  list,
}: {
  row: Endpoint;
  act: (work: () => Promise<string | undefined>) => Promise<boolean>;
  base: string;
  list: Loaded<Endpoints>;
}): JSX.Element {
  return (
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
  );
}

function NoEndpoints({
  setEditing,
}: {
  setEditing: (value: Endpoint | 'new' | null) => void;
}): JSX.Element {
  return (
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
  );
}

function endpointColumns(
  zone: string,
  actions: (row: Endpoint) => JSX.Element,
): readonly Column<Endpoint>[] {
  return [
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
  ];
}

function SecretDialog({
  setSecret,
  secret,
}: {
  setSecret: (value: string | null) => void;
  secret: string;
}): JSX.Element {
  return (
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
  );
}

interface EndpointEdits {
  save: (body: { url: string; alert_types: string[] }) => Promise<void>;
  toggle: (row: Endpoint) => Promise<void>;
}

function useEndpointEdits({
  act,
  editing,
  setSecret,
  base,
  setEditing,
  list,
}: {
  act: (work: () => Promise<string | undefined>) => Promise<boolean>;
  editing: Endpoint | 'new' | null;
  setSecret: (value: string | null) => void;
  base: string;
  setEditing: (value: Endpoint | 'new' | null) => void;
  list: Loaded<Endpoints>;
}): EndpointEdits {
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
  return { save, toggle };
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
        <AlertTypes types={types} setTypes={setTypes} own={own} />
        <div>
          <button class="button primary">{t('Save address')}</button>
        </div>
      </form>
    </Dialog>
  );
}

function AlertTypes({
  types,
  setTypes,
  own,
}: {
  types: readonly string[];
  setTypes: (value: readonly string[]) => void;
  own: string[];
}): JSX.Element {
  return (
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
  );
}

type Endpoints = Static<typeof EndpointList>;
