import { type Static, Type } from '@sinclair/typebox';
import { DisclosureView } from '../../platform/http/disclosure-view.js';

export const actions = ['hide_ad', 'hide_advertiser', 'hide_topic', 'no_personalisation'] as const;
export type Action = (typeof actions)[number];

export const TokenParams = Type.Object({ token: Type.String({ maxLength: 200 }) });
export type TokenParams = Static<typeof TokenParams>;

export const ChoicesQuery = Type.Object({
  l: Type.Optional(Type.String({ maxLength: 50, description: 'Language' })),
  action: Type.Optional(
    Type.Unsafe<Action | 'delete'>({ type: 'string', enum: [...actions, 'delete'] }),
  ),
  undo: Type.Optional(Type.Boolean({ description: 'Take the choice back' })),
  done: Type.Optional(Type.String({ maxLength: 20 })),
  receipt: Type.Optional(Type.String({ maxLength: 40 })),
});
export type ChoicesQuery = Static<typeof ChoicesQuery>;

export const ChoicesView = Type.Object({
  language: Type.String(),
  scope: Type.Union([Type.Literal('user'), Type.Literal('session')]),
  disclosure: DisclosureView,
  topic: Type.Union([Type.String(), Type.Null()]),
  choices: Type.Array(
    Type.Object({
      action: Type.String(),
      label: Type.String(),
      made: Type.Boolean(),
    }),
  ),
  kept: Type.Array(Type.Object({ name: Type.String(), value: Type.String() }), {
    description: 'Everything that is stored about this person here',
  }),
  receipt: Type.Optional(
    Type.Object(
      {
        receipt_id: Type.String(),
        found: Type.Record(Type.String(), Type.Integer()),
      },
      { description: 'Of what was just deleted' },
    ),
  ),
  words: Type.Record(Type.String(), Type.String()),
});
export type ChoicesView = Static<typeof ChoicesView>;

export const KeptCopy = Type.Object({
  receipt_id: Type.String(),
  at: Type.String(),
  data: Type.Record(Type.String(), Type.Array(Type.Unknown()), {
    description: 'Everything that is kept of this person here, by kind',
  }),
});
