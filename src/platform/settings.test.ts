import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readConfig } from '../config.js';
import { InvalidSettings } from './settings.js';

describe('settings', () => {
  it('have defaults, and empty means default', () => {
    const config = readConfig({ PORT: ' ', HOST: '' });
    assert.equal(config.PORT, 8080);
    assert.equal(config.HOST, '127.0.0.1');
    assert.deepEqual(config.TRUST_PROXY, ['loopback', 'private']);
  });

  it('are trimmed, and addresses lose their last slash', () => {
    const config = readConfig({
      PORT: ' 99 ',
      PUBLIC_API_URL: 'https://api.example/',
      TRUST_PROXY: ' loopback , 10.0.0.0/8,, 2001:db8::/32 ',
    });
    assert.deepEqual(
      [config.PORT, config.PUBLIC_API_URL, config.TRUST_PROXY],
      [99, 'https://api.example', ['loopback', '10.0.0.0/8', '2001:db8::/32']],
    );
  });

  it('that are wrong are all named at once, without their value', () => {
    const environment = {
      PORT: '70000',
      METRICS_PORT: '1.5',
      DEMO: 'yes',
      PUBLIC_BASE_URL: 'ftp://x',
      SECRET_KEY: 'too-short-secret',
      DATABASE_URL: 'mysql://user:hidden@host/db',
      TRUST_PROXY: 'loopback,everyone',
      RETENTION_DAYS: '1',
    };
    assert.throws(
      () => readConfig(environment),
      (error) => {
        assert.ok(error instanceof InvalidSettings);
        assert.deepEqual(
          error.problems.map((problem) => problem.split(' ')[0]).sort(),
          Object.keys(environment).sort(),
        );
        assert.doesNotMatch(error.message, /hidden|too-short-secret/);
        return true;
      },
    );
    for (const wrong of ['10.0.0.0/99', '10.0.0.0/x', '300.1.1.1', 'example.com'])
      assert.throws(() => readConfig({ TRUST_PROXY: wrong }), InvalidSettings, wrong);
  });
});
