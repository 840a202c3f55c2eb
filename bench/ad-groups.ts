import { campaignBody, managing } from '../test/support/managed-campaign.js';
import { buildTestApp } from '../test/support/test-app.js';
import { openEmbeddedTestDatabase } from '../test/support/test-database.js';

export const summary =
  'managing one ad group in an account of 100 and of 10,000: medians through the HTTP door, embedded engine';

const sizes = [100, 10_000];
const rounds = 15;

async function median(work: (round: number) => Promise<{ status: number }>): Promise<string> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const started = performance.now();
    const { status } = await work(round);
    times.push(performance.now() - started);
    if (status >= 300) throw new Error(`answered ${status}`);
  }
  times.sort((a, b) => a - b);
  return `${(times[rounds >> 1] ?? 0).toFixed(1)} ms`;
}

export async function run(): Promise<void> {
  const app = await buildTestApp(await openEmbeddedTestDatabase());
  try {
    for (const size of sizes) {
      const call = managing(app, await app.newAdvertiser());
      const group = (index: number) => ({
        name: `Group ${index}`,
        group_type: 'manual',
        context: `topic ${index}`,
        ads: Array.from({ length: 3 }, (_, ad) => ({
          headline: `Headline ${ad}`,
          copy: 'Some text about the product.',
        })),
      });
      const { body } = await call(
        'POST',
        'campaigns',
        campaignBody({
          status: 'active',
          ad_groups: Array.from({ length: Math.min(size, 1000) }, (_, index) => group(index)),
        }),
      );
      for (let made = 1000; made < size; made += 1000)
        await call(
          'POST',
          'campaigns',
          campaignBody({
            ad_groups: Array.from({ length: 1000 }, (_, index) => group(made + index)),
          }),
        );
      // Approved but paused: reviewed like a live campaign, while serving, which reloads whole
      // campaigns, is left out of the figures.
      await call('PATCH', `campaigns/${body.campaign_id}`, { status: 'paused' });
      // All in one campaign: the worst case for locks, orders and review.
      await app.db.query(
        `update ads set campaign_id = $1, review_status = 'approved' where advertiser_id = $2`,
        [body.campaign_id, body.user_id],
      );
      await app.db.query(
        `update ad_groups g
         set campaign_id = $1, sort_order = x.place
         from (
             select id, row_number() over (order by created_at, id) as place
             from ad_groups
             where advertiser_id = $2
           ) x
         where x.id = g.id`,
        [body.campaign_id, body.user_id],
      );
      await app.db.script('analyze');
      const ids = (
        await app.db.query<{ id: string }>(
          `select id from ad_groups where advertiser_id = $1 order by id limit ${rounds}`,
          [body.user_id],
        )
      ).map((row) => row.id);
      const idAt = (round: number): string => ids[round] ?? '';
      const inCampaign = `campaign_id=${body.campaign_id}`;
      process.stdout.write(`${size} ad groups, ${size * 3} ads\n`);
      process.stdout.write(
        `  page of 100              ${await median(() => call('GET', `ad-groups?${inCampaign}&limit=100`))}\n`,
      );
      process.stdout.write(
        `  page of 100, account     ${await median(() => call('GET', 'ad-groups?limit=100'))}\n`,
      );
      process.stdout.write(
        `  one group                ${await median((round) => call('GET', `ad-groups/${idAt(round)}`))}\n`,
      );
      process.stdout.write(
        `  rename a group           ${await median((round) => call('PATCH', `ad-groups/${idAt(round)}`, { name: `Renamed ${round}` }))}\n`,
      );
      process.stdout.write(
        `  add an ad, with review   ${await median((round) => call('POST', `ad-groups/${idAt(round)}/ads`, { headline: `Added ${round}` }))}\n`,
      );
      process.stdout.write(
        `  add a group              ${await median((round) => call('POST', 'ad-groups', { campaign_id: body.campaign_id, ...group(round) }))}\n`,
      );
      process.stdout.write(
        `  edit the campaign        ${await median((round) => call('PATCH', `campaigns/${body.campaign_id}`, { landing_page: `https://shop.example/${round}` }))}\n`,
      );
      const started = performance.now();
      const all = await call('GET', `ad-groups?${inCampaign}`);
      process.stdout.write(
        `  the whole list           ${(performance.now() - started).toFixed(0)} ms, ${all.body.length} groups\n`,
      );
    }
  } finally {
    await app.close();
  }
}
