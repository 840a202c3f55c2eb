import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { sha256 } from '../../domain/pii.js';
import { type MadeClick, makeClick } from '../../../test/support/make-click.js';
import { buildTestApp, type TestApp } from '../../../test/support/test-app.js';
import { testEngines } from '../../../test/support/test-database.js';

const minute = 60_000;
const day = 1440;

interface Serve {
  op: 'serve';
  mine: boolean;
  age: number;
  clicked: boolean;
  invalid: boolean;
  viewer: number | null;
}
interface Signals {
  click: number | null;
  visitor: number | null;
  session: number | null;
  em: number | null;
  ph: number | null;
  ext: number | null;
}
interface Visit {
  op: 'visit';
  click: number;
  visitor: number;
  session: number;
}
interface Convert {
  op: 'convert';
  batch: (Signals & { age: number })[];
}
type Op = Serve | Visit | Convert;

const few = fc.option(fc.integer({ min: 0, max: 2 }), { freq: 2 });
const serve: fc.Arbitrary<Serve> = fc.record({
  op: fc.constant('serve'),
  mine: fc.integer({ max: 5, min: 0 }).map((n) => n > 0),
  age: fc.oneof(fc.integer({ min: 0, max: 2 * day }), fc.integer({ min: 0, max: 40 * day })),
  clicked: fc.boolean(),
  invalid: fc.integer({ min: 0, max: 5 }).map((n) => n === 0),
  viewer: few,
});
const visit: fc.Arbitrary<Visit> = fc.record({
  op: fc.constant('visit'),
  click: fc.integer({ min: 0, max: 4 }),
  visitor: fc.integer({ min: 0, max: 2 }),
  session: fc.integer({ min: 0, max: 2 }),
});
const converted = fc.record({
  age: fc.oneof(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 6 * day })),
  click: fc.option(fc.integer({ min: 0, max: 4 }), { freq: 1 }),
  visitor: few,
  session: few,
  em: few,
  ph: few,
  ext: few,
});
const convert: fc.Arbitrary<Convert> = fc.record({
  op: fc.constant('convert'),
  batch: fc.array(converted, { minLength: 1, maxLength: 3 }),
});
const story = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: serve },
    { weight: 2, arbitrary: visit },
    { weight: 3, arbitrary: convert },
  ),
  { minLength: 3, maxLength: 14 },
);

interface Known {
  serveId: string;
  at: number;
  mine: boolean;
  clicked: boolean;
  invalid: boolean;
  viewer: number | null;
}
interface Credited {
  evidence: string | null;
  serve_id: string | null;
}

/** The rules again, the slow way: every click and link is kept and looked through. */
function createOracle() {
  const serves: Known[] = [];
  const links: { key: string; serve: Known }[] = [];
  const usable = (n: number | null): Known | undefined => {
    const one = n === null ? undefined : serves[n];
    return one !== undefined && one.mine && one.clicked && !one.invalid ? one : undefined;
  };
  const learn = (signals: Signals): void => {
    const one = usable(signals.click);
    if (one !== undefined)
      for (const [kind, n] of Object.entries(signals))
        if (kind !== 'click' && n !== null) links.push({ key: `${kind}${n}`, serve: one });
  };
  const latest = (list: readonly Known[]): Known | undefined =>
    [...list].sort((a, b) => b.at - a.at)[0];
  const within = (one: Known | undefined, at: number, minutes: number): one is Known =>
    one !== undefined && one.at >= at - minutes * minute && one.at <= at + 10 * minute;
  const linked = (keys: readonly string[], at: number): Known | undefined =>
    latest(
      links
        .filter((link) => keys.includes(link.key) && within(link.serve, at, 30 * day))
        .map((link) => link.serve),
    );
  const credit = (evidence: string, one: Known): Credited => ({ evidence, serve_id: one.serveId });

  function expect(signals: Signals, at: number): Credited {
    const direct = usable(signals.click);
    if (direct !== undefined && at - direct.at <= 30 * day * minute)
      return credit('click_id', direct);
    const visitor = linked([`visitor${signals.visitor}`], at);
    if (visitor !== undefined) return credit('visitor', visitor);
    const session = linked([`session${signals.session}`], at);
    if (session !== undefined) return credit('session', session);
    const person = linked([`em${signals.em}`, `ph${signals.ph}`, `ext${signals.ext}`], at);
    if (person !== undefined) return credit('person', person);
    const viewed =
      signals.em === null
        ? []
        : serves.filter((one) => one.mine && !one.invalid && one.viewer === signals.em);
    const click = latest(viewed.filter((one) => one.clicked));
    if (within(click, at, 30 * day)) return credit('viewer_click', click);
    const view = latest(viewed);
    if (within(view, at, day)) return credit('viewer_view', view);
    return { evidence: null, serve_id: null };
  }
  return { serves, learn, expect };
}

for (const engine of testEngines()) {
  describe(`attribution on the ${engine.name} engine`, () => {
    let app: TestApp;
    before(async () => {
      app = await buildTestApp(await engine.open());
    });
    after(() => app.close());

    it('credits every conversion of a random story to the ad that the rules, followed slowly, credit', async () => {
      const publisherId = (await app.newPublisher()).id;
      let stories = 0;
      await fc.assert(
        fc.asyncProperty(story, async (ops) => {
          stories += 1;
          const oracle = createOracle();
          const me = await app.newAdvertiser();
          const rival = await app.newAdvertiser();
          const pixel = (
            await app.http.inject({
              method: 'POST',
              url: '/advertiser-dashboard/pixels',
              headers: { 'x-api-key': me.apiKey },
              payload: { url: 'shop.example' },
            })
          ).json();
          const clicks: MadeClick[] = [];
          const name = (kind: string, n: number): string => `${kind}-${stories}-${n}`;
          const email = (n: number): string => `${name('p', n)}@people.example`;
          let conversions = 0;
          for (const op of ops) await play(op);

          async function play(op: Op): Promise<void> {
            if (op.op === 'serve') {
              // No two touches at the same moment: ties are decided by random ids.
              const at = app.clock.now - op.age * minute - clicks.length;
              const made = await makeClick(app, op.mine ? me.id : rival.id, {
                at,
                publisherId,
                kinds: op.clicked ? ['impression', 'click'] : ['impression'],
                invalid: op.invalid ? 'bot' : null,
                ...(op.viewer === null ? {} : { identity: `em:${sha256(email(op.viewer))}` }),
              });
              clicks.push(made);
              oracle.serves.push({ ...op, serveId: made.serveId, at });
            } else if (op.op === 'visit') {
              const answer = await app.http.inject({
                method: 'POST',
                url: '/track/gr-events',
                payload: {
                  pixel_id: pixel.id,
                  visitor_id: name('v', op.visitor),
                  session_id: name('s', op.session),
                  events: [
                    {
                      event_type: 'page_view',
                      url: 'https://shop.example/',
                      timestamp: app.clock.now,
                      click_id: clicks[op.click]?.grclid,
                    },
                  ],
                },
              });
              assert.equal(answer.statusCode, 202, answer.body);
              oracle.learn({
                click: op.click,
                visitor: op.visitor,
                session: op.session,
                em: null,
                ph: null,
                ext: null,
              });
            } else await convertAll(op.batch);
          }

          async function convertAll(batch: Convert['batch']): Promise<void> {
            const seconds = Math.floor(app.clock.now / 1000);
            const data = batch.map((one) => ({
              event_name: 'Purchase',
              event_id: `c${(conversions += 1)}`,
              event_time: seconds - one.age * 60,
              user_data: {
                click_id: one.click === null ? null : (clicks[one.click]?.grclid ?? 'unknown'),
                visitor_id: one.visitor === null ? null : name('v', one.visitor),
                session_id: one.session === null ? null : name('s', one.session),
                em: one.em === null ? [] : [email(one.em).toUpperCase()],
                ph: one.ph === null ? [] : [`+1 555 ${stories}000${one.ph}`],
                external_id: one.ext === null ? [] : [name('x', one.ext)],
              },
            }));
            const answer = (
              await app.http.inject({
                method: 'POST',
                url: '/gateway/events',
                headers: { authorization: `Bearer ${me.apiKey}` },
                payload: { data },
              })
            ).json();
            for (const one of batch)
              oracle.learn({
                click: one.click,
                visitor: one.visitor,
                session: one.session,
                em: one.em,
                ph: one.ph,
                ext: one.ext,
              });
            for (const [n, one] of batch.entries()) {
              const [stored] = await app.db.query<Credited>(
                `select evidence, serve_id
                 from conversions
                 where advertiser_id = $1 and event_id = $2`,
                [me.id, data[n]?.event_id],
              );
              const expected = oracle.expect(one, (seconds - one.age * 60) * 1000);
              assert.deepEqual(stored, expected);
              assert.equal(answer.results[n].attributed, expected.evidence !== null);
            }
          }
        }),
        { numRuns: 25 },
      );
    });

    it('keeps the ad group of a click and leaves it out of a view', async () => {
      const { apiKey, id } = await app.newAdvertiser();
      const seen = await makeClick(app, id, {
        kinds: ['impression'],
        identity: `em:${sha256('viewer@people.example')}`,
      });
      const clicked = await makeClick(app, id);
      app.clock.now += 5000;
      const data = [{ em: ['viewer@people.example'] }, { click_id: clicked.grclid }].map(
        (user_data, n) => ({
          event_name: 'Lead',
          event_id: `g${n}`,
          event_time: Math.floor(app.clock.now / 1000),
          user_data,
        }),
      );
      await app.http.inject({
        method: 'POST',
        url: '/gateway/events',
        headers: { authorization: `Bearer ${apiKey}` },
        payload: { data },
      });
      const list = (
        await app.http.inject({
          url: '/advertiser-dashboard/conversions',
          headers: { 'x-api-key': apiKey },
        })
      ).json();
      const byCampaign = new Map(
        list.conversions.map((one: { campaign_id: string }) => [one.campaign_id, one]),
      );
      assert.deepEqual(pick(byCampaign.get(seen.campaignId)), ['view', null, true]);
      assert.deepEqual(pick(byCampaign.get(clicked.campaignId)), [
        'click',
        clicked.adGroupId,
        true,
      ]);
      const [totals] = await app.db.query(
        `select conversions, view_conversions
         from campaign_totals
         where campaign_id = $1 and conversions > 0`,
        [seen.campaignId],
      );
      assert.deepEqual(totals, { conversions: 1, view_conversions: 1 });
      assert.equal(
        (
          await app.db.query(
            `select 1 from ad_group_totals where ad_group_id = $1 and conversions > 0`,
            [seen.adGroupId],
          )
        ).length,
        0,
      );
    });
  });
}

function pick(conversion: unknown): unknown[] {
  // Rows of the report, read as their schema says.
  const { attribution, ad_group_id, is_attributed } = conversion as {
    attribution: string;
    ad_group_id: string | null;
    is_attributed: boolean;
  };
  return [attribution, ad_group_id, is_attributed];
}
