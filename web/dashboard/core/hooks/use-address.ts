import { navigate, useLocation } from '../router.js';

/**
 * What was chosen on a page, as it stands in its address: back, reload and sharing keep it. What is
 * as the page opens is left out, and what other parts of the page say there stays.
 */
export function useAddress<Name extends string>(
  first: Readonly<Record<Name, string>>,
): [Readonly<Record<Name, string>>, (change: Partial<Record<Name, string>>) => void] {
  const { path, search } = useLocation();
  // Its own keys, which the compiler knows only as strings.
  const names = Object.keys(first) as Name[];
  const said: Record<Name, string> = { ...first };
  for (const name of names) said[name] = search.get(name) ?? first[name];
  return [
    said,
    (change) => {
      for (const name of names) {
        const value = change[name] ?? said[name];
        if (value === first[name]) search.delete(name);
        else search.set(name, value);
      }
      const next = search.toString();
      navigate(next === '' ? path : `${path}?${next}`);
    },
  ];
}
