/** The processes behind one port, of which this one is one. */
export interface Crew {
  /** How many should serve and how many can; null where this process is alone. */
  state(): CrewState | null;
  /** What each of them measures, by its place; null where this process is alone. */
  measure(): Promise<ReadonlyMap<string, string> | null>;
}

export interface CrewState {
  ready: number;
  of: number;
}

export const alone: Crew = { state: () => null, measure: async () => null };

const metricName = /^[a-zA-Z_:][\w:]*/;

/**
 * One text of what several processes measure, with whose each value is: a scraper that met now one
 * and now another would see counters go back.
 */
export function joinMeasurements(texts: ReadonlyMap<string, string>): string {
  const families = new Map<string, { head: Set<string>; samples: string[] }>();
  for (const [worker, text] of texts) {
    let family = { head: new Set<string>(), samples: [] as string[] };
    for (const line of text.split('\n')) {
      if (line === '') continue;
      const [, name] = /^# (?:HELP|TYPE) (\S+)/.exec(line) ?? [];
      if (name !== undefined) {
        family = families.get(name) ?? { head: new Set(), samples: [] };
        families.set(name, family);
        family.head.add(line);
      } else if (!line.startsWith('#')) family.samples.push(labelled(line, worker));
    }
  }
  return [...families.values()]
    .flatMap(({ head, samples }) => [...head, ...samples])
    .map((line) => `${line}\n`)
    .join('');
}

function labelled(sample: string, worker: string): string {
  const name = metricName.exec(sample)?.[0] ?? '';
  const rest = sample.slice(name.length);
  const label = `worker="${worker}"`;
  return rest.startsWith('{')
    ? `${name}{${label}${rest.startsWith('{}') ? '' : ','}${rest.slice(1)}`
    : `${name}{${label}}${rest}`;
}
