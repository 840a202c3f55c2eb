import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { before, test } from 'node:test';
import fc from 'fast-check';
import { openCountryLookup } from './country-lookup.js';
import type { CountryLookup } from './country-lookup.js';
import { isPrivate, parseIp } from './ip-address.js';

let lookup: CountryLookup;
before(async () => {
  lookup = await openCountryLookup();
});

test('well-known addresses lie where they are', () => {
  const places: Record<string, string> = {
    '8.8.8.8': 'US',
    '193.0.6.139': 'NL',
    '200.160.2.3': 'BR',
    '202.12.27.33': 'JP',
    '2001:4860:4860::8888': 'US',
    '2001:67c:2e8::1': 'NL',
  };
  for (const [ip, country] of Object.entries(places))
    assert.equal(lookup.countryOf(ip), country, ip);
});

test('IPv4 written as IPv6 lies where the IPv4 address does', () => {
  for (const ip of [
    '::ffff:8.8.8.8',
    '::ffff:808:808',
    '64:ff9b::8.8.8.8',
    '2002:0808:0808::1',
    '[::ffff:8.8.8.8]',
  ])
    assert.equal(lookup.countryOf(ip), 'US', ip);
});

test('private, local and unreadable addresses lie nowhere', () => {
  const nowhere = [
    '127.0.0.1',
    '10.1.2.3',
    '172.31.255.255',
    '192.168.0.1',
    '169.254.1.1',
    '100.64.0.1',
    '0.0.0.0',
    '255.255.255.255',
    '224.0.0.1',
    '::',
    '::1',
    'fe80::1%eth0',
    'fd00::1',
    'ff02::1',
    '::ffff:10.0.0.1',
    '',
    'unknown',
    '1.2.3',
    '1.2.3.256',
    '1.2.3.4.5',
    ':::',
    '1::2::3',
    '12345::',
    'g::1',
    '1:2:3:4:5:6:7',
    '-1.2.3.4',
  ];
  for (const ip of nowhere) assert.equal(lookup.countryOf(ip), null, ip);
});

test('public neighbours of private ranges are not private', () => {
  for (const ip of [
    '9.255.255.255',
    '11.0.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.167.255.255',
    '192.169.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '128.0.0.0',
    '126.255.255.255',
  ]) {
    const address = parseIp(ip);
    assert.ok(address !== null && !isPrivate(address), ip);
  }
});

test('an address lies in the narrowest range of the source table that holds it', () => {
  const require = createRequire(import.meta.url);
  const file = join(
    dirname(require.resolve('@ip-location-db/geo-whois-asn-country/package.json')),
    'geo-whois-asn-country-ipv4-num.csv',
  );
  const ranges = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => {
      const [from, to, country = ''] = line.split(',');
      return { from: Number(from), to: Number(to), country };
    });
  fc.assert(
    fc.property(
      fc.nat({ max: ranges.length - 1 }),
      fc.integer({ min: -2, max: 2 }),
      fc.boolean(),
      (at, beside, atEnd) => {
        const value = (atEnd ? ranges[at]!.to : ranges[at]!.from) + beside;
        const ip = [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.');
        let narrowest: (typeof ranges)[number] | undefined;
        for (const range of ranges) {
          if (
            range.from <= value &&
            value <= range.to &&
            (narrowest === undefined || range.to - range.from <= narrowest.to - narrowest.from)
          )
            narrowest = range;
        }
        const address = parseIp(ip);
        assert.ok(address !== null);
        assert.equal(
          lookup.countryOf(ip),
          isPrivate(address) ? null : (narrowest?.country ?? null),
          ip,
        );
      },
    ),
    { numRuns: 150 },
  );
});

test('any text is answered with a country or nothing', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.ipV4(), fc.ipV6()), (ip) => {
      const country = lookup.countryOf(ip);
      assert.ok(country === null || /^[A-Z]{2}$/.test(country));
    }),
  );
});

test('every IPv4 and IPv6 address is read', () => {
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (ip) => assert.notEqual(parseIp(ip), null)),
  );
});

test('a table of the operator that is not there is an error at start', async () => {
  await assert.rejects(openCountryLookup({ mmdbPath: '/nowhere/at-all.mmdb' }));
});
