/**
 * What stands on the button of an ad that names none. It is served to people, so it does not follow
 * the language of these pages; the same as in `src/domain/review/creative.ts`.
 */
export const defaultButton = 'Learn more';

export const servedButton = (written: string | null | undefined): string =>
  written == null || written.trim() === '' ? defaultButton : written;
