import type { App } from '../app.js';
import type { Config } from '../config.js';
import { inviteFirstOperator } from '../surfaces/accounts/first-operator.js';
import { type DemoAccounts, seedDemo } from './seed-demo.js';

/** What a first start adds to an empty store, and every start tells whoever reads its words. */
export async function prepareStore(
  app: App,
  config: Config,
  address: string,
  print: (line: string) => void,
): Promise<{ demo: DemoAccounts | null; invitation: string | null }> {
  const demo = await seedDemo(app, config, address, print);
  const { services } = app;
  const invitation = await inviteFirstOperator({
    ...services,
    platformUrl: () => services.urls.platform,
  });
  return { demo, invitation };
}
