import { type Static, Type } from '@sinclair/typebox';

export const SignIn = Type.Object({
  email: Type.String({ minLength: 1, maxLength: 320 }),
  password: Type.String({ minLength: 1, maxLength: 1000 }),
});
export type SignIn = Static<typeof SignIn>;

export const SessionView = Type.Object({
  email: Type.String(),
  role: Type.String(),
  account_id: Type.Union([Type.String(), Type.Null()]),
  account_name: Type.Union([Type.String(), Type.Null()]),
  csrf_token: Type.String(),
});

export const NewKey = Type.Object({
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
});
export type NewKey = Static<typeof NewKey>;

export const KeyView = Type.Object({
  id: Type.String(),
  name: Type.String(),
  prefix: Type.String(),
  created_at: Type.String(),
  last_used_at: Type.Union([Type.String(), Type.Null()]),
});
export const MintedKey = Type.Object({ id: Type.Optional(Type.String()), api_key: Type.String() });
