import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { call } from '../../core/api.js';
import { useApp } from '../../core/boot.js';
import { moment } from '../../core/format.js';
import { t } from '../../core/language.js';
import { navigate } from '../../core/router.js';
import { useAct } from '../../core/hooks/use-act.js';
import { useLoad } from '../../core/hooks/use-load.js';
import { DataTable, type Column } from '../../ui/tables/data-table.js';
import { TextField } from '../../ui/forms/fields.js';
import { LanguageChoice } from '../../ui/forms/language-choice.js';
import { Badge, Card, Page } from '../../ui/parts.js';
import { Shown } from '../../ui/states.js';
import { SecondFactorCard } from './second-factor.js';

interface SessionRow {
  id: string;
  user_agent: string;
  address: string;
  created_at: string;
  last_seen_at: string | null;
  is_current: boolean;
}

export function SecurityPage(): JSX.Element {
  const { session } = useApp();
  return (
    <Page title={t('Your sign-in')} lead={session?.email}>
      <div class="stack">
        <PasswordCard />
        <SecondFactorCard />
        <SessionsCard />
        <Card title={t('Language')}>
          <div class="form slim">
            <LanguageChoice />
          </div>
        </Card>
      </div>
    </Page>
  );
}

function PasswordCard(): JSX.Element {
  const { session } = useApp();
  const { act, busy } = useAct();
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const done = await act(async () => {
      await call('/session/password', {
        method: 'POST',
        body: { current_password: current, new_password: next },
      });
      return t('The password is changed. Every other session has ended.');
    });
    if (!done) return;
    setCurrent('');
    setNext('');
  };
  return (
    <Card title={t('Password')}>
      <form class="form slim" onSubmit={(event) => void submit(event)}>
        {/* Password managers keep the new one under this name. */}
        <input type="hidden" name="username" autoComplete="username" value={session?.email ?? ''} />
        <TextField
          label={t('Current password')}
          type="password"
          value={current}
          onInput={setCurrent}
          required
          autoComplete="current-password"
        />
        <TextField
          label={t('New password')}
          type="password"
          value={next}
          onInput={setNext}
          required
          minLength={12}
          autoComplete="new-password"
          hint={t('At least 12 characters.')}
        />
        <div class="actions">
          <button class="button primary" disabled={busy}>
            {t('Change password')}
          </button>
        </div>
      </form>
    </Card>
  );
}

function SessionsCard(): JSX.Element {
  const { zone, reboot } = useApp();
  const { act, busy } = useAct();
  const sessions = useLoad<{ sessions: SessionRow[] }>('/session/sessions');
  const end = (path: string, said: string): Promise<boolean> =>
    act(async () => {
      await call(path, { method: 'DELETE' });
      sessions.reload();
      return said;
    });
  const endAll = async (): Promise<void> => {
    const done = await act(async () => {
      await call('/session/sessions', { method: 'DELETE' });
      return undefined;
    });
    if (!done) return;
    await reboot();
    navigate('/app/sign-in');
  };
  return (
    <Card
      title={t('Where you are signed in')}
      actions={<EndButtons busy={busy} end={end} endAll={endAll} />}
    >
      <Shown load={sessions}>
        {(data) => (
          <DataTable
            label={t('Sessions')}
            rows={data.sessions}
            rowKey={(row) => row.id}
            columns={sessionColumns(zone, busy, end)}
          />
        )}
      </Shown>
    </Card>
  );
}

function EndButtons({
  busy,
  end,
  endAll,
}: {
  busy: boolean;
  end: (path: string, said: string) => Promise<boolean>;
  endAll: () => Promise<void>;
}): JSX.Element {
  return (
    <>
      <button
        type="button"
        class="button small"
        disabled={busy}
        onClick={() =>
          void end('/session/sessions?keep_current=true', t('Every other session has ended.'))
        }
      >
        {t('Sign out everywhere else')}
      </button>
      <button
        type="button"
        class="button small danger"
        disabled={busy}
        onClick={() => void endAll()}
      >
        {t('Sign out everywhere')}
      </button>
    </>
  );
}

function sessionColumns(
  zone: string,
  busy: boolean,
  end: (path: string, said: string) => Promise<boolean>,
): readonly Column<SessionRow>[] {
  return [
    {
      id: 'browser',
      title: t('Browser'),
      cell: (row) => (
        <>
          {browserOf(row.user_agent)} {row.is_current && <Badge value="live" />}
        </>
      ),
    },
    { id: 'address', title: t('Address'), cell: (row) => <code>{row.address}</code> },
    {
      id: 'since',
      title: t('Signed in'),
      cell: (row) => moment(row.created_at, zone),
      sort: (row) => row.created_at,
    },
    {
      id: 'seen',
      title: t('Last seen'),
      cell: (row) => (row.last_seen_at === null ? t('Never') : moment(row.last_seen_at, zone)),
      sort: (row) => row.last_seen_at ?? '',
    },
    {
      id: 'actions',
      title: t('Actions'),
      cell: (row) =>
        row.is_current ? (
          t('This one')
        ) : (
          <button
            type="button"
            class="button small"
            disabled={busy}
            onClick={() => void end(`/session/sessions/${row.id}`, t('That session has ended.'))}
          >
            {t('Sign out')}
          </button>
        ),
    },
  ];
}

/** Enough to tell one's own browsers apart. */
function browserOf(agent: string): string {
  const browser = ['Edg', 'OPR', 'Firefox', 'Chrome', 'Safari'].find((name) =>
    agent.includes(`${name}/`),
  );
  const system = ['iPhone', 'iPad', 'Android', 'Windows', 'Mac OS', 'Linux'].find((name) =>
    agent.includes(name),
  );
  if (browser === undefined) return agent === '' ? t('Unknown') : agent.slice(0, 40);
  const name = browser === 'Edg' ? 'Edge' : browser === 'OPR' ? 'Opera' : browser;
  return system === undefined ? name : t('{name} on {system}', { name, system });
}
