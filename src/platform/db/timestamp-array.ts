/**
 * A `timestamptz[]` parameter as one text: the driver would quote thousands of instants one by one.
 */
export function timestampArray(instants: readonly number[]): string {
  return `{${instants.map((instant) => new Date(instant).toISOString()).join(',')}}`;
}
