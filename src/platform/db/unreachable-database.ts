export class UnreachableDatabase extends Error {
  override readonly name = 'UnreachableDatabase';
}

/** Names the server without its password, which must not reach a log or a terminal. */
export function unreachable(url: string, cause: unknown): UnreachableDatabase {
  const reason =
    cause instanceof Error
      ? cause.message || ('code' in cause ? String(cause.code) : cause.name)
      : String(cause);
  return new UnreachableDatabase(`cannot reach the database at ${withoutSecrets(url)}: ${reason}`, {
    cause,
  });
}

function withoutSecrets(url: string): string {
  try {
    const { protocol, host, pathname } = new URL(url);
    return `${protocol}//${host}${pathname}`;
  } catch {
    return 'the given address, which is not a valid URL';
  }
}
