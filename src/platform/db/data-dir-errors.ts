export class DataDirInUse extends Error {
  override readonly name = 'DataDirInUse';
}

export class DataDirUnwritable extends Error {
  override readonly name = 'DataDirUnwritable';
}

const UNWRITABLE = new Set([
  'EACCES',
  'EPERM',
  'EROFS',
  'ENOTDIR',
  'ENOENT',
  'EEXIST',
  'ENAMETOOLONG',
  'EINVAL',
]);

/** Runs file work and names the folder when the reason is one its owner can fix. */
export async function inDataDir<T>(dir: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (!UNWRITABLE.has(code)) throw error;
    throw new DataDirUnwritable(`cannot write to the data folder ${dir} (${code})`, {
      cause: error,
    });
  }
}
