import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import { Type } from '@sinclair/typebox';
import fc from 'fast-check';
import { withNullables } from './nullable-schemas.js';

const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()]);

const inner = Type.Object({ min: Type.Number(), name: orNull(Type.String()) });
const schema = Type.Object({
  text: orNull(Type.String()),
  count: orNull(Type.Integer()),
  price: orNull(Type.Number()),
  flag: orNull(Type.Boolean()),
  range: orNull(inner),
  list: orNull(Type.Array(inner)),
  kind: Type.Union([Type.Literal('a'), Type.Literal('b'), Type.Null()]),
  maybe: Type.Optional(orNull(Type.String())),
});

function serializerOf(of: unknown): (value: unknown) => string {
  const compile = SerializerSelector()({}, {});
  // What the framework hands over of a route; only the schema is read here.
  return compile({ schema: of, method: 'GET', url: '/', httpStatus: '200' } as never);
}

test('an answer is written the same whether null is one of a union or allowed', () => {
  const plain = serializerOf(schema);
  const quick = serializerOf(withNullables(schema));
  const part = fc.record({
    min: fc.double({ noNaN: true, noDefaultInfinity: true }),
    name: fc.option(fc.string()),
  });
  fc.assert(
    fc.property(
      fc.record(
        {
          text: fc.option(fc.string()),
          count: fc.option(fc.integer()),
          price: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
          flag: fc.option(fc.boolean()),
          range: fc.option(part),
          list: fc.option(fc.array(part, { maxLength: 3 })),
          kind: fc.constantFrom('a', 'b', null),
          maybe: fc.option(fc.string()),
        },
        { requiredKeys: ['text', 'count', 'price', 'flag', 'range', 'list', 'kind'] },
      ),
      (value) => assert.equal(quick(value), plain(value)),
    ),
  );
});

test('unions of other things and values that look like one are left alone', () => {
  const union = { anyOf: [{ type: 'string' }, { type: 'number' }] };
  assert.deepEqual(withNullables(union), union);
  const fixed = { type: 'object', default: { anyOf: [{ type: 'string' }, { type: 'null' }] } };
  assert.deepEqual(withNullables(fixed), fixed);
});
