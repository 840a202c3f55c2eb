import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { totpCode, totpStepMs } from '../../src/domain/totp.js';
import { browserMissing, launchBrowser } from '../support/browser.js';
import {
  type DashboardSite,
  seriousFindings,
  startDashboardSite,
} from '../support/dashboard-site.js';

const password = 'four words in a row';

describe('getting in', { skip: browserMissing() ?? false, timeout: 1_200_000 }, () => {
  let site: DashboardSite;
  let browser: Browser;
  let page: Page;
  let operator: Page;
  let spare: string[] = [];

  before(async () => {
    [site, browser] = await Promise.all([
      startDashboardSite({ environment: { SIGN_UP: 'open' } }),
      launchBrowser(),
    ]);
    page = await (await browser.newContext()).newPage();
    operator = await (await site.signedIn(browser, 'operator')).newPage();
  });
  after(async () => {
    await browser?.close();
    await site?.close();
  });
  const choosePassword = async (on: Page): Promise<void> => {
    await on.getByLabel('Password', { exact: true }).fill(password);
    await on.getByLabel('Password again').fill(password);
    await on.getByRole('button', { name: 'Set password and sign in' }).click();
  };
  const isClean = async (on: Page): Promise<void> =>
    assert.deepEqual(await seriousFindings(on), [], on.url());

  it('a stranger signs up, and follows the link the operator hands on', async () => {
    await page.goto(`${site.base}/app/sign-in`);
    await page.getByRole('link', { name: 'Open an account' }).click();
    await page.getByLabel('Company or product').fill('Newcomer');
    await page.getByLabel('E-mail').fill('new@test.example');
    await isClean(page);
    await page.getByRole('button', { name: 'Send me a link' }).click();
    await page.getByText('is on its way to').waitFor();
    await operator.goto(`${site.base}/app/operator/people`);
    const mail = operator.getByRole('region', { name: 'Mail to pass on' });
    const text = (await mail.locator('code').first().textContent()) ?? '';
    await isClean(operator);
    await page.goto(/http\S+#\S+/.exec(text)?.[0] ?? '');
    await isClean(page);
    await choosePassword(page);
    await page.waitForURL(`${site.base}/app/advertiser`);
  });

  it('sets up an authenticator app and signs in with it', async () => {
    await page.goto(`${site.base}/app/security`);
    await page.getByRole('button', { name: 'Set up' }).click();
    // What is asked for has the focus, so that who only types gets through.
    await page.getByRole('dialog', { name: 'Set up a second factor' }).waitFor();
    await page.keyboard.type(password);
    await page.keyboard.press('Enter');
    const secret = (await page.locator('code.break').textContent()) ?? '';
    await isClean(page);
    const step = Math.floor(site.app.clock.now / totpStepMs);
    await page.keyboard.type(totpCode(fromBase32(secret), step));
    await page.keyboard.press('Enter');
    const codes = page.getByRole('dialog', { name: 'Recovery codes' });
    spare = ((await codes.locator('code').last().textContent()) ?? '').split('\n');
    assert.equal(spare.length, 10);
    await codes.getByRole('button', { name: 'Close' }).click();
    await page.getByText('10 recovery codes are left').waitFor();
    await isClean(page);
    await page.getByRole('button', { name: 'Sign out everywhere', exact: true }).click();
    await page.waitForURL(`${site.base}/app/sign-in`);
    await page.getByLabel('E-mail').fill('new@test.example');
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByLabel('Code').fill(spare[0] ?? '');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL(`${site.base}/app/advertiser`);
  });

  it('invites a reader, who reads and cannot change', async () => {
    await page.goto(`${site.base}/app/team`);
    await page.getByLabel('E-mail').fill('reader@test.example');
    await page.getByLabel('Role', { exact: true }).selectOption('reader');
    await page.getByRole('button', { name: 'Invite' }).click();
    const dialog = page.getByRole('dialog', { name: 'Share this link' });
    const link = (await dialog.locator('pre').textContent()) ?? '';
    await dialog.getByRole('button', { name: 'Close' }).click();
    await isClean(page);
    const reader = await (await browser.newContext()).newPage();
    await reader.goto(link);
    await reader.getByText('as reader').waitFor();
    await choosePassword(reader);
    await reader.waitForURL(`${site.base}/app/advertiser`);
    await reader.goto(`${site.base}/app/keys`);
    await reader.getByRole('button', { name: 'Create key' }).click();
    await reader.getByText('Your role in this team does not allow that').waitFor();
    await reader.goto(`${site.base}/app/team`);
    await reader.getByText('reader@test.example (you)').waitFor();
  });

  it('an operator opens an account on the running server; its owner starts, changes the password, and other sessions end', async () => {
    await operator.goto(`${site.base}/app/operator/people`);
    const form = operator.getByRole('region', { name: 'New account' });
    await form.getByLabel('Kind').selectOption('publisher');
    await form.getByLabel('Name').fill('Late Assistant');
    await form.getByLabel('E-mail of its owner').fill('late@test.example');
    await form.getByRole('button', { name: 'Open and invite' }).click();
    const link = (await operator.getByRole('dialog').locator('pre').textContent()) ?? '';
    const owner = await (await browser.newContext()).newPage();
    await owner.goto(link);
    await choosePassword(owner);
    await owner.waitForURL(`${site.base}/app/publisher`);
    await owner
      .getByRole('region', { name: 'Getting started' })
      .getByRole('link', { name: 'Request an ad (a test ad is fine)' })
      .waitFor();
    const elsewhere = await (await browser.newContext()).newPage();
    const signInElsewhere = async (): Promise<void> => {
      await elsewhere.goto(`${site.base}/app/sign-in`);
      await elsewhere.getByLabel('E-mail').fill('late@test.example');
      await elsewhere.getByLabel('Password').fill(password);
      await elsewhere.getByRole('button', { name: 'Sign in', exact: true }).click();
      await elsewhere.waitForURL(`${site.base}/app/publisher`);
    };
    await signInElsewhere();
    await owner.goto(`${site.base}/app/security`);
    await owner.getByRole('cell', { name: 'This one' }).waitFor();
    const others = owner
      .getByRole('region', { name: 'Sessions, scrollable' })
      .getByRole('button', { name: 'Sign out' });
    await others.click();
    await others.waitFor({ state: 'detached' });
    await elsewhere.reload();
    await elsewhere.waitForURL(/\/app\/sign-in/);
    await signInElsewhere();
    await owner.getByLabel('Current password').fill(password);
    await owner.getByLabel('New password').fill('five other words in a row');
    await owner.getByRole('button', { name: 'Change password' }).click();
    await owner.getByText('Every other session has ended.').waitFor();
    await elsewhere.reload();
    await elsewhere.waitForURL(/\/app\/sign-in/);
  });

  it('asks for a new password without telling who is there', async () => {
    const stranger = await (await browser.newContext()).newPage();
    await stranger.goto(`${site.base}/app/forgot`);
    await stranger.getByLabel('E-mail').fill('nobody@test.example');
    await stranger.getByRole('button', { name: 'Send me a link' }).click();
    await stranger.getByText('If nobody@test.example has an account').waitFor();
    await isClean(stranger);
    await stranger.goto(`${site.base}/app/link#${'x'.repeat(43)}`);
    await stranger.getByText('This link has expired or was already used').waitFor();
  });
});

function fromBase32(text: string): Buffer {
  let bits = '';
  for (const letter of text)
    bits += 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
