import { type Static, Type } from '@sinclair/typebox';

const name = Type.String({ minLength: 1, maxLength: 60, pattern: '\\S' });

export const NewExperiment = Type.Object({
  campaign_id: Type.String({ maxLength: 100 }),
  name,
  kind: Type.Union([Type.Literal('ab'), Type.Literal('holdout')]),
  holdout_percent: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 90, description: 'Of `holdout`: shown nothing; 10' }),
  ),
  variants: Type.Optional(
    Type.Array(
      Type.Object({
        name,
        weight: Type.Integer({ minimum: 1, maximum: 1000, default: 1 }),
        ad_group_ids: Type.Optional(
          Type.Array(Type.String({ maxLength: 100 }), {
            maxItems: 100,
            description: 'Shown to this arm alone; none: all groups of the campaign',
          }),
        ),
      }),
      {
        minItems: 2,
        maxItems: 10,
        description: 'Of `ab`; the first is what others are held against',
      },
    ),
  ),
});
export type NewExperiment = Static<typeof NewExperiment>;

const interval = Type.Object({ value: Type.Number(), low: Type.Number(), high: Type.Number() });
const lift = Type.Union([
  Type.Object({
    rate: Type.Number(),
    base_rate: Type.Number(),
    difference: interval,
    relative: Type.Union([interval, Type.Null()]),
    p_value: Type.Number(),
  }),
  Type.Null(),
]);

export const ExperimentView = Type.Object({
  experiment_id: Type.String(),
  campaign_id: Type.String(),
  name: Type.String(),
  kind: Type.String(),
  started_at: Type.String(),
  stopped_at: Type.Union([Type.String(), Type.Null()]),
  variants: Type.Array(
    Type.Object({
      variant: Type.String(),
      weight: Type.Number(),
      ad_group_ids: Type.Array(Type.String()),
    }),
  ),
});
export type ExperimentView = Static<typeof ExperimentView>;

export const ExperimentResult = Type.Object({
  ...ExperimentView.properties,
  confidence: Type.Number({ description: 'Of the intervals' }),
  results: Type.Array(
    Type.Object({
      variant: Type.String(),
      units: Type.Integer({ description: 'People who could have been shown the campaign' }),
      clicked: Type.Integer(),
      matched: Type.Integer({ description: 'Of them known to the advertiser by a hashed e-mail' }),
      converted: Type.Integer({ description: 'Of those who bought since, whatever they saw' }),
      click_lift: lift,
      conversion_lift: lift,
    }),
  ),
});
export type ExperimentResult = Static<typeof ExperimentResult>;
