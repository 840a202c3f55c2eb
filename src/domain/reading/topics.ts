import { PackedVectors } from '../matching/packed-vectors.js';

/** A trade: how it is offered, how people ask for it, and where in the content taxonomy it lies. */
export type Topic = {
  name: string;
  category: string;
  adults_only?: boolean;
  asks: readonly string[];
};

/** Of the IAB content taxonomy: its id, the one of the first taxonomy, its name, its words. */
export type ContentCategory = { id: string; older: string; name: string; about: string };

/** Problems of the topic files, in words an editor understands; none when they are sound. */
export function checkTopics(topics: unknown, categories: unknown): string[] {
  const problems: string[] = [];
  if (!Array.isArray(topics)) return ['topics are not a list'];
  if (!Array.isArray(categories)) return ['content categories are not a list'];
  const known = new Set<unknown>();
  for (const [at, entry] of categories.entries()) {
    const { id, older, name, about } = Object(entry) as Record<string, unknown>;
    if (![id, older, name, about].every((text) => typeof text === 'string' && text.trim() !== ''))
      problems.push(`content category ${at + 1} lacks id, older, name or about`);
    if (known.has(id)) problems.push(`content category ${String(id)} is there twice`);
    known.add(id);
  }
  const names = new Set<string>();
  for (const [at, entry] of topics.entries()) {
    const { name, category, asks } = Object(entry) as Record<string, unknown>;
    const called = typeof name === 'string' && name !== '' ? name : `topic ${at + 1}`;
    if (typeof name !== 'string' || name.trim() === '') problems.push(`${called} has no name`);
    else if (names.has(name.toLowerCase())) problems.push(`${called} is there twice`);
    names.add(called.toLowerCase());
    if (!known.has(category)) problems.push(`${called} names no content category`);
    if (!Array.isArray(asks) || asks.length < 2) problems.push(`${called} has fewer than 2 asks`);
    else if (!asks.every((ask) => typeof ask === 'string' && ask.trim() === ask && ask !== ''))
      problems.push(`${called} has an empty ask`);
    else if (new Set(asks).size < asks.length) problems.push(`${called} repeats an ask`);
  }
  return problems;
}

/** The trade a text is nearest to, and how near. */
export type NearestTopic = { topic: Topic; nearness: number };
export type TopicMap = { nearest(vector: Float32Array): NearestTopic | null };

/** `vectors` belong to the names of the topics, in order. */
export function createTopicMap(
  topics: readonly Topic[],
  vectors: readonly Float32Array[],
): TopicMap {
  const packed = new PackedVectors(vectors[0]?.length ?? 0);
  vectors.forEach((vector, at) => packed.set(at, vector));
  const all = topics.map((_, at) => at);
  return {
    nearest(vector) {
      const near = packed.products(all, vector);
      let best = 0;
      for (let at = 1; at < near.length; at++) if (near[at]! > near[best]!) best = at;
      const topic = topics[best];
      return topic === undefined ? null : { topic, nearness: near[best] ?? -1 };
    },
  };
}

/** The content categories a list of excluded things names, and what is left of it. */
export function splitExcluded(
  excluded: readonly string[],
  categories: readonly ContentCategory[],
): { categories: ContentCategory[]; topics: string[] } {
  const named = new Set<ContentCategory>();
  const topics = excluded.filter((entry) => {
    const wanted = entry.trim().toLowerCase();
    const found = categories.filter(
      ({ id, older, name }) =>
        id === wanted || older.toLowerCase() === wanted || name.toLowerCase() === wanted,
    );
    for (const category of found) named.add(category);
    return found.length === 0;
  });
  return { categories: [...named], topics };
}
