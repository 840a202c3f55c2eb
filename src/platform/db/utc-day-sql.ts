/** The day in UTC of an instant in a statement. */
export const utcDaySql = (instant: string): string => `(${instant} at time zone 'UTC')::date`;
