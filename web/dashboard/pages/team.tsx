import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { call } from '../core/api.js';
import { useApp } from '../core/boot.js';
import { moment } from '../core/format.js';
import { useAct } from '../core/use-act.js';
import { useLoad } from '../core/use-load.js';
import { DataTable } from '../ui/data-table.js';
import { Choice, TextField } from '../ui/fields.js';
import { Card, Code, Dialog, Page } from '../ui/parts.js';
import { Empty, Shown } from '../ui/states.js';

interface Team {
  people: {
    id: string;
    email: string;
    team_role: string;
    second_factor: boolean;
    last_seen_at: string | null;
    is_you: boolean;
  }[];
  invitations: { id: string; email: string; team_role: string | null; expires_at: string }[];
  may_invite: boolean;
}

const roles = [
  ['owner', 'Owner: everything, and the team'],
  ['editor', 'Editor: campaigns, settings and keys'],
  ['billing', 'Billing: reads all, pays'],
  ['reader', 'Reader: reads all'],
] as const;

export function TeamPage(): JSX.Element {
  const { session, zone } = useApp();
  const { act, busy } = useAct();
  const team = useLoad<Team>('/session/team');
  const [link, setLink] = useState<string | null>(null);
  const isOwner = session?.team_role === 'owner';
  const change = (work: () => Promise<unknown>, said: string): Promise<boolean> =>
    act(async () => {
      await work();
      team.reload();
      return said;
    });
  return (
    <Page title="Team" lead={`Who works in ${session?.account_name ?? 'this account'}.`}>
      <Shown load={team}>
        {(data) => (
          <div class="stack">
            {data.may_invite && (
              <Invite
                onInvited={(made) => {
                  setLink(made);
                  team.reload();
                }}
              />
            )}
            <Card title="People">
              <DataTable
                label="People of the team"
                rows={data.people}
                rowKey={(row) => row.id}
                columns={[
                  {
                    id: 'email',
                    title: 'E-mail',
                    cell: (row) => (row.is_you ? `${row.email} (you)` : row.email),
                    sort: (row) => row.email,
                  },
                  {
                    id: 'role',
                    title: 'Role',
                    cell: (row) =>
                      isOwner ? (
                        <select
                          aria-label={`Role of ${row.email}`}
                          value={row.team_role}
                          disabled={busy}
                          onChange={(event) => {
                            const { value } = event.currentTarget;
                            void change(
                              () =>
                                call(`/session/team/${row.id}`, {
                                  method: 'PATCH',
                                  body: { team_role: value },
                                }),
                              `${row.email} is ${value} now.`,
                            ).then(() => team.reload());
                          }}
                        >
                          {roles.map(([value]) => (
                            <option key={value} value={value}>
                              {value}
                            </option>
                          ))}
                        </select>
                      ) : (
                        row.team_role
                      ),
                    sort: (row) => row.team_role,
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
                  {
                    id: 'actions',
                    title: 'Actions',
                    cell: (row) =>
                      isOwner && !row.is_you ? (
                        <Removal
                          email={row.email}
                          onRemove={() =>
                            void change(
                              () => call(`/session/team/${row.id}`, { method: 'DELETE' }),
                              `${row.email} is out of the team.`,
                            )
                          }
                        />
                      ) : (
                        ''
                      ),
                  },
                ]}
              />
            </Card>
            <Card title="Invitations">
              {data.invitations.length === 0 ? (
                <Empty title="Nobody is invited right now." />
              ) : (
                <DataTable
                  label="Invitations"
                  rows={data.invitations}
                  rowKey={(row) => row.id}
                  columns={[
                    { id: 'email', title: 'E-mail', cell: (row) => row.email },
                    { id: 'role', title: 'Role', cell: (row) => row.team_role ?? '' },
                    { id: 'until', title: 'Until', cell: (row) => moment(row.expires_at, zone) },
                    {
                      id: 'actions',
                      title: 'Actions',
                      cell: (row) =>
                        isOwner && (
                          <button
                            type="button"
                            class="button small"
                            disabled={busy}
                            onClick={() =>
                              void change(
                                () =>
                                  call(`/session/team/invitations/${row.id}`, {
                                    method: 'DELETE',
                                  }),
                                'The invitation is taken back.',
                              )
                            }
                          >
                            Take back
                          </button>
                        ),
                    },
                  ]}
                />
              )}
            </Card>
          </div>
        )}
      </Shown>
      {link !== null && (
        <Dialog title="Hand on this link" onClose={() => setLink(null)}>
          <p>No mail server is set up here. Send the link yourself; it works once, for a week.</p>
          <Code label="Invitation" text={link} />
        </Dialog>
      )}
    </Page>
  );
}

function Invite({ onInvited }: { onInvited: (link: string | null) => void }): JSX.Element {
  const { act, busy } = useAct();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState('editor');
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    await act(async () => {
      const { link } = await call<{ link: string | null }>('/session/team/invitations', {
        method: 'POST',
        body: { email, team_role: role },
      });
      setEmail('');
      onInvited(link);
      return link === null ? `An invitation is on its way to ${email}.` : undefined;
    });
  };
  return (
    <Card title="Invite somebody">
      <form class="row" onSubmit={(event) => void submit(event)}>
        <TextField label="E-mail" type="email" value={email} onInput={setEmail} required />
        <Choice label="Role" value={role} options={roles} onChange={setRole} />
        <button class="button primary" disabled={busy}>
          Invite
        </button>
      </form>
    </Card>
  );
}

function Removal({ email, onRemove }: { email: string; onRemove: () => void }): JSX.Element {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <button type="button" class="button small danger" onClick={() => setAsking(true)}>
        Remove
      </button>
      {asking && (
        <Dialog title={`Remove ${email}?`} onClose={() => setAsking(false)}>
          <p>Their sessions end at once. Keys they made keep working.</p>
          <div class="actions">
            <button
              type="button"
              class="button danger"
              onClick={() => {
                setAsking(false);
                onRemove();
              }}
            >
              Remove
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}
