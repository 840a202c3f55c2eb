import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { call, query } from '../../core/api.js';
import { useApp } from '../../core/boot.js';
import { moment, words } from '../../core/format.js';
import { named, t } from '../../core/language.js';
import { useAct } from '../../core/hooks/use-act.js';
import { useLoad, type Loaded } from '../../core/hooks/use-load.js';
import { DataTable, type Column } from '../../ui/tables/data-table.js';
import { Badge, Card, Code, Confirm, Dialog, Page } from '../../ui/parts.js';
import { Empty, Shown } from '../../ui/states.js';
import { NewAccountCard } from './new-account.js';

interface Person {
  id: string;
  email: string;
  role: string;
  team_role: string;
  account_name: string | null;
  second_factor: boolean;
  is_disabled: boolean;
  last_seen_at: string | null;
}

interface Mails {
  sends: boolean;
  mails: {
    id: string;
    recipient: string;
    subject: string;
    text: string;
    problem: string | null;
    created_at: string;
  }[];
}

/** Everybody who can sign in, and the mail nobody sent. */
export function PeoplePage(): JSX.Element {
  const { zone } = useApp();
  const { act, busy } = useAct();
  const [search, setSearch] = useState('');
  const people = useLoad<{ people: Person[] }>(`/operator/people${query({ search })}`);
  const mails = useLoad<Mails>('/operator/mails');
  const [link, setLink] = useState<string | null>(null);
  const change = (work: () => Promise<string>): void =>
    void act(async () => {
      const said = await work();
      people.reload();
      mails.reload();
      return said;
    });
  const reset = (person: Person): void =>
    change(async () => {
      const made = await call<{ link: string | null }>(`/operator/people/${person.id}/reset`, {
        method: 'POST',
      });
      setLink(made.link);
      return made.link === null
        ? t('A link is on its way to {email}.', { email: person.email })
        : t('Link created.');
    });
  const actions = (person: Person): JSX.Element => (
    <PersonActions person={person} busy={busy} reset={reset} change={change} />
  );
  return (
    <Page title={t('People')} lead={t('Who can sign in, and links waiting to be passed on.')}>
      <div class="stack">
        <NewAccountCard
          onOpened={(made) => {
            setLink(made);
            people.reload();
            mails.reload();
          }}
        />
        <PeopleCard
          search={search}
          setSearch={setSearch}
          people={people}
          zone={zone}
          actions={actions}
        />
        <MailCard mails={mails} zone={zone} />
      </div>
      {link !== null && (
        <Dialog title={t('Share this link')} onClose={() => setLink(null)}>
          <p>{t('No mail server is set up. Send the link yourself; it works once.')}</p>
          <Code label={t('Link')} text={link} />
        </Dialog>
      )}
    </Page>
  );
}

function PersonActions({
  person,
  busy,
  reset,
  change,
}: {
  person: Person;
  busy: boolean;
  reset: (person: Person) => void;
  change: (work: () => Promise<string>) => void;
}): JSX.Element {
  const [asking, setAsking] = useState<'factor' | 'lock' | null>(null);
  const removeFactor = (): void =>
    change(async () => {
      await call(`/operator/people/${person.id}/second-factor/remove`, { method: 'POST' });
      return t('{email} now signs in with a password only.', { email: person.email });
    });
  const lock = (disabled: boolean): void =>
    change(async () => {
      await call(`/operator/people/${person.id}`, { method: 'PATCH', body: { disabled } });
      return disabled
        ? t('{email} is signed out and stays out.', { email: person.email })
        : t('{email} may sign in again.', { email: person.email });
    });
  return (
    <span class="row">
      {!person.is_disabled && (
        <button type="button" class="button small" disabled={busy} onClick={() => reset(person)}>
          {t('New password')}
        </button>
      )}
      {person.second_factor && (
        <button
          type="button"
          class="button small"
          disabled={busy}
          onClick={() => setAsking('factor')}
        >
          {t('Remove second factor')}
        </button>
      )}
      <button
        type="button"
        class={person.is_disabled ? 'button small' : 'button small danger'}
        disabled={busy}
        onClick={() => (person.is_disabled ? lock(false) : setAsking('lock'))}
      >
        {person.is_disabled ? t('Let in') : t('Lock out')}
      </button>
      {asking !== null && (
        <AskFirst
          asking={asking}
          email={person.email}
          onYes={asking === 'lock' ? () => lock(true) : removeFactor}
          onClose={() => setAsking(null)}
        />
      )}
    </span>
  );
}

function AskFirst({
  asking,
  email,
  onYes,
  onClose,
}: {
  asking: 'factor' | 'lock';
  email: string;
  onYes: () => void;
  onClose: () => void;
}): JSX.Element {
  const isLock = asking === 'lock';
  return (
    <Confirm
      title={
        isLock
          ? t('Lock out {email}?', { email })
          : t('Remove the second factor of {email}?', { email })
      }
      action={isLock ? t('Lock out') : t('Remove second factor')}
      danger
      onYes={onYes}
      onClose={onClose}
    >
      <p>
        {isLock
          ? t('They are signed out everywhere at once and cannot sign in until you let them in.')
          : t('From then on the password alone is enough. They can set a new one up themselves.')}
      </p>
    </Confirm>
  );
}

function PeopleCard({
  search,
  setSearch,
  people,
  zone,
  actions,
}: {
  search: string;
  setSearch: (value: string) => void;
  people: Loaded<{ people: Person[] }>;
  zone: string;
  actions: (person: Person) => JSX.Element;
}): JSX.Element {
  return (
    <Card
      title={t('People')}
      actions={
        <input
          type="search"
          aria-label={t('Find a person')}
          placeholder={t('E-mail or account')}
          value={search}
          onInput={(event) => setSearch(event.currentTarget.value)}
        />
      }
    >
      <Shown load={people}>
        {(data) =>
          data.people.length === 0 ? (
            <Empty title={t('No matching person.')} />
          ) : (
            <DataTable
              label={t('People')}
              rows={data.people}
              rowKey={(row) => row.id}
              columns={peopleColumns(zone, actions)}
            />
          )
        }
      </Shown>
    </Card>
  );
}

function peopleColumns(
  zone: string,
  actions: (person: Person) => JSX.Element,
): readonly Column<Person>[] {
  return [
    {
      id: 'email',
      title: t('E-mail'),
      cell: (row) => (
        <>
          {row.email} {row.is_disabled && <Badge value="blocked" />}
          <br />
          <small>{row.account_name ?? t('Sidelight itself')}</small>
        </>
      ),
      sort: (row) => row.email,
    },
    {
      id: 'role',
      title: t('Role'),
      cell: (row) => `${words(row.role)}, ${named(row.team_role)}`,
      sort: (row) => row.role,
    },
    {
      id: 'factor',
      title: t('Second factor'),
      cell: (row) => (row.second_factor ? t('On') : t('Off')),
    },
    {
      id: 'seen',
      title: t('Last seen'),
      cell: (row) => (row.last_seen_at === null ? t('Never') : moment(row.last_seen_at, zone)),
      sort: (row) => row.last_seen_at ?? '',
    },
    { id: 'actions', title: t('Actions'), cell: actions },
  ];
}

function MailCard({ mails, zone }: { mails: Loaded<Mails>; zone: string }): JSX.Element {
  return (
    <Card title={t('Mail to pass on')}>
      <Shown load={mails}>
        {(data) =>
          data.mails.length === 0 ? (
            <Empty
              title={
                data.sends ? t('Every mail was sent.') : t('No mail is waiting to be passed on.')
              }
            />
          ) : (
            <ul class="stack">
              {data.mails.map((mail) => (
                <li key={mail.id}>
                  <p>
                    <strong>{mail.recipient}</strong>: {mail.subject},{' '}
                    {moment(mail.created_at, zone)}
                    {mail.problem !== null && ` (${mail.problem})`}
                  </p>
                  <Code label={t('What it says')} text={mail.text} />
                </li>
              ))}
            </ul>
          )
        }
      </Shown>
    </Card>
  );
}
