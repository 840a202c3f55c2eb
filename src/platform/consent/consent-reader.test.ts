import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { GppModel } from '@iabgpp/cmpapi';
import { tcfString } from '../../../test/support/consent-strings.js';
import { deniedBy } from '../../domain/privacy/decision-table.js';
import { readSignals } from '../../domain/privacy/read-signals.js';
import type { PrivacyDecision } from '../../domain/privacy/weigh-signals.js';
import { silentLog } from '../log.js';
import { createConsentReader } from './consent-reader.js';

const now = Date.now();
const options = { clock: () => now, log: silentLog, patienceMs: 120_000 };
const everyPurpose = [1, 2, 3, 4, 7, 10];

describe('consent strings as the IAB’s own encoders write them', () => {
  const everybody = createConsentReader({ ...options, vendorId: 0 });
  const vendor = createConsentReader({ ...options, vendorId: 755 });
  after(async () => {
    await everybody.close();
    await vendor.close();
  });
  const judge = async (
    regs: Record<string, unknown>,
    reader = everybody,
  ): Promise<PrivacyDecision> => reader.judge(readSignals({ places: [regs] }));
  const denied = async (
    regs: Record<string, unknown>,
    reader = everybody,
  ): Promise<readonly string[]> => deniedBy((await judge(regs, reader)).permissions);

  it('allow what was agreed to, and nothing else', async () => {
    assert.deepEqual(await denied({ gdpr: 1, tcf: tcfString({ purposes: everyPurpose }) }), []);
    assert.deepEqual(await denied({ gdpr: 1, tcf: tcfString({ purposes: [1, 2, 7] }) }), [
      'personal_choice',
      'identity_links',
      'query_storage',
    ]);
    assert.deepEqual((await denied({ gdpr: 1, tcf: tcfString({ purposes: [] }) })).length, 7);
  });

  it('allow a named vendor only what it was given, a purpose without consent where that will do', async () => {
    const of = (given: Parameters<typeof tcfString>[0]) =>
      denied({ gdpr: 1, tcf: tcfString(given) }, vendor);
    assert.deepEqual(await of({ purposes: everyPurpose, vendors: [755] }), []);
    assert.equal((await of({ purposes: everyPurpose, vendors: [754] })).length, 7);
    assert.equal((await of({ purposes: everyPurpose })).length, 7);
    assert.deepEqual(
      await of({ purposes: [1], vendors: [755], interests: [2, 7], interested: [755] }),
      ['personal_choice', 'identity_links', 'query_storage'],
    );
  });

  it('allow nothing that was agreed to too long ago', async () => {
    const old = tcfString({ purposes: everyPurpose, updated: new Date(now - 400 * 86_400_000) });
    const decision = await judge({ gdpr: 1, tcf: old });
    assert.deepEqual(decision.problems, ['tcf: expired']);
    assert.equal(deniedBy(decision.permissions).length, 7);
  });

  it('bring several sections in one', async () => {
    const gpp = new GppModel();
    gpp.setFieldValue('usnat', 'SaleOptOut', 1);
    gpp.setFieldValue('usca', 'SaleOptOut', 2);
    gpp.decodeSection('tcfeuv2', tcfString({ purposes: [2] }));
    const text = gpp.encode();
    const signals = async (sid?: number[]) =>
      (await judge({ gpp: text, ...(sid === undefined ? {} : { gpp_sid: sid }) })).signals;
    assert.deepEqual(await signals([8]), []);
    assert.deepEqual(await signals([7]), ['sale_opt_out']);
    assert.deepEqual(await signals([2]), ['consent_asked']);
    assert.deepEqual(await signals(), ['consent_asked', 'sale_opt_out']);
    assert.equal((await judge({ gpp: text, gpp_sid: [2] })).permissions.frequency_capping, true);
  });

  it('tell of the control, of children and of the older American string', async () => {
    const gpp = new GppModel();
    gpp.setFieldValue('usca', 'Gpc', true);
    gpp.setFieldValue('usca', 'KnownChildSensitiveDataConsents', [1, 0]);
    assert.deepEqual((await judge({ gpp: gpp.encode(), gpp_sid: [8] })).signals, ['gpc', 'minor']);
    const older = new GppModel();
    older.decodeSection('uspv1', '1YYN');
    assert.deepEqual((await judge({ gpp: older.encode() })).signals, ['sale_opt_out']);
  });

  it('are no consent when they are garbage, and fail nobody', async () => {
    const good = tcfString({ purposes: everyPurpose });
    for (const tcf of ['x', 'CAAA', '%00', 'é'.repeat(300), good.slice(0, 20), 'B'.repeat(80)]) {
      const decision = await judge({ gdpr: 1, tcf });
      assert.equal(deniedBy(decision.permissions).length, 7, tcf);
      assert.equal(decision.problems.length, 1, tcf);
    }
    for (const gpp of ['x', '~', 'DBAA', 'DBABM~', 'DBACNY~CPXx', 'D'.repeat(90), good])
      assert.deepEqual((await judge({ gpp, gpp_sid: [2] })).signals, ['consent_asked'], gpp);
  });
});

describe('a thread that decodes consent strings', () => {
  it('is given up when a string keeps it busy; the others are read by the next', async () => {
    const reader = createConsentReader({
      ...options,
      vendorId: 0,
      deadlineMs: 50,
      worker: new URL('../../../test/support/stuck-consent-worker.js', import.meta.url),
    });
    const judged = await Promise.all(
      ['stuck', 'fine'].map(async (tcf) =>
        reader.judge(readSignals({ places: [{ gdpr: 1, tcf }] })),
      ),
    );
    assert.deepEqual(
      judged.map(({ problems }) => problems),
      [['tcf: not readable'], []],
    );
    await reader.close();
  });
});
