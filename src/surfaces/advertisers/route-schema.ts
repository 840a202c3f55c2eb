import { Type } from '@sinclair/typebox';

const headers = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      maxLength: 255,
      description: 'Repeating a write with the same key gives the same answer',
    }),
  ),
});

export const read = (summary: string) => ({
  tags: ['advertiser'],
  summary,
  security: [{ apiKey: [] }],
});
export const change = (summary: string) => ({
  tags: ['advertiser'],
  summary,
  security: [{ apiKey: [] }],
  headers,
});
