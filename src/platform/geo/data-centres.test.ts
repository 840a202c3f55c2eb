import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { BlockList } from 'node:net';
import { test } from 'node:test';
import fc from 'fast-check';
import { loadDataCentres } from './data-centres.js';

const isDataCentre = loadDataCentres();

test('clouds and hosters are told from homes, phones, offices and private relays', () => {
  const machines = ['52.95.110.1', '3.5.140.2', '34.64.1.1', '20.42.0.1', '159.89.1.1'];
  const more = ['5.9.1.1', '51.68.1.1', '2600:1f18::1', '2a01:4f8::1', '::ffff:52.95.110.1'];
  for (const address of [...machines, ...more]) assert.ok(isDataCentre(address), address);
  const people = ['73.1.2.3', '84.160.1.1', '2003:c0::1', '86.1.2.3', '2601:1c0::1'];
  const relays = ['104.28.1.1', '172.224.226.1', '2a02:26f7::1'];
  const neither = ['', 'unknown', '10.0.0.1', '::1'];
  for (const address of [...people, ...relays, ...neither])
    assert.ok(!isDataCentre(address), address);
});

test('the halving finds what a walk through the list finds', () => {
  const v4Of = (hex: string): string => [...Buffer.from(hex, 'hex')].join('.');
  const ranges = readFileSync('catalog/data-centres/ranges.txt', 'utf8')
    .split('\n')
    .flatMap((line) => /^([0-9a-f]{8}) ([0-9a-f]{8})$/.exec(line) ?? [])
    .filter((part) => part.length === 8)
    .map(v4Of);
  const walked = new BlockList();
  for (let at = 0; at < ranges.length; at += 40) walked.addRange(ranges[at]!, ranges[at + 1]!);
  fc.assert(
    fc.property(fc.constantFrom(...ranges), fc.ipV4(), (edge, any) => {
      assert.ok(isDataCentre(edge), edge);
      assert.ok(!walked.check(any) || isDataCentre(any), any);
    }),
  );
});
