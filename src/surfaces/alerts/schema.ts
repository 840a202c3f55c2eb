import { type Static, Type } from '@sinclair/typebox';

export const alertTypes = [
  'campaign.budget_nearly_spent',
  'campaign.delivery_stopped',
  'campaign.conversion_rate_fell',
  'publisher.delivery_stopped',
  'webhook.test',
] as const;
export type AlertType = (typeof alertTypes)[number];

const chosen = Type.Array(Type.Union(alertTypes.map((type) => Type.Literal(type))), {
  maxItems: 20,
  uniqueItems: true,
  description: 'Empty: all',
});
const url = Type.String({
  minLength: 1,
  maxLength: 2000,
  description: 'http or https address that answers 2xx',
});

export const NewEndpoint = Type.Object({ url, alert_types: Type.Optional(chosen) });
export type NewEndpoint = Static<typeof NewEndpoint>;
export const EndpointChange = Type.Object({
  url: Type.Optional(url),
  alert_types: Type.Optional(chosen),
  is_active: Type.Optional(Type.Boolean()),
});
export type EndpointChange = Static<typeof EndpointChange>;

const endpoint = {
  id: Type.String(),
  url: Type.String(),
  alert_types: Type.Array(Type.String()),
  is_active: Type.Boolean(),
  created_at: Type.String(),
  updated_at: Type.String(),
};
export const Endpoint = Type.Object(endpoint);
export type Endpoint = Static<typeof Endpoint>;
/** The secret is shown once. */
export const CreatedEndpoint = Type.Object({ ...endpoint, secret: Type.String() });
export const Endpoints = Type.Object({ webhooks: Type.Array(Endpoint) });

export const Alerts = Type.Object({
  alerts: Type.Array(
    Type.Object({
      id: Type.String(),
      type: Type.String(),
      created_at: Type.String(),
      data: Type.Object({}, { additionalProperties: true }),
    }),
  ),
});
export const Deliveries = Type.Object({
  deliveries: Type.Array(
    Type.Object({
      alert_id: Type.String(),
      type: Type.String(),
      attempts: Type.Integer(),
      last_status: Type.Union([Type.Integer(), Type.Null()]),
      last_error: Type.Union([Type.String(), Type.Null()]),
      attempted_at: Type.Union([Type.String(), Type.Null()]),
      delivered_at: Type.Union([Type.String(), Type.Null()]),
    }),
  ),
});
