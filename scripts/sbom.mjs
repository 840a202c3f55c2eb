// `npm run sbom [FILE]`: what the server is made of, as CycloneDX 1.5 JSON, from the lock file
// alone. The same lock file gives the same document.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const text = readFileSync(join(root, 'package-lock.json'), 'utf8');
const { name, version, packages } = JSON.parse(text);

function purl(packageName, packageVersion) {
  return `pkg:npm/${packageName.replace('@', '%40')}@${packageVersion}`;
}

const components = new Map();
for (const [path, entry] of Object.entries(packages)) {
  const at = path.lastIndexOf('node_modules/');
  if (at === -1 || entry.link === true || entry.dev === true) continue;
  const packageName = entry.name ?? path.slice(at + 'node_modules/'.length);
  const id = purl(packageName, entry.version);
  const [algorithm, digest] = (entry.integrity ?? '').split('-', 2);
  components.set(id, {
    type: 'library',
    'bom-ref': id,
    name: packageName,
    version: entry.version,
    purl: id,
    ...(entry.license === undefined ? {} : { licenses: [{ expression: entry.license }] }),
    ...(algorithm === 'sha512'
      ? { hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }] }
      : {}),
  });
}

const hash = createHash('sha256').update(text).digest('hex');
const serial = [8, 4, 4, 4, 12].map(
  (
    (at) => (length) =>
      hash.slice(at, (at += length))
  )(0),
);
const bom = {
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  serialNumber: `urn:uuid:${serial.join('-')}`,
  version: 1,
  metadata: {
    component: { type: 'application', 'bom-ref': purl(name, version), name, version },
  },
  components: [...components.values()].sort((a, b) => (a.purl < b.purl ? -1 : 1)),
};
const written = `${JSON.stringify(bom, null, 2)}\n`;
const [file] = process.argv.slice(2);
if (file === undefined) process.stdout.write(written);
else writeFileSync(file, written);
