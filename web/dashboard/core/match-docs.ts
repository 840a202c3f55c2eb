/** A page, heading or route of the docs, as `/docs/search.json` lists them. */
export type DocEntry = readonly [title: string, about: string, href: string];

/** Every word is in the title or in what it belongs to; titles that begin with the first lead. */
export function matchDocs(entries: readonly DocEntry[], text: string): DocEntry[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const [first] = words;
  if (first === undefined) return [];
  const leads = (title: string): number => Number(title.toLowerCase().startsWith(first));
  return entries
    .filter(([title, about]) => {
      const said = `${title} ${about}`.toLowerCase();
      return words.every((word) => said.includes(word));
    })
    .toSorted(([a], [b]) => leads(b) - leads(a));
}
