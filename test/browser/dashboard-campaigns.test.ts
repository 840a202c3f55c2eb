import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { browserMissing } from '../support/browser.js';
import { openAdvertiserPages } from '../support/advertiser-pages.js';

const range = (low: number, expected: number, high: number) => ({ low, expected, high });
const outlook = {
  enough_data: true,
  reason: null,
  matching_requests_per_day: 150,
  won_share: 0.8,
  limited_by: 'requests',
  per_day: {
    impressions: range(80, 120, 160),
    clicks: range(1, 2, 4),
    spend: range(0.8, 1.2, 1.6),
  },
  run: null,
};
/** As the server answers where conversations are read; tests of the page only. */
const forecastAnswer = {
  basis: { days: 14, requests: 4200, kept: 4200 },
  forecast: outlook,
  current: { ...outlook, per_day: { ...outlook.per_day, spend: range(1, 2, 3) } },
};

type Pages = Awaited<ReturnType<typeof openAdvertiserPages>>;

describe(
  'what an advertiser does with campaigns, ad groups and ads',
  { skip: browserMissing() ?? false, timeout: 1_200_000 },
  () => {
    let pages: Pages | undefined;
    let site: Pages['site'];
    let page: Pages['page'];
    let campaignId: Pages['campaignId'];
    let open: Pages['open'];
    let sound: Pages['sound'];
    before(async () => {
      pages = await openAdvertiserPages();
      ({ site, page, campaignId, open, sound } = pages);
    });
    after(() => pages?.close());

    it('settings of a campaign are edited, and only what changed is sent', async () => {
      const bodies: unknown[] = [];
      page.on(
        'request',
        (request) => void (request.method() === 'PATCH' && bodies.push(request.postDataJSON())),
      );
      await open(`/campaigns/${campaignId}`);
      await page.getByRole('button', { name: 'Edit settings' }).click();
      await page.getByRole('combobox', { name: 'Countries' }).fill('germ');
      await page.getByRole('option', { name: 'Germany' }).click();
      await page.getByRole('combobox', { name: 'Countries' }).fill('usa');
      await page.getByRole('combobox', { name: 'Countries' }).press('Enter');
      await page.getByRole('button', { name: 'Remove United States' }).waitFor();
      await sound();
      await page.getByLabel('Ends').fill('2030-05-01T12:30');
      await page.getByLabel('desktop').uncheck();
      await page.getByRole('button', { name: 'Save campaign' }).click();
      await page.getByRole('cell', { name: 'Germany, United States' }).waitFor();
      await page.getByRole('cell', { name: 'mobile, tablet' }).waitFor();
      await page.getByText('May 1, 2030, 12:30 PM').waitFor();
      assert.deepEqual(bodies, [
        {
          allowed_countries: ['DE', 'US'],
          allowed_devices: ['mobile', 'tablet'],
          end_time: '2030-05-01T12:30:00.000Z',
        },
      ]);
    });

    it('a lead form is made, shown as people will see it, edited and removed', async () => {
      await open(`/campaigns/${campaignId}`);
      await page.getByRole('button', { name: 'Add a lead form' }).click();
      await page.getByLabel('Title').fill('Get a quote');
      await page.getByRole('button', { name: 'Add question' }).click();
      const third = page.getByRole('group', { name: 'Question 3' });
      await third.getByLabel('Label').fill('Team size');
      await third.getByLabel('Answer').selectOption('select');
      await third.getByLabel('Choices, one per line').fill('1–5\n6–50');
      await sound();
      // The preview shows what is typed; only the answer says that it is stored.
      const press = (name: string) =>
        Promise.all([
          page.waitForResponse((answer) => answer.request().method() === 'PATCH' && answer.ok()),
          page
            .getByRole('button', { name })
            .click()
            .then(() => page.getByRole('button', { name: 'Save and submit for review' }).click()),
        ]);
      await press('Save form');
      const preview = page.getByRole('complementary', { name: 'Preview of the lead form' });
      await preview.getByText('Team size').waitFor();
      const stored = async () =>
        (
          await site.app.db.query<{
            form: { title: string; fields: { name: string; options?: string[] }[] } | null;
          }>(`select lead_form_config as form from campaigns where id = $1`, [campaignId])
        )[0]?.form;
      assert.deepEqual(
        (await stored())?.fields.map((field) => field.name),
        ['name', 'email', 'team_size'],
      );
      assert.deepEqual((await stored())?.fields[2]?.options, ['1–5', '6–50']);
      await page.getByRole('button', { name: 'Edit form' }).click();
      await page.getByLabel('Title').fill('Ask for a price');
      await page.getByRole('button', { name: 'Move question 3 up' }).click();
      await press('Save form');
      await preview.getByText('Ask for a price').waitFor();
      assert.deepEqual(
        (await stored())?.fields.map((field) => field.name),
        ['name', 'team_size', 'email'],
        'answers keep their names',
      );
      await press('Remove form');
      await page.getByText('No lead form.').waitFor();
      assert.equal(await stored(), null);
    });

    it('an ad group and its ads are changed where they are seen', async () => {
      await open(`/campaigns/${campaignId}`);
      await page.getByRole('button', { name: 'Edit group Group' }).click();
      await page.getByLabel('Who should not').fill('people who look for a hotel');
      await sound();
      await page.getByRole('button', { name: 'Save group' }).click();
      await page.getByText('Not for: people who look for a hotel').waitFor();
      await page.getByRole('button', { name: 'Add ad to Group' }).click();
      await page.getByLabel('Headline').fill('Tents for two');
      await sound();
      await page.getByRole('button', { name: 'Save ad' }).click();
      await page.getByRole('complementary').getByText('Tents for two').first().waitFor();
      await page.getByRole('button', { name: 'Edit ad Tents for two' }).click();
      await page.getByLabel('Headline').fill('Tents for three');
      await page.getByRole('button', { name: 'Save ad' }).click();
      await page.getByRole('button', { name: 'Save and submit for review' }).click();
      await page.getByRole('complementary').getByText('Tents for three').first().waitFor();
    });

    it('an edit that is reviewed says so before it is saved, and what people see meanwhile', async () => {
      await site.app.db.query(
        `update campaigns
         set review_status = 'approved', deployment_status = 'deployed', shows_approved = false
         where id = $1`,
        [campaignId],
      );
      const stored = async () =>
        (
          await site.app.db.query<Record<string, unknown>>(
            `select landing_page, review_status, shows_approved from campaigns where id = $1`,
            [campaignId],
          )
        )[0];
      await open(`/campaigns/${campaignId}`);
      await page.getByText('Showing', { exact: true }).waitFor();
      const edit = async (landing: string): Promise<void> => {
        await page.getByRole('button', { name: 'Edit settings' }).click();
        await page.getByLabel('Landing page').fill(landing);
        await page.getByRole('button', { name: 'Save campaign' }).click();
        await page.getByText('What should they see until it is approved?').waitFor();
      };
      await edit('https://camp.example/new');
      await sound();
      assert.equal((await stored())?.['landing_page'], 'https://camp.example/');
      await page.getByRole('button', { name: 'Go back' }).click();
      await page.getByRole('button', { name: 'Save campaign' }).click();
      await page.getByRole('button', { name: 'Save and submit for review' }).click();
      await page.getByText('Saved.', { exact: true }).waitFor();
      await page
        .getByText(/The approved version is shown until your edit is approved\. \(since/)
        .waitFor();
      assert.deepEqual(await stored(), {
        landing_page: 'https://camp.example/new',
        review_status: 'pending_review',
        shows_approved: true,
      });
      await edit('https://camp.example/newer');
      await page.getByLabel('Stop showing it').check();
      await page.getByRole('button', { name: 'Save and submit for review' }).click();
      await page.getByText('Not showing', { exact: true }).waitFor();
      assert.equal((await stored())?.['shows_approved'], false);
      // Off the air with one click it does not go.
      await page.getByRole('button', { name: 'Archive', exact: true }).click();
      const question = page.getByRole('dialog', { name: /^Archive .*\?$/ });
      await question.getByRole('button', { name: 'Cancel' }).click();
      await question.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Archive', exact: true }).waitFor();
    });

    it('a campaign left unfinished is there again, and what is refused stands at its field', async () => {
      await open('/campaigns/new');
      await page.getByLabel('Campaign name').fill('Half done');
      await page.getByLabel('Landing page').fill('camp.example/half');
      await open('/campaigns');
      await open('/campaigns/new');
      assert.equal(await page.getByLabel('Campaign name').inputValue(), 'Half done');
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByLabel('Who should see it').fill('people who camp');
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByLabel('Headline').fill('Half a tent');
      await page.goBack();
      await page.getByLabel('Who should see it').waitFor();
      await page.goForward();
      assert.equal(await page.getByLabel('Headline').inputValue(), 'Half a tent');
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByRole('combobox', { name: 'Countries' }).fill('Narnia');
      // What is said at the field comes when the button was let go, not while it is pressed.
      await page.getByRole('button', { name: 'Save as draft' }).click({ delay: 600 });
      await page.getByText('Each problem is explained next to its field.').waitFor();
      await page.getByText('No country is called “Narnia”.').waitFor();
      assert.equal(
        await page.getByRole('combobox', { name: 'Countries' }).getAttribute('aria-invalid'),
        'true',
      );
      await sound();
      await page.getByRole('combobox', { name: 'Countries' }).fill('');
      // The server refuses it, and the words stand at the field of the step it belongs to.
      await page.getByLabel('Daily budget in dollars').fill('2000000000');
      await page.getByRole('button', { name: 'Save as draft' }).click();
      await page.getByText('An amount of dollars above zero').waitFor();
      await open('/campaigns/new');
      await page.getByLabel('Daily budget in dollars').waitFor();
      await page.getByRole('button', { name: 'Start over' }).click();
      assert.equal(await page.getByLabel('Campaign name').inputValue(), '');
    });

    it('what comes late moves neither the button that is pressed nor somebody who went on', async () => {
      await open('/campaigns/new');
      await page.getByLabel('Campaign name').fill('Slow');
      await page.getByLabel('Landing page').fill('https://camp.example/slow');
      await page.evaluate(
        'drawn = requestAnimationFrame; requestAnimationFrame = (f) => setTimeout(f, 400);',
      );
      await page.getByRole('button', { name: 'Continue' }).click();
      const avoided = page.getByLabel('Who should not');
      await avoided.focus();
      await page.waitForTimeout(1500);
      assert.ok(await avoided.evaluate((field) => field === document.activeElement));
      await page.evaluate('requestAnimationFrame = drawn');

      let asked = (): void => undefined;
      const question = new Promise<void>((done) => (asked = done));
      let answer = (): void => undefined;
      const mayAnswer = new Promise<void>((done) => (answer = done));
      await page.route('**/advertiser-dashboard/forecast', async (route) => {
        asked();
        await mayAnswer;
        await route.fulfill({ json: forecastAnswer });
      });
      await page.getByLabel('Who should see it').fill('people who camp');
      await question;
      await page.getByRole('button', { name: 'Continue' }).hover();
      await page.mouse.down();
      const came = page.waitForResponse('**/advertiser-dashboard/forecast');
      answer();
      await (await came).finished();
      await page.mouse.up();
      await page.getByLabel('Headline').waitFor();
      await page.unroute('**/advertiser-dashboard/forecast');
      await open('/campaigns/new');
      await page.getByRole('button', { name: 'Start over' }).click();
    });

    it('ads are written, changed, written anew and chosen before launch; looks and a forecast stand beside', async () => {
      await open('/campaigns/new');
      await page.getByLabel('Campaign name').fill('Written for me');
      await page.getByLabel('Landing page').fill('https://camp.example/written');
      await page.getByLabel('Brand').fill('Camp & Co');
      await page.getByLabel('Ads').selectOption('generative');
      await page.getByRole('button', { name: 'Continue' }).click();
      const forecast = page.getByRole('region', { name: 'Forecast' });
      await forecast.getByText('Say who should see it').waitFor();
      await page.getByLabel('Who should see it').fill('people who need a tent for the first trip');
      // Tests match by words: the server says that there is no forecast, and why.
      await forecast.getByText('needs conversations matched by meaning').waitFor();
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByText('Write ads and choose at least one.').waitFor();
      await page.getByLabel('What should the ads say?').fill('Mention free returns.');
      await page.getByRole('button', { name: 'Write ads' }).click();
      const ad = (n: number) => page.getByRole('group', { name: `Ad ${n}`, exact: true });
      await ad(4).waitFor();
      const headline = (n: number) => ad(n).getByLabel('Headline').inputValue();
      const before = await headline(2);
      await page.getByRole('button', { name: 'Write another instead of ad 2' }).click();
      await page.waitForFunction(
        (old) =>
          document.querySelectorAll<HTMLInputElement>('.written input[maxlength="80"]')[2]
            ?.value !== old,
        before,
      );
      await ad(1).getByLabel('Headline').fill('Tents that stay dry');
      for (const n of [2, 3, 4]) await ad(n).getByLabel('Use this ad').uncheck();
      const looks = page.locator('[data-look]');
      assert.equal(await looks.count(), 4);
      for (const name of ['Dark', 'Light'] as const) {
        await page.getByRole('button', { name, exact: true }).click();
        assert.equal(await page.locator(`.look.${name.toLowerCase()}`).count(), 4);
        await sound();
      }
      assert.equal(await looks.getByText('Tents that stay dry').count(), 4);
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.route('**/advertiser-dashboard/forecast', (route) =>
        route.fulfill({ json: forecastAnswer }),
      );
      await page.getByLabel('Daily budget in dollars').fill('30');
      await forecast.getByRole('cell', { name: '80 – 160' }).waitFor();
      await forecast.getByText('Based on 4,200 requests of the last 14 days').waitFor();
      await sound();
      await page.getByRole('button', { name: /^Launch for/ }).click();
      await page.getByRole('heading', { name: 'Written for me' }).waitFor();
      const [made] = await site.app.db.query<{ headlines: string[]; type: string }>(
        `select array_agg(d.headline) as headlines, min(g.group_type) as type
         from ads d
         join ad_groups g on g.id = d.ad_group_id
         join campaigns c on c.id = d.campaign_id
         where c.name = 'Written for me'`,
      );
      assert.deepEqual(made, { headlines: ['Tents that stay dry'], type: 'manual' });

      await page.getByRole('button', { name: 'Edit settings' }).click();
      await page.getByLabel('Most you pay per click').fill('0.4');
      const effect = page.getByRole('region', { name: 'Effect on delivery' });
      await effect.getByRole('row', { name: 'Spend a day $2.00 $1.20 $0.80 – $1.60' }).waitFor();
      await sound();
      await page.unroute('**/advertiser-dashboard/forecast');
      await page.keyboard.press('Escape');
    });

    it('ad groups and ads of all campaigns are found and changed many at a time', async () => {
      await site.app.db.query(
        `insert into ad_groups (
             id, campaign_id, advertiser_id, name, group_type, status, created_at, updated_at
           )
         select gen_random_uuid(), $1, $2, 'Many ' || lpad(n::text, 4, '0'), 'manual', 'active',
           now(), now()
         from generate_series(1, 300) n`,
        [campaignId, site.advertiser.id],
      );
      await open('/ad-groups');
      const rows = page.locator('tbody tr');
      await rows.nth(49).waitFor();
      await page.getByLabel('Find ad groups').fill('many 029');
      await rows.nth(10).waitFor({ state: 'detached' });
      await page.getByText('Many 0299').waitFor();
      await page.getByRole('button', { name: 'Choose all shown' }).click();
      await page.getByRole('button', { name: 'Budget, bid…' }).click();
      await page.getByLabel('Daily budget in whole dollars').fill('9');
      await sound();
      await page.getByRole('button', { name: 'Change 10 ad groups' }).click();
      await page.getByText('10 changed.').waitFor();
      await page.getByRole('cell', { name: '$9.00' }).first().waitFor();
      await page.getByRole('button', { name: 'Ads', exact: true }).click();
      await page.getByLabel('Find ads').fill('stay dry');
      await page.getByRole('checkbox', { name: 'Choose Tents that stay dry' }).check();
      await page.getByRole('button', { name: 'Pause' }).click();
      await page.getByText('1 changed.').waitFor();
      await sound();
      await site.app.db.query(`delete from ad_groups where name like 'Many %'`);
    });

    it('an ad unit is written, used by a campaign, and a new version takes its place', async () => {
      await open('/ad-units');
      await page.getByRole('button', { name: 'New ad unit' }).click();
      for (const [label, text] of [
        ['Name', 'Spring'],
        ['Text', 'Dry tents.'],
        ['Button', 'See'],
        ['Landing page', 'https://camp.example/'],
        ['Who it helps', 'people who camp'],
      ] as const)
        await page.getByLabel(label, { exact: true }).fill(text);
      await sound();
      await page.getByRole('button', { name: 'Create ad unit' }).click();
      await page.getByRole('button', { name: 'Add to campaign: Spring' }).click();
      await page.getByLabel('Campaign', { exact: true }).selectOption({ label: 'Test campaign' });
      await page.getByRole('button', { name: 'Add to campaign', exact: true }).last().click();
      await page.getByRole('link', { name: 'Test campaign' }).waitFor();
      await page.getByRole('button', { name: 'Edit Spring' }).click();
      await page.getByLabel('Text', { exact: true }).fill('Dry and light tents.');
      await page.getByRole('button', { name: 'Save new version' }).click();
      await page.getByText('The new version is saved').waitFor();
      await page.getByRole('complementary').getByText('Dry and light tents.').waitFor();
      const linked = await site.app.db.query<{ text: string; status: string }>(
        `select u.static_ad_text as text, u.status
         from campaign_ad_units l
         join ad_units u on u.id = l.ad_unit_id
         where l.campaign_id = $1`,
        [campaignId],
      );
      assert.deepEqual(linked, [{ text: 'Dry and light tents.', status: 'draft' }]);
      assert.equal(await page.getByRole('complementary').count(), 1, 'the old version is put away');
    });

    it('a new budget that is refused is taken back', async () => {
      await open('/campaigns');
      await page.route('**/advertiser-dashboard/campaigns/*', (route) =>
        route.request().method() === 'PATCH'
          ? route.fulfill({
              status: 422,
              contentType: 'application/json',
              body: '{"detail":[{"loc":["body","daily_budget"],"msg":"Too much","type":"max"}]}',
            })
          : route.continue(),
      );
      await page
        .getByRole('button', { name: 'Daily budget of Test campaign: $100.00, edit' })
        .click();
      await page.getByLabel('Daily budget of Test campaign in dollars').fill('900');
      await page.keyboard.press('Enter');
      await page.getByText('daily_budget: Too much').waitFor();
      await page
        .getByRole('button', { name: 'Daily budget of Test campaign: $100.00, edit' })
        .waitFor();
      await page.unroute('**/advertiser-dashboard/campaigns/*');
    });
  },
);
