import { type Static, Type } from '@sinclair/typebox';

export const QueueQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
  cursor: Type.Optional(Type.String({ maxLength: 200 })),
});
export type QueueQuery = Static<typeof QueueQuery>;

/** Sent back as it was listed, so that nobody approves what they have not seen. */
const seen = Type.Optional(Type.String({ maxLength: 40 }));
export const Approval = Type.Object({ submitted_for_review_at: seen });
export type Approval = Static<typeof Approval>;
export const Rejection = Type.Object({
  notes: Type.String({ minLength: 1, maxLength: 2000, pattern: '\\S' }),
  submitted_for_review_at: seen,
  keep_showing: Type.Optional(
    Type.Boolean({
      description:
        'Turn down only the newer version: the one approved before stays on the air, if it is',
    }),
  ),
});
export type Rejection = Static<typeof Rejection>;

const nullable = Type.Unsafe<string | null>({ type: ['string', 'null'] });
const FindingView = Type.Object({
  rule: Type.String(),
  level: Type.String(),
  field: Type.String(),
  message: Type.String(),
});

const Preview = Type.Object({
  id: Type.String(),
  kind: Type.String({ description: 'ad or ad_unit' }),
  ad_group_id: nullable,
  name: Type.String(),
  title: Type.String(),
  adText: Type.String(),
  cta: Type.String(),
  brandName: Type.String(),
  url: Type.String(),
  image: nullable,
  favicon: nullable,
  source: Type.String(),
  review_status: Type.String(),
  findings: Type.Array(FindingView),
});

export const QueueView = Type.Object({
  total: Type.Integer(),
  next_cursor: nullable,
  campaigns: Type.Array(
    Type.Object({
      campaign_id: Type.String(),
      advertiser_id: Type.String(),
      advertiser_name: Type.String(),
      name: Type.String(),
      status: Type.String(),
      review_status: Type.String(),
      shows_approved: Type.Boolean({
        description: 'The version approved before is shown while this one waits',
      }),
      submitted_for_review_at: nullable,
      landing_page: Type.String(),
      daily_budget: Type.Number(),
      allowed_countries: Type.Array(Type.String()),
      lead_form_config: Type.Unsafe<unknown>({}),
      previews: Type.Array(Preview),
      previews_total: Type.Integer(),
      findings: Type.Array(FindingView),
      pages: Type.Array(
        Type.Object({
          url: Type.String(),
          http_status: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
          problem: nullable,
          checked_at: Type.String(),
        }),
      ),
    }),
  ),
});

export const Decision = Type.Object({
  campaign_id: Type.String(),
  status: Type.String(),
  review_status: Type.String(),
  deployment_status: Type.String(),
  review_notes: nullable,
  reviewed_at: nullable,
});
