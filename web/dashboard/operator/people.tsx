import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { call, query } from '../core/api.js';
import { useApp } from '../core/boot.js';
import { moment } from '../core/format.js';
import { useAct } from '../core/use-act.js';
import { useLoad } from '../core/use-load.js';
import { DataTable } from '../ui/data-table.js';
import { Badge, Card, Code, Dialog, Page } from '../ui/parts.js';
import { Empty, Shown } from '../ui/states.js';
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
      return made.link === null ? `A link is on its way to ${person.email}.` : 'The link is made.';
    });
  const actions = (person: Person): JSX.Element => (
    <span class="row">
      {!person.is_disabled && (
        <button type="button" class="button small" disabled={busy} onClick={() => reset(person)}>
          New password
        </button>
      )}
      {person.second_factor && (
        <button
          type="button"
          class="button small"
          disabled={busy}
          onClick={() =>
            change(async () => {
              await call(`/operator/people/${person.id}/second-factor/remove`, { method: 'POST' });
              return `${person.email} signs in by password alone now.`;
            })
          }
        >
          Remove second factor
        </button>
      )}
      <button
        type="button"
        class={person.is_disabled ? 'button small' : 'button small danger'}
        disabled={busy}
        onClick={() =>
          change(async () => {
            await call(`/operator/people/${person.id}`, {
              method: 'PATCH',
              body: { disabled: !person.is_disabled },
            });
            return person.is_disabled
              ? `${person.email} may sign in again.`
              : `${person.email} is signed out and stays out.`;
          })
        }
      >
        {person.is_disabled ? 'Let in' : 'Keep out'}
      </button>
    </span>
  );
  return (
    <Page title="People" lead="Who can sign in, and links that wait to be handed on.">
      <div class="stack">
        <NewAccountCard
          onOpened={(made) => {
            setLink(made);
            people.reload();
            mails.reload();
          }}
        />
        <Card
          title="People"
          actions={
            <input
              type="search"
              aria-label="Find a person"
              placeholder="E-mail or account"
              value={search}
              onInput={(event) => setSearch(event.currentTarget.value)}
            />
          }
        >
          <Shown load={people}>
            {(data) =>
              data.people.length === 0 ? (
                <Empty title="Nobody like that." />
              ) : (
                <DataTable
                  label="People"
                  rows={data.people}
                  rowKey={(row) => row.id}
                  columns={[
                    {
                      id: 'email',
                      title: 'E-mail',
                      cell: (row) => (
                        <>
                          {row.email} {row.is_disabled && <Badge value="blocked" />}
                          <br />
                          <small>{row.account_name ?? 'Sidelight itself'}</small>
                        </>
                      ),
                      sort: (row) => row.email,
                    },
                    {
                      id: 'role',
                      title: 'Role',
                      cell: (row) => `${row.role}, ${row.team_role}`,
                      sort: (row) => row.role,
                    },
                    {
                      id: 'factor',
                      title: 'Second factor',
                      cell: (row) => (row.second_factor ? 'On' : 'Off'),
                    },
                    {
                      id: 'seen',
                      title: 'Last seen',
                      cell: (row) =>
                        row.last_seen_at === null ? 'Never' : moment(row.last_seen_at, zone),
                      sort: (row) => row.last_seen_at ?? '',
                    },
                    { id: 'actions', title: 'Actions', cell: actions },
                  ]}
                />
              )
            }
          </Shown>
        </Card>
        <Card title="Mail to hand on">
          <Shown load={mails}>
            {(data) =>
              data.mails.length === 0 ? (
                <Empty
                  title={data.sends ? 'Every mail was sent.' : 'No mail waits to be handed on.'}
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
                      <Code label="What it says" text={mail.text} />
                    </li>
                  ))}
                </ul>
              )
            }
          </Shown>
        </Card>
      </div>
      {link !== null && (
        <Dialog title="Hand on this link" onClose={() => setLink(null)}>
          <p>No mail server is set up. Send the link yourself; it works once.</p>
          <Code label="Link" text={link} />
        </Dialog>
      )}
    </Page>
  );
}
