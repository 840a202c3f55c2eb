import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { agentProfile, readMerchantProfile, ucpVersions } from './ucp-profile.js';

const shop = (binding: object, more: object = {}) => ({
  ucp: { services: { 'dev.ucp.shopping': [binding] }, ...more },
});

describe('checkout profiles', () => {
  it('the newest version both sides know is taken', () => {
    const endpoint = 'https://s.example/mcp';
    assert.deepEqual(
      readMerchantProfile(
        shop({ transport: 'mcp', endpoint, version: '2026-01-23' }, { version: '2026-01-23' }),
      ),
      { endpoint, version: '2026-01-23' },
    );
    assert.deepEqual(
      readMerchantProfile(
        shop(
          { transport: 'mcp', endpoint, version: '2027-01-01' },
          {
            version: '2027-01-01',
            supported_versions: {
              '2026-08-25': 'https://s.example/a',
              '2026-01-11': 'https://s.example/b',
            },
          },
        ),
      ),
      { endpoint, version: '2026-08-25' },
    );
    assert.equal(
      readMerchantProfile(shop({ transport: 'mcp', endpoint, version: '2027-01-01' })),
      null,
    );
    assert.equal(
      readMerchantProfile(shop({ transport: 'rest', endpoint, version: '2026-04-08' })),
      null,
    );
  });

  it('no malformed profile is believed or breaks anything', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        assert.equal(readMerchantProfile(value), null);
        assert.equal(readMerchantProfile({ ucp: value }), null);
        assert.equal(readMerchantProfile({ ucp: { services: value } }), null);
        assert.equal(
          readMerchantProfile({ ucp: { services: { 'dev.ucp.shopping': value } } }),
          null,
        );
        assert.equal(
          readMerchantProfile({
            ucp: {
              version: value,
              services: { 'dev.ucp.shopping': [{ transport: 'mcp', endpoint: value }] },
            },
          }),
          null,
        );
      }),
    );
  });

  it('our own profile names version, services, capabilities and handlers in each release', () => {
    for (const version of ucpVersions) {
      const { ucp } = agentProfile(version) as {
        ucp: Record<string, Record<string, { version: string }[]>>;
      };
      assert.equal(ucp['version'], version);
      for (const [binding] of [
        ...Object.values(ucp['services'] ?? {}),
        ...Object.values(ucp['capabilities'] ?? {}),
      ])
        assert.equal(binding?.version, version);
      assert.deepEqual(ucp['payment_handlers'], {});
    }
  });
});
