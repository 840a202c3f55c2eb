import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { App } from '../app.js';
import type { Config } from '../config.js';
import { seedDemoProducts } from '../surfaces/catalog-import/seed-demo-products.js';
import { addPerson, openAdvertiser, openPublisher } from '../surfaces/accounts/open-account.js';

export interface DemoAccounts {
  base_url: string;
  publisher: { id: string; api_key: string };
  advertiser: { id: string; api_key: string };
  operator: { email: string; password: string };
  logins: { role: string; email: string; password: string }[];
}

/** On an empty store: demo accounts, written to demo.json, the only place their keys can be read again. */
export async function seedDemo({ services }: App, config: Config, baseUrl: string): Promise<DemoAccounts | null> {
  if (config.DEMO === '0') return null;
  const file = join(resolve(config.DATA_DIR), 'demo.json');
  const { db, clock, mintId } = services;
  const [accounts] = await db.query<{ count: number }>(`select (select count(*) from advertisers) + (select count(*) from publishers) as count`);
  if ((accounts?.count ?? 0) > 0) {
    // Written by the branch below.
    const known = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as DemoAccounts) : null;
    if (known === null) return null;
    const current = { ...known, base_url: baseUrl };
    writeFileSync(file, `${JSON.stringify(current, null, 2)}\n`, { mode: 0o600 });
    return current;
  }
  const password = (): string => randomBytes(9).toString('base64url');
  const opening = { mintId, now: clock() };
  const demo = await db.transaction(async (tx): Promise<DemoAccounts> => {
    const advertiser = await openAdvertiser({ tx, ...opening }, { name: 'Demo Advertiser', email: 'advertiser@demo.example', billingEnabled: true, isDemo: true });
    const publisher = await openPublisher({ tx, ...opening }, { name: 'Demo Assistant', url: 'https://assistant.demo.example', status: 'approved', isDemo: true });
    const logins = [
      { role: 'advertiser', email: 'advertiser@demo.example', password: password(), accountId: advertiser.id },
      { role: 'publisher', email: 'publisher@demo.example', password: password(), accountId: publisher.id },
      { role: 'operator', email: 'operator@demo.example', password: password(), accountId: null },
    ] as const;
    for (const login of logins) await addPerson({ tx, ...opening }, login);
    return {
      base_url: baseUrl,
      publisher: { id: publisher.id, api_key: publisher.apiKey },
      advertiser: { id: advertiser.id, api_key: advertiser.apiKey },
      operator: { email: logins[2].email, password: logins[2].password },
      logins: logins.map(({ role, email, password: secret }) => ({ role, email, password: secret })),
    };
  });
  writeFileSync(file, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 });
  await services.directory.refresh();
  if (config.DEMO === '1') await seedDemoProducts(services);
  return demo;
}
