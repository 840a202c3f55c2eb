import { type Static, Type } from '@sinclair/typebox';
import { passwordLength } from '../../platform/auth/password.js';

const Nullable = <T extends ReturnType<typeof Type.String>>(schema: T) =>
  Type.Union([schema, Type.Null()]);
const Password = Type.String({ minLength: 1, maxLength: passwordLength.most });
export const NewPassword = Type.String({
  minLength: passwordLength.least,
  maxLength: passwordLength.most,
});
const Code = Type.String({
  minLength: 1,
  maxLength: 40,
  description: 'Six digits of the authenticator app, or a recovery code',
});

export const SignIn = Type.Object({
  email: Type.String({ minLength: 1, maxLength: 320 }),
  password: Password,
  code: Type.Optional(Type.String({ maxLength: 40, description: Code.description ?? '' })),
});
export type SignIn = Static<typeof SignIn>;

export const SessionView = Type.Object({
  email: Type.String(),
  role: Type.String(),
  team_role: Type.String({ description: 'owner, editor, reader or billing' }),
  second_factor: Type.Boolean(),
  account_id: Nullable(Type.String()),
  account_name: Nullable(Type.String()),
  csrf_token: Type.String(),
});

export const NewKey = Type.Object({
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  scopes: Type.Optional(
    Type.Array(Type.String({ maxLength: 20 }), {
      minItems: 1,
      maxItems: 10,
      description:
        'What the key is limited to. Advertisers: read, manage, billing, conversions; publishers: read, manage, serve, search. Absent: everything',
    }),
  ),
  expires_at: Type.Optional(
    Type.String({ maxLength: 40, description: 'ISO 8601 instant when the key stops by itself' }),
  ),
});
export type NewKey = Static<typeof NewKey>;

export const KeyView = Type.Object({
  id: Type.String(),
  name: Type.String(),
  prefix: Type.String(),
  scopes: Type.Union([Type.Array(Type.String()), Type.Null()]),
  created_at: Type.String(),
  expires_at: Nullable(Type.String()),
  last_used_at: Nullable(Type.String()),
});

export const MintedKey = Type.Object({ id: Type.Optional(Type.String()), api_key: Type.String() });

export const PasswordChange = Type.Object({
  current_password: Password,
  new_password: NewPassword,
});
export type PasswordChange = Static<typeof PasswordChange>;

export const SessionList = Type.Object({
  sessions: Type.Array(
    Type.Object({
      id: Type.String(),
      user_agent: Type.String(),
      address: Type.String(),
      created_at: Type.String(),
      last_seen_at: Nullable(Type.String()),
      expires_at: Type.String(),
      is_current: Type.Boolean(),
    }),
  ),
});

export const FactorState = Type.Object({
  enabled: Type.Boolean(),
  recovery_codes_left: Type.Integer(),
});

export const FactorOffer = Type.Object({
  secret: Type.String({ description: 'Base 32, for apps that cannot read the picture' }),
  uri: Type.String(),
  qr: Type.Object({
    size: Type.Integer({ description: 'Modules a side, with the quiet zone' }),
    path: Type.String({ description: 'SVG path of the dark modules' }),
  }),
});

export const RecoveryCodes = Type.Object({ recovery_codes: Type.Array(Type.String()) });

export const PasswordProof = Type.Object({ password: Password });
export type PasswordProof = Static<typeof PasswordProof>;
export const CodeProof = Type.Object({ code: Code });
export type CodeProof = Static<typeof CodeProof>;
export const FullProof = Type.Object({ password: Password, code: Code });
export type FullProof = Static<typeof FullProof>;
