import { campaignBody, managing } from '../test/support/managed-campaign.js';
import { buildTestApp, type TestApp } from '../test/support/test-app.js';
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

type Call = ReturnType<typeof managing>;

function group(index: number) {
  return {
    name: `Group ${index}`,
    group_type: 'manual',
    context: `topic ${index}`,
    ads: Array.from({ length: 3 }, (_, ad) => ({
      headline: `Headline ${ad}`,
      copy: 'Some text about the product.',
    })),
  };
}

/** All in one campaign: the worst case for locks, orders and review. */
async function makeGroups(app: TestApp, call: Call, size: number): Promise<string> {
  const create = (from: number, count: number, more: object = {}) =>
    call(
      'POST',
      'campaigns',
      campaignBody({
        ...more,
        ad_groups: Array.from({ length: count }, (_, index) => group(from + index)),
      }),
    );
  const { body } = await create(0, Math.min(size, 1000), { status: 'active' });
  for (let made = 1000; made < size; made += 1000) await create(made, 1000);
  // Approved but paused: reviewed like a live campaign, while serving, which reloads whole
  // campaigns, is left out of the figures.
  await call('PATCH', `campaigns/${body.campaign_id}`, { status: 'paused' });
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
  return String(body.campaign_id);
}

async function measure(app: TestApp, call: Call, campaignId: string): Promise<void> {
  const rows = await app.db.query<{ id: string }>(
    `select id from ad_groups where campaign_id = $1 order by id limit ${rounds}`,
    [campaignId],
  );
  const idAt = (round: number): string => rows[round]?.id ?? '';
  const inCampaign = `campaign_id=${campaignId}`;
  const work: readonly (readonly [string, (round: number) => ReturnType<Call>])[] = [
    ['page of 100', () => call('GET', `ad-groups?${inCampaign}&limit=100`)],
    ['page of 100, account', () => call('GET', 'ad-groups?limit=100')],
    ['one group', (round) => call('GET', `ad-groups/${idAt(round)}`)],
    [
      'rename a group',
      (round) => call('PATCH', `ad-groups/${idAt(round)}`, { name: `Renamed ${round}` }),
    ],
    [
      'add an ad, with review',
      (round) => call('POST', `ad-groups/${idAt(round)}/ads`, { headline: `Added ${round}` }),
    ],
    [
      'add a group',
      (round) => call('POST', 'ad-groups', { campaign_id: campaignId, ...group(round) }),
    ],
    [
      'edit the campaign',
      (round) =>
        call('PATCH', `campaigns/${campaignId}`, {
          landing_page: `https://shop.example/${round}`,
        }),
    ],
  ];
  for (const [name, one] of work)
    process.stdout.write(`  ${name.padEnd(25)}${await median(one)}\n`);
  const started = performance.now();
  const all = await call('GET', `ad-groups?${inCampaign}`);
  const ms = (performance.now() - started).toFixed(0);
  process.stdout.write(`  ${'the whole list'.padEnd(25)}${ms} ms, ${all.body.length} groups\n`);
}

export async function run(): Promise<void> {
  const app = await buildTestApp(await openEmbeddedTestDatabase());
  try {
    for (const size of sizes) {
      const call = managing(app, await app.newAdvertiser());
      const campaignId = await makeGroups(app, call, size);
      process.stdout.write(`${size} ad groups, ${size * 3} ads\n`);
      await measure(app, call, campaignId);
    }
  } finally {
    await app.close();
  }
}
