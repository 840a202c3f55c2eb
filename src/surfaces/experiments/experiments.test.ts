import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { insertLiveCampaign } from '../../../test/support/live-campaign.js';
import { managing } from '../../../test/support/managed-campaign.js';
import { buildTestApp, type TestApp } from '../../../test/support/test-app.js';
import { testEngines } from '../../../test/support/test-database.js';

const sha = (text: string): string => createHash('sha256').update(text).digest('hex');

for (const engine of testEngines()) {
  describe(`experiments on the ${engine.name} engine`, () => {
    let app: TestApp;
    before(async () => {
      app = await buildTestApp(await engine.open());
    });
    after(() => app.close());

    const ask = async (apiKey: string, person: string) =>
      app.http.inject({
        method: 'POST',
        url: '/api/v1/ad',
        headers: { authorization: `Bearer ${apiKey}` },
        payload: {
          messages: [{ role: 'user', content: 'which telescope shows the rings of saturn?' }],
          sessionId: `session of ${person}`,
          placements: [{ placement: 'below_response', placement_id: 'main' }],
          user: { id: person, hashed_email: sha(person) },
        },
      });
    const buy = async (apiKey: string, people: readonly string[]) => {
      const answer = await app.http.inject({
        method: 'POST',
        url: '/gateway/events',
        headers: { authorization: `Bearer ${apiKey}` },
        payload: {
          data: people.map((person) => ({
            event_name: 'Purchase',
            event_id: `order of ${person}`,
            event_time: Math.floor(app.clock.now / 1000),
            user_data: { em: [sha(person)] },
          })),
        },
      });
      assert.equal(answer.json().events_errored, 0);
    };

    it('two equal arms differ by chance alone: p-values of many are uniform', async () => {
      const advertiser = await app.newAdvertiser();
      const publisher = await app.newPublisher();
      const call = managing(app, advertiser);
      const ids: string[] = [];
      for (let n = 0; n < 14; n += 1) {
        const { campaignId } = await insertLiveCampaign(app, advertiser.id, {
          context: 'telescopes that show the rings of saturn',
          maxCpmMicros: 5_000_000,
        });
        const made = await call('POST', 'experiments', {
          campaign_id: campaignId,
          name: `A/A ${n}`,
          kind: 'ab',
          variants: [
            { name: 'a', weight: 1 },
            { name: 'b', weight: 1 },
          ],
        });
        assert.equal(made.status, 201, JSON.stringify(made.body));
        ids.push(made.body.experiment_id);
        await app.serving.inventory.refresh([campaignId]);
      }
      const people = Array.from({ length: 90 }, (_, n) => `person ${n}`);
      for (const person of people)
        assert.equal((await ask(publisher.apiKey, person)).statusCode, 200);
      await buy(
        advertiser.apiKey,
        people.filter((_, n) => n % 3 === 0),
      );
      const pValues: number[] = [];
      for (const id of ids) {
        const { body } = await call('GET', `experiments/${id}`);
        const [a, b] = body.results;
        assert.equal(a.units + b.units, people.length);
        assert.equal(a.converted + b.converted, people.length / 3);
        assert.equal(a.conversion_lift, null);
        const { difference, p_value: p } = b.conversion_lift;
        assert.ok(difference.low <= difference.value && difference.value <= difference.high);
        pValues.push(p);
      }
      pValues.sort((x, y) => x - y);
      const distance = Math.max(
        ...pValues.map((p, n) => Math.max((n + 1) / pValues.length - p, p - n / pValues.length)),
      );
      // Farther from uniform than this is one chance in twenty thousand.
      assert.ok(distance < 2.3 / Math.sqrt(pValues.length), JSON.stringify(pValues));
      assert.ok(new Set(pValues.map((p) => p.toFixed(6))).size > 5, 'each assigns for itself');
    });

    it('a holdout is shown nothing, and what the ad adds is the difference to it', async () => {
      const advertiser = await app.newAdvertiser();
      const publisher = await app.newPublisher();
      const call = managing(app, advertiser);
      const others = await app.db.query<{ id: string }>(
        `select id from advertisers where id <> $1`,
        [advertiser.id],
      );
      await app.db.query(`update publishers set blocked_advertisers = $2 where id = $1`, [
        publisher.id,
        others.map(({ id }) => id),
      ]);
      await app.services.directory.refresh();
      const { campaignId } = await insertLiveCampaign(app, advertiser.id, {
        context: 'telescopes that show the rings of saturn',
        maxCpmMicros: 5_000_000,
      });
      const body = { campaign_id: campaignId, name: 'Lift', kind: 'holdout', holdout_percent: 50 };
      const made = await call('POST', 'experiments', body);
      assert.equal((await call('POST', 'experiments', body)).status, 409, 'one at a time');
      const foreign = managing(app, await app.newAdvertiser());
      assert.equal((await foreign('POST', 'experiments', body)).status, 404);
      const path = `experiments/${made.body.experiment_id}`;
      assert.equal((await foreign('GET', path)).status, 404);
      await app.serving.inventory.refresh([campaignId]);
      const shown: string[] = [];
      for (let n = 0; n < 60; n += 1) {
        const person = `watcher ${n}`;
        const first = (await ask(publisher.apiKey, person)).statusCode;
        assert.equal(
          (await ask(publisher.apiKey, person)).statusCode,
          first,
          'always the same arm',
        );
        if (first === 200) shown.push(person);
      }
      assert.ok(shown.length > 8 && shown.length < 52);
      // Half of those who saw it buy, nobody else.
      await buy(
        advertiser.apiKey,
        shown.filter((_, n) => n % 2 === 0),
      );
      const { results } = (await call('GET', path)).body;
      const [holdout, seen] = results;
      assert.deepEqual(
        [holdout.variant, holdout.units, holdout.converted, seen.units],
        ['holdout', 60 - shown.length, 0, shown.length],
      );
      assert.ok(seen.conversion_lift.difference.low > 0 && seen.conversion_lift.p_value < 0.05);
      const ended = await call('PATCH', `${path}/stop`);
      assert.equal(ended.status, 200);
      assert.notEqual(ended.body.stopped_at, null);
      await app.serving.inventory.refresh([campaignId]);
      for (let n = 0; n < 10; n += 1)
        assert.equal((await ask(publisher.apiKey, `later ${n}`)).statusCode, 200);
      // Who was in which arm is forgotten; what came of it stays.
      const forget = async (days: number): Promise<number> => {
        app.clock.now += days * 86_400_000;
        await app.db.transaction((tx) =>
          app.services.jobs.enqueue(tx, 'forget-experiments', `after ${days}`, {}),
        );
        await app.services.jobs.runDue();
        const units = await app.db.query(
          `select 1 from experiment_units where experiment_id = $1`,
          [made.body.experiment_id],
        );
        return units.length;
      };
      assert.equal(await forget(89), 60);
      assert.equal(await forget(2), 0);
      assert.deepEqual((await call('GET', path)).body.results, results);
    });
  });
}
