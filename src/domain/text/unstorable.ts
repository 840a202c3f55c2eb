/**
 * Where a JSON value holds text the database cannot: a zero character, or half a surrogate pair.
 * Where a name is odd, the object around it is the place.
 */
export function unstorablePlaces(
  value: unknown,
  place: readonly (string | number)[] = [],
): (readonly (string | number)[])[] {
  if (typeof value === 'string') return isStorable(value) ? [] : [place];
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value))
    return value.flatMap((member, at) => unstorablePlaces(member, [...place, at]));
  return Object.entries(value).flatMap(([name, member]) =>
    isStorable(name) ? unstorablePlaces(member, [...place, name]) : [place],
  );
}

function isStorable(text: string): boolean {
  return !text.includes('\u0000') && text.isWellFormed();
}
