import { call } from './api.js';

const mostPages = 500;

/** Every item behind a cursor, page by page. */
export async function allPages<Item>(
  path: string,
  itemsOf: (page: Record<string, unknown>) => Item[],
): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: unknown = null;
  for (let page = 0; page < mostPages; page += 1) {
    const answer: Record<string, unknown> = await call(
      typeof cursor === 'string'
        ? `${path}${path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}`
        : path,
    );
    items.push(...itemsOf(answer));
    cursor = answer['next_cursor'];
    if (typeof cursor !== 'string') break;
  }
  return items;
}
