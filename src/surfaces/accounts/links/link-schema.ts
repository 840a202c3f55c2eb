import { type Static, Type } from '@sinclair/typebox';
import { teamRoles } from '../../../platform/auth/team-role.js';
import { fixedField } from '../../../platform/http/fixed-field.js';
import { NewPassword } from '../schema.js';

const Email = Type.String({ minLength: 3, maxLength: 320 });
const Name = Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' });
const Nullable = Type.Union([Type.String(), Type.Null()]);
export const TeamRoleName = Type.Union(teamRoles.map((role) => Type.Literal(role)));

export const SignUp = Type.Object({
  kind: Type.Union([Type.Literal('advertiser'), Type.Literal('publisher')]),
  name: Name,
  email: Email,
  url: Type.Optional(Type.String({ maxLength: 500, description: 'Where a publisher shows ads' })),
});
export type SignUp = Static<typeof SignUp>;

export const ResetRequest = Type.Object({ email: Email });
export type ResetRequest = Static<typeof ResetRequest>;

const Token = Type.String({ minLength: 20, maxLength: 100 });
export const LinkToken = Type.Object({ token: Token });
export type LinkToken = Static<typeof LinkToken>;

export const LinkView = Type.Object({
  purpose: Type.String({ description: 'operator, sign_up, invitation or reset' }),
  email: Type.String(),
  role: Nullable,
  team_role: Nullable,
  account_name: Nullable,
});

export const LinkUse = Type.Object({
  token: Token,
  password: NewPassword,
  email: Type.Optional(Email),
});
export type LinkUse = Static<typeof LinkUse>;

export const Team = Type.Object({
  people: Type.Array(
    Type.Object({
      id: Type.String(),
      email: Type.String(),
      team_role: Type.String(),
      second_factor: Type.Boolean(),
      last_seen_at: Nullable,
      is_you: Type.Boolean(),
    }),
  ),
  invitations: Type.Array(
    Type.Object({
      id: Type.String(),
      email: Type.String(),
      team_role: Nullable,
      expires_at: Type.String(),
    }),
  ),
  may_invite: Type.Boolean(),
});

export const Invitation = Type.Object({ email: Email, team_role: TeamRoleName });
export type Invitation = Static<typeof Invitation>;
/** The link stands here only where no mail is sent. */
export const Invited = Type.Object({ id: Type.String(), email: Type.String(), link: Nullable });

export const RoleChange = Type.Object({
  team_role: TeamRoleName,
  email: fixedField('Invite somebody under the other address'),
});
export type RoleChange = Static<typeof RoleChange>;

export const NewAccount = Type.Object({
  kind: Type.Union([
    Type.Literal('advertiser'),
    Type.Literal('publisher'),
    Type.Literal('operator'),
  ]),
  email: Email,
  name: Type.Optional(Name),
  url: Type.Optional(Type.String({ maxLength: 500 })),
  time_zone: Type.Optional(Type.String({ maxLength: 100 })),
  billing_enabled: Type.Optional(Type.Boolean()),
  approved: Type.Optional(Type.Boolean()),
  team_role: Type.Optional(TeamRoleName),
  invite: Type.Boolean({
    default: true,
    description: 'A link to choose a password; false: a password is made and shown once',
  }),
});
export type NewAccount = Static<typeof NewAccount>;

export const OpenedView = Type.Object({
  id: Nullable,
  api_key: Nullable,
  email: Type.String(),
  password: Nullable,
  link: Nullable,
});

export const PersonChange = Type.Object({
  disabled: Type.Optional(Type.Boolean()),
  team_role: Type.Optional(TeamRoleName),
  email: fixedField('Invite somebody under the other address'),
});
export type PersonChange = Static<typeof PersonChange>;
