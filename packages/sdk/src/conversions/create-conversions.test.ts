import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import type { ConversionEvent } from './conversion-event.js';
import { createConversions, hashEvent } from './create-conversions.js';

const sha = (text: string) => createHash('sha256').update(text).digest('hex');
const event = (id: number, more: Partial<ConversionEvent> = {}): ConversionEvent => ({
  event_name: 'Purchase',
  event_time: 1_790_000_000,
  event_id: `e${id}`,
  ...more,
});
type Body = { test_event_code?: string; data: ConversionEvent[] };

/** A stand-in for the network, not for our code: answers like the intake does. */
function intake(failures: number[] = []) {
  const bodies: Body[] = [];
  const send: typeof fetch = async (_url, init) => {
    const failure = failures.shift();
    if (failure !== undefined && failure > 0) return new Response('{}', { status: failure });
    const body = JSON.parse(init?.body as string) as Body; // the client under test sends JSON text
    bodies.push(body);
    const results = body.data.map((one) => ({
      event_id: one.event_id,
      status: 'ok',
      attributed: false,
    }));
    return Response.json({
      events_received: results.length,
      events_processed: results.length,
      events_errored: 0,
      results,
      test_mode: body.test_event_code !== undefined,
    });
  };
  return {
    bodies,
    conversions: createConversions({
      apiKey: 'adv',
      baseUrl: 'https://api.test/',
      fetch: send,
      retries: 1,
      timeoutMs: 5000,
    }),
  };
}

test('personal data is normalised and hashed before it leaves, hashes pass unchanged', async () => {
  const hashed = await hashEvent(
    event(1, {
      user_data: {
        em: [' Ada@Example.COM ', sha('x').toUpperCase()],
        ph: '+49 (30) 123-45',
        fn: ' ÉLODIE ',
        ln: 'Straße',
        external_id: 'u1',
        click_id: 'c',
      },
    }),
  );
  assert.deepEqual(hashed.user_data, {
    click_id: 'c',
    em: [sha('ada@example.com'), sha('x')],
    ph: [sha('493012345')],
    fn: sha('élodie'),
    ln: sha('straße'),
    external_id: ['u1'],
  });
});

test('phones written in different ways hash alike', async () => {
  const hash = async (ph: string) =>
    (await hashEvent(event(1, { user_data: { ph } }))).user_data?.ph;
  assert.deepEqual(await hash('0049 30 12345'), await hash('+49-30-12345'));
});

test('many events travel by the thousand and the answers add up', async () => {
  const { bodies, conversions } = intake();
  const delivery = await conversions.sendConversions(
    Array.from({ length: 2500 }, (_, id) => event(id)),
    { testEventCode: 'TEST123' },
  );
  assert.deepEqual(
    bodies.map((body) => body.data.length),
    [1000, 1000, 500],
  );
  assert.equal(bodies[0]?.test_event_code, 'TEST123');
  assert.equal(delivery.events_processed, 2500);
  assert.equal(delivery.results[2499]?.event_id, 'e2499');
  assert.equal(delivery.test_mode, true);
});

test('a batch too heavy for one request is split', async () => {
  const { bodies, conversions } = intake();
  const heavy = { custom_data: { content_name: 'x'.repeat(1_000_000) } };
  await conversions.sendConversions([event(1, heavy), event(2, heavy), event(3, heavy)]);
  assert.deepEqual(
    bodies.map((body) => body.data.length),
    [2, 1],
  );
});

test('a passing fault is retried; a lasting one hands the events back', async () => {
  const passing = intake([503]);
  assert.equal((await passing.conversions.sendConversions([event(1)])).events_processed, 1);
  const lasting = intake([503, 503]);
  const delivery = await lasting.conversions.sendConversions([event(1)]);
  assert.equal(delivery.reason, 'unavailable');
  assert.deepEqual(
    delivery.undelivered.map((one) => one.event_id),
    ['e1'],
  );
  assert.equal(
    (await intake([401]).conversions.sendConversions([event(1)])).reason,
    'unauthorized',
  );
});

test('one event is taken like a list of one, and what is no event does not throw', async () => {
  const { conversions, bodies } = intake();
  assert.equal((await conversions.sendConversions(event(1))).events_received, 1);
  assert.deepEqual(
    bodies.map(({ data }) => data.map((one) => one.event_id)),
    [['e1']],
  );
  const holes = [undefined, event(2), null] as unknown as ConversionEvent[]; // without types
  assert.equal((await conversions.sendConversions(holes)).events_received, 1);
  const none = await conversions.sendConversions(undefined as unknown as ConversionEvent); // as above
  assert.equal(none.events_received, 0);
});
