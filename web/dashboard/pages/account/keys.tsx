import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ApiError, call } from '../../core/api.js';
import { useApp, type Session } from '../../core/boot.js';
import { moment } from '../../core/format.js';
import { rich, t } from '../../core/language.js';
import { useLoad, type Loaded } from '../../core/hooks/use-load.js';
import { DataTable, type Column } from '../../ui/tables/data-table.js';
import { Choice, TextField } from '../../ui/forms/fields.js';
import { Card, Code, Dialog, Page } from '../../ui/parts.js';
import { Empty, Shown } from '../../ui/states.js';
import { RequestLog } from './request-log.js';

interface Key {
  id: string;
  name: string;
  prefix: string;
  scopes: string[] | null;
  expires_at: string | null;
  created_at: string;
  last_used_at: string | null;
}

const everything = ['', t('do everything')] as const;
const advertiserScopes = [
  everything,
  ['read', t('read reports')],
  ['read manage', t('read and manage campaigns')],
  ['conversions', t('send conversions')],
] as const;
const publisherScopes = [
  everything,
  ['serve', t('ask for ads')],
  ['search', t('search tools and products')],
  ['read', t('read reports')],
] as const;
const ends = [
  ['', t('never')],
  ['30', t('in 30 days')],
  ['90', t('in 90 days')],
  ['365', t('in a year')],
] as const;

export function KeysPage(): JSX.Element {
  const { zone, say, session } = useApp();
  const keys = useLoad<Key[]>('/session/keys');

  const [minted, setMinted] = useState<string | null>(null);
  const [asking, setAsking] = useState<{ key: Key; what: 'regenerate' | 'revoke' } | null>(null);
  const act = async (work: () => Promise<{ api_key: string } | undefined>): Promise<void> => {
    try {
      const answer = await work();
      if (answer !== undefined) setMinted(answer.api_key);
      keys.reload();
    } catch (error) {
      say(error instanceof ApiError ? error.message : t('That did not work.'), 'bad');
    }
  };
  return (
    <Page
      title={t('API keys')}
      lead={t(
        'A key is shown once. Only its hash is kept, so a lost key is replaced, not recovered.',
      )}
    >
      <div class="stack">
        <NewKeyCard act={act} session={session} />
        <KeysCard keys={keys} zone={zone} setAsking={setAsking} />
        <RequestLog keys={keys.data ?? []} />
      </div>
      {asking !== null && <KeyQuestion asking={asking} setAsking={setAsking} act={act} />}
      {minted !== null && (
        <Dialog title={t('Your new key')} onClose={() => setMinted(null)}>
          <p>{t('Copy it now: it will not be shown again.')}</p>
          <Code label={t('API key')} text={minted} />
        </Dialog>
      )}
    </Page>
  );
}

function NewKeyCard({
  act,
  session,
}: {
  act: (work: () => Promise<{ api_key: string } | undefined>) => Promise<void>;
  session: Session | null;
}): JSX.Element {
  const [name, setName] = useState('');
  const [scope, setScope] = useState('');
  const [days, setDays] = useState('');
  return (
    <Card title={t('New key')}>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          void act(() =>
            call('/session/keys', {
              method: 'POST',
              body: {
                name: name.trim() === '' ? 'default' : name.trim(),
                ...(scope === '' ? {} : { scopes: scope.split(' ') }),
                ...(days === ''
                  ? {}
                  : {
                      expires_at: new Date(Date.now() + Number(days) * 86_400_000).toISOString(),
                    }),
              },
            }),
          );
          setName('');
        }}
      >
        <TextField
          label={t('Name')}
          value={name}
          onInput={setName}
          maxLength={100}
          placeholder={t('production')}
        />
        <Choice
          label={t('May')}
          value={scope}
          onChange={setScope}
          options={session?.role === 'publisher' ? publisherScopes : advertiserScopes}
        />
        <Choice label={t('Ends')} value={days} onChange={setDays} options={ends} />
        <button class="button primary">{t('Create key')}</button>
      </form>
    </Card>
  );
}

function KeysCard({
  keys,
  zone,
  setAsking,
}: {
  keys: Loaded<Key[]>;
  zone: string;
  setAsking: (value: { key: Key; what: 'regenerate' | 'revoke' } | null) => void;
}): JSX.Element {
  return (
    <Card title={t('Your keys')}>
      <Shown load={keys}>
        {(list) =>
          list.length === 0 ? (
            <Empty title={t('No keys yet.')}>
              <p>{t('Create one above to use the API.')}</p>
            </Empty>
          ) : (
            <DataTable
              label={t('API keys')}
              rows={list}
              rowKey={(key) => key.id}
              columns={keyColumns(zone, setAsking)}
            />
          )
        }
      </Shown>
    </Card>
  );
}

function keyColumns(
  zone: string,
  setAsking: (value: { key: Key; what: 'regenerate' | 'revoke' } | null) => void,
): readonly Column<Key>[] {
  return [
    {
      id: 'name',
      title: t('Name'),
      cell: (key) => key.name,
      sort: (key) => key.name,
    },
    {
      id: 'prefix',
      title: t('Starts with'),
      cell: (key) => <code>{key.prefix}…</code>,
    },
    {
      id: 'scopes',
      title: t('May'),
      cell: (key) => (key.scopes === null ? t('everything') : key.scopes.join(', ')),
    },
    {
      id: 'ends',
      title: t('Ends'),
      cell: (key) => (key.expires_at === null ? t('Never') : moment(key.expires_at, zone)),
      sort: (key) => key.expires_at ?? '',
    },
    {
      id: 'created',
      title: t('Created'),
      cell: (key) => moment(key.created_at, zone),
      sort: (key) => key.created_at,
    },
    {
      id: 'used',
      title: t('Last used'),
      cell: (key) => (key.last_used_at === null ? t('Never') : moment(key.last_used_at, zone)),
      sort: (key) => key.last_used_at ?? '',
    },
    {
      id: 'actions',
      title: t('Actions'),
      cell: (key) => <KeyActions setAsking={setAsking} apiKey={key} />,
    },
  ];
}

function KeyActions({
  setAsking,
  apiKey,
}: {
  setAsking: (value: { key: Key; what: 'regenerate' | 'revoke' } | null) => void;
  apiKey: Key;
}): JSX.Element {
  return (
    <span class="row">
      <button
        type="button"
        class="button small"
        onClick={() => setAsking({ key: apiKey, what: 'regenerate' })}
      >
        {t('Regenerate')}
      </button>
      <button
        type="button"
        class="button small danger"
        onClick={() => setAsking({ key: apiKey, what: 'revoke' })}
      >
        {t('Revoke')}
      </button>
    </span>
  );
}

function KeyQuestion({
  asking,
  setAsking,
  act,
}: {
  asking: { key: Key; what: 'regenerate' | 'revoke' };
  setAsking: (value: { key: Key; what: 'regenerate' | 'revoke' } | null) => void;
  act: (work: () => Promise<{ api_key: string } | undefined>) => Promise<void>;
}): JSX.Element {
  return (
    <Dialog
      title={
        asking.what === 'revoke'
          ? t('Revoke {name}?', { name: asking.key.name })
          : t('Regenerate {name}?', { name: asking.key.name })
      }
      onClose={() => setAsking(null)}
    >
      <p>
        {rich('The key starting with {prefix} stops working at once, everywhere.', {
          prefix: <code>{asking.key.prefix}</code>,
        })}
      </p>
      <div class="actions">
        <button
          type="button"
          class="button danger"
          onClick={() => {
            const { key, what } = asking;
            setAsking(null);
            void act(() =>
              what === 'revoke'
                ? call(`/session/keys/${key.id}`, { method: 'DELETE' })
                : call(`/session/keys/${key.id}/regenerate`, { method: 'POST' }),
            );
          }}
        >
          {asking.what === 'revoke' ? t('Revoke') : t('Regenerate')}
        </button>
      </div>
    </Dialog>
  );
}
