import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { call } from '../../core/api.js';
import { useApp } from '../../core/boot.js';
import { moment, words } from '../../core/format.js';
import { named, t } from '../../core/language.js';
import { useAct } from '../../core/hooks/use-act.js';
import { useLoad, type Loaded } from '../../core/hooks/use-load.js';
import { DataTable, type Column } from '../../ui/tables/data-table.js';
import { Choice, TextField } from '../../ui/forms/fields.js';
import { Card, Code, Dialog, Page } from '../../ui/parts.js';
import { Empty, Shown } from '../../ui/states.js';

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
  ['owner', t('Owner: everything, including the team')],
  ['editor', t('Editor: campaigns, settings and keys')],
  ['billing', t('Billing: can see everything and pay')],
  ['reader', t('Reader: can see everything')],
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
    <Page
      title={t('Team')}
      lead={t('Who works in {account_name}.', {
        account_name: session?.account_name ?? t('this account'),
      })}
    >
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
            <MembersCard
              data={data}
              isOwner={isOwner}
              busy={busy}
              change={change}
              team={team}
              zone={zone}
            />
            <InvitationsCard
              data={data}
              zone={zone}
              isOwner={isOwner}
              busy={busy}
              change={change}
            />
          </div>
        )}
      </Shown>
      {link !== null && (
        <Dialog title={t('Share this link')} onClose={() => setLink(null)}>
          <p>
            {t('No mail server is set up here. Send the link yourself; it works once, for a week.')}
          </p>
          <Code label={t('Invitation')} text={link} />
        </Dialog>
      )}
    </Page>
  );
}

function MembersCard({
  data,
  isOwner,
  busy,
  change,
  team,
  zone,
}: {
  data: Team;
  isOwner: boolean;
  busy: boolean;
  change: (work: () => Promise<unknown>, said: string) => Promise<boolean>;
  team: Loaded<Team>;
  zone: string;
}): JSX.Element {
  return (
    <Card title={t('People')}>
      <DataTable
        label={t('People of the team')}
        rows={data.people}
        rowKey={(row) => row.id}
        columns={memberColumns({ isOwner, busy, change, team, zone })}
      />
    </Card>
  );
}

function memberColumns({
  isOwner,
  busy,
  change,
  team,
  zone,
}: {
  isOwner: boolean;
  busy: boolean;
  change: (work: () => Promise<unknown>, said: string) => Promise<boolean>;
  team: Loaded<Team>;
  zone: string;
}): readonly Column<{
  id: string;
  email: string;
  team_role: string;
  second_factor: boolean;
  last_seen_at: string | null;
  is_you: boolean;
}>[] {
  return [
    {
      id: 'email',
      title: t('E-mail'),
      cell: (row) => (row.is_you ? t('{email} (you)', { email: row.email }) : row.email),
      sort: (row) => row.email,
    },
    {
      id: 'role',
      title: t('Role'),
      cell: (row) => (
        <RoleChoice isOwner={isOwner} row={row} busy={busy} change={change} team={team} />
      ),
      sort: (row) => row.team_role,
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
    {
      id: 'actions',
      title: t('Actions'),
      cell: (row) => <RemoveMember isOwner={isOwner} row={row} change={change} />,
    },
  ];
}

function RoleChoice({
  isOwner,
  row,
  busy,
  change,
  team,
}: {
  isOwner: boolean;
  row: {
    id: string;
    email: string;
    team_role: string;
    second_factor: boolean;
    last_seen_at: string | null;
    is_you: boolean;
  };
  busy: boolean;
  change: (work: () => Promise<unknown>, said: string) => Promise<boolean>;
  team: Loaded<Team>;
}): string | JSX.Element {
  return isOwner ? (
    <select
      aria-label={t('Role of {email}', { email: row.email })}
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
          t('{email} is now {value}.', { email: row.email, value: named(value) }),
        ).then(() => team.reload());
      }}
    >
      {roles.map(([value]) => (
        <option key={value} value={value}>
          {named(value)}
        </option>
      ))}
    </select>
  ) : (
    <>{named(row.team_role)}</>
  );
}

function RemoveMember({
  isOwner,
  row,
  change,
}: {
  isOwner: boolean;
  row: {
    id: string;
    email: string;
    team_role: string;
    second_factor: boolean;
    last_seen_at: string | null;
    is_you: boolean;
  };
  change: (work: () => Promise<unknown>, said: string) => Promise<boolean>;
}): '' | JSX.Element {
  return isOwner && !row.is_you ? (
    <Removal
      email={row.email}
      onRemove={() =>
        void change(
          () => call(`/session/team/${row.id}`, { method: 'DELETE' }),
          t('{email} was removed from the team.', { email: row.email }),
        )
      }
    />
  ) : (
    ''
  );
}

function InvitationsCard({
  data,
  zone,
  isOwner,
  busy,
  change,
}: {
  data: Team;
  zone: string;
  isOwner: boolean;
  busy: boolean;
  change: (work: () => Promise<unknown>, said: string) => Promise<boolean>;
}): JSX.Element {
  return (
    <Card title={t('Invitations')}>
      {data.invitations.length === 0 ? (
        <Empty title={t('No open invitations.')} />
      ) : (
        <DataTable
          label={t('Invitations')}
          rows={data.invitations}
          rowKey={(row) => row.id}
          columns={invitationColumns({ zone, isOwner, busy, change })}
        />
      )}
    </Card>
  );
}

function invitationColumns({
  zone,
  isOwner,
  busy,
  change,
}: {
  zone: string;
  isOwner: boolean;
  busy: boolean;
  change: (work: () => Promise<unknown>, said: string) => Promise<boolean>;
}): readonly Column<{ id: string; email: string; team_role: string | null; expires_at: string }>[] {
  return [
    { id: 'email', title: t('E-mail'), cell: (row) => row.email },
    { id: 'role', title: t('Role'), cell: (row) => words(row.team_role ?? '') },
    { id: 'until', title: t('Until'), cell: (row) => moment(row.expires_at, zone) },
    {
      id: 'actions',
      title: t('Actions'),
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
                t('Invitation withdrawn.'),
              )
            }
          >
            {t('Withdraw')}
          </button>
        ),
    },
  ];
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
      return link === null ? t('An invitation is on its way to {email}.', { email }) : undefined;
    });
  };
  return (
    <Card title={t('Invite someone')}>
      <form class="row" onSubmit={(event) => void submit(event)}>
        <TextField label={t('E-mail')} type="email" value={email} onInput={setEmail} required />
        <Choice label={t('Role')} value={role} options={roles} onChange={setRole} />
        <button class="button primary" disabled={busy}>
          {t('Invite')}
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
        {t('Remove')}
      </button>
      {asking && (
        <Dialog title={t('Remove {email}?', { email })} onClose={() => setAsking(false)}>
          <p>{t('Their sessions end at once. Keys they made keep working.')}</p>
          <div class="actions">
            <button
              type="button"
              class="button danger"
              onClick={() => {
                setAsking(false);
                onRemove();
              }}
            >
              {t('Remove')}
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}
