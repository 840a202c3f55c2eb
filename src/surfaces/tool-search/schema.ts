import { type Static, Type } from '@sinclair/typebox';
import { DisclosureView } from '../../platform/http/disclosure-view.js';

const nullable = <T extends ReturnType<typeof Type.String> | ReturnType<typeof Type.Object>>(
  type: T,
) => Type.Optional(Type.Union([type, Type.Null()]));
const words = Type.Optional(
  Type.Union([
    Type.String({ maxLength: 200 }),
    Type.Array(Type.String({ maxLength: 200 }), { maxItems: 20 }),
    Type.Null(),
  ]),
);
const identifier = Type.String({ maxLength: 500 });

export const ToolSearch = Type.Object({
  query: Type.String({
    minLength: 1,
    maxLength: 4000,
    description: 'The need in plain words, or a follow-up when search_id is sent',
  }),
  search_id: nullable(
    Type.String({ maxLength: 100, description: 'From an earlier answer: keeps the conversation' }),
  ),
  context: Type.Optional(
    Type.Union([
      Type.Object(
        {
          framework: words,
          language: words,
          constraints: Type.Optional(
            Type.Union([
              Type.String({ maxLength: 1000 }),
              Type.Array(Type.String({ maxLength: 200 }), { maxItems: 20 }),
              Type.Object({}, { additionalProperties: true, maxProperties: 20 }),
              Type.Null(),
            ]),
          ),
        },
        { additionalProperties: true },
      ),
      Type.Null(),
    ]),
  ),
  platform_api_key: nullable(
    Type.String({ description: 'Publisher key, where the X-API-Key header cannot be sent' }),
  ),
  locale: Type.Optional(
    Type.Unknown({ description: 'Language of the person (`de`, `pt-BR`), for `disclosure`' }),
  ),
  external_session_id: nullable(identifier),
  external_user_id_hash: nullable(identifier),
  external_user_id: nullable(
    Type.String({ maxLength: 500, description: 'Only its SHA-256 is stored' }),
  ),
  hashed_email: nullable(identifier),
  email_hash: nullable(identifier),
  metadata: nullable(Type.Object({}, { additionalProperties: true, maxProperties: 100 })),
  regs: Type.Optional(
    Type.Unknown({ description: 'What the person chose: `gdpr`, `tcf`, `gpp`, `us_privacy`' }),
  ),
  consent: Type.Optional(Type.Unknown({ description: 'A TCF string, true, false, or flags' })),
  monetization: Type.Optional(
    Type.Union([
      Type.Object({ mode: Type.Union([Type.Literal('boost_cpa'), Type.Literal('off')]) }),
      Type.Null(),
    ]),
  ),
});
export type ToolSearch = Static<typeof ToolSearch>;

const Step = Type.Object({
  step: Type.Integer(),
  action: Type.String(),
  command: Type.Optional(Type.String()),
  file: Type.Optional(Type.String()),
  user_action: Type.Optional(Type.String()),
});
const EnvVar = Type.Object({
  name: Type.String(),
  description: Type.String(),
  secret: Type.Boolean(),
  required: Type.Boolean(),
});
const orNull = <T extends ReturnType<typeof Type.Object>>(type: T) =>
  Type.Union([type, Type.Null()]);

export const ToolAnswer = Type.Object({
  search_id: Type.String(),
  recommendation: orNull(
    Type.Object({
      name: Type.String(),
      slug: Type.String(),
      category: Type.String(),
      description: Type.String(),
      website_url: Type.String(),
      docs_url: Type.String(),
    }),
  ),
  reasoning: Type.String(),
  install: orNull(
    Type.Object({
      summary: Type.String(),
      steps: Type.Array(Step),
      env_vars: Type.Array(EnvVar),
      notes: Type.String(),
    }),
  ),
  credential_request: orNull(
    Type.Object({
      setup_url: Type.String(),
      required_env_vars: Type.Array(Type.String()),
      user_message: Type.String(),
      agent_instruction: Type.String(),
      grclid: Type.String(),
    }),
  ),
  click_url: Type.Union([Type.String(), Type.Null()]),
  grclid: Type.Union([Type.String(), Type.Null()]),
  /** Null where nobody pays for what comes of the link. */
  disclosure: orNull(DisclosureView),
});
export type ToolAnswer = Static<typeof ToolAnswer>;

export const CategoryList = Type.Object({
  categories: Type.Array(Type.Object({ name: Type.String(), service_count: Type.Integer() })),
  total: Type.Integer(),
});
export type CategoryList = Static<typeof CategoryList>;

export const GapQuery = Type.Object({
  days: Type.Integer({ minimum: 1, maximum: 365, default: 30 }),
  limit: Type.Integer({ minimum: 1, maximum: 500, default: 100 }),
});
export type GapQuery = Static<typeof GapQuery>;

export const GapList = Type.Object({
  gaps: Type.Array(
    Type.Object({
      query: Type.String(),
      answer: Type.String(),
      category: Type.Union([Type.String(), Type.Null()]),
      recommended: Type.Union([Type.String(), Type.Null()]),
      searches: Type.Integer(),
      last_at: Type.String(),
    }),
  ),
});

export const ToolCampaign = Type.Object({
  slug: Type.String({ minLength: 1, maxLength: 100 }),
  campaign_id: Type.String({ minLength: 1, maxLength: 100 }),
});
export type ToolCampaign = Static<typeof ToolCampaign>;

export const ToolCampaignList = Type.Object({
  links: Type.Array(
    Type.Object({
      slug: Type.String(),
      campaign_id: Type.String(),
      advertiser_id: Type.String(),
      campaign: Type.String(),
      is_live: Type.Boolean(),
    }),
  ),
});

export const ToolCampaignChoices = Type.Object({
  tools: Type.Array(
    Type.Object({ slug: Type.String(), name: Type.String(), category: Type.String() }),
  ),
  campaigns: Type.Array(
    Type.Object({
      campaign_id: Type.String(),
      name: Type.String(),
      advertiser: Type.String(),
      max_cpa: Type.Union([Type.Number(), Type.Null()]),
      status: Type.String(),
      review_status: Type.String(),
    }),
  ),
});
