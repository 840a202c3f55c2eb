import { type Static, Type } from '@sinclair/typebox';

export const ConnectionView = Type.Object({
  id: Type.String(),
  shop_domain: Type.String(),
  is_active: Type.Boolean(),
  connected_at: Type.String(),
  verification_status: Type.String({
    description:
      'pending until the shop’s address shows the challenge or the operator confirms it, then verified',
  }),
});
export type ConnectionView = Static<typeof ConnectionView>;

/** As answered to who connects or proves it. */
export const ConnectedView = Type.Composite([
  ConnectionView,
  Type.Object({
    challenge: Type.Union([Type.String(), Type.Null()], {
      description:
        'Shown anywhere in the source of the shop’s front page it proves whose shop it is',
    }),
  }),
]);

export const IntegrationsView = Type.Object({ shopify: Type.Array(ConnectionView) });

export const NewConnection = Type.Object({
  shop_domain: Type.String({ minLength: 1, maxLength: 200, description: 'example.myshopify.com' }),
  webhook_secret: Type.Optional(
    Type.Union([Type.String({ minLength: 8, maxLength: 500 }), Type.Null()], {
      description:
        'Signs the shop’s webhooks; without one, the installation’s storefront app does. A new one replaces the old, which is accepted for another hour.',
    }),
  ),
});
export type NewConnection = Static<typeof NewConnection>;

export const WebhookAnswer = Type.Object({ status: Type.String() });
