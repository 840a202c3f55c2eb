import { type Static, Type } from '@sinclair/typebox';
import { placements } from '../../domain/placement.js';
import { DisclosureView } from '../../platform/http/disclosure-view.js';

const text = Type.Union([Type.String(), Type.Null()]);
/** Callers write it in many ways; what is not clearly set is not set. */
const flag = Type.Unknown();
const looseId = Type.Union([Type.String(), Type.Number(), Type.Null()]);

export const Message = Type.Object({
  role: Type.Union([Type.Literal('user'), Type.Literal('assistant'), Type.Literal('system')]),
  content: Type.String(),
});

/** Open: callers send more than we read. */
export const User = Type.Object(
  {
    id: Type.Optional(looseId),
    uid: Type.Optional(looseId),
    userId: Type.Optional(looseId),
    hashed_email: Type.Optional(text),
    email_hash: Type.Optional(text),
    gender: Type.Optional(text),
    age: Type.Optional(Type.Union([Type.String(), Type.Number(), Type.Null()])),
    minor: Type.Optional(flag),
    coppa: Type.Optional(flag),
    keywords: Type.Optional(Type.Union([Type.Array(Type.String()), Type.String(), Type.Null()])),
    interests: Type.Optional(Type.Union([Type.Array(Type.String()), Type.Null()])),
    language: Type.Optional(Type.Unknown()),
    locale: Type.Optional(Type.Unknown()),
  },
  { additionalProperties: true },
);

export const Device = Type.Object(
  {
    ip: Type.Optional(text),
    ua: Type.Optional(text),
    country: Type.Optional(text),
    os: Type.Optional(text),
    device_type: Type.Optional(text),
    timezone: Type.Optional(text),
    locale: Type.Optional(text),
    language: Type.Optional(Type.Unknown()),
  },
  { additionalProperties: true },
);

export const AdRequest = Type.Object({
  messages: Type.Array(Message, {
    minItems: 1,
    maxItems: 1000,
    description: 'Oldest first; the newest count most.',
  }),
  sessionId: Type.String({ minLength: 1, maxLength: 500 }),
  placements: Type.Array(
    Type.Object({
      placement: Type.Union(placements.map((name) => Type.Literal(name))),
      placement_id: Type.String({ maxLength: 500 }),
    }),
    { minItems: 1, maxItems: 10 },
  ),
  user: Type.Optional(Type.Union([User, Type.Null()])),
  userId: Type.Optional(looseId),
  device: Type.Optional(Type.Union([Device, Type.Null()])),
  regs: Type.Optional(Type.Unknown({ description: '`coppa`: 1 for services aimed at children.' })),
  coppa: Type.Optional(flag),
  locale: Type.Optional(
    Type.Unknown({
      description:
        'Language of the person (`de`, `pt-BR`), for `disclosure`; else `device.locale`, else `Accept-Language`, else English.',
    }),
  ),
  excludedTopics: Type.Optional(
    Type.Union([Type.Array(Type.String({ maxLength: 200 }), { maxItems: 200 }), Type.Null()], {
      description: 'Topics in any words, or IAB content categories by id or name.',
    }),
  ),
  relevancy: Type.Optional(Type.Union([Type.Number({ minimum: 0, maximum: 1 }), Type.Null()])),
  testAd: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
});
export type AdRequest = Static<typeof AdRequest>;

export const ServedAd = Type.Object({
  adText: Type.String(),
  title: Type.String(),
  cta: Type.String(),
  brandName: Type.String(),
  url: Type.String(),
  favicon: Type.Optional(Type.String()),
  image: Type.Optional(Type.String()),
  impUrl: Type.String(),
  clickUrl: Type.String(),
  campaignId: Type.String(),
  placement: Type.String(),
  placement_id: Type.String(),
  feedbackPrompt: Type.Optional(
    Type.Object({ question: Type.String(), reasons: Type.Array(Type.String()) }),
  ),
  leadForm: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  disclosure: DisclosureView,
  choicesUrl: Type.String({
    description: 'Where the person sees why this ad, hides it, and deletes what is kept about them',
  }),
  schain: Type.Object(
    {
      ver: Type.Literal('1.0'),
      complete: Type.Literal(1),
      nodes: Type.Array(
        Type.Object({
          asi: Type.String(),
          sid: Type.String(),
          hp: Type.Literal(1),
          rid: Type.String(),
        }),
      ),
    },
    { description: 'Who handed the request on; `/sellers.json` names the sellers' },
  ),
});
export type ServedAd = Static<typeof ServedAd>;

/** What a request is answered. */
export const ServedAds = Type.Array(ServedAd);
