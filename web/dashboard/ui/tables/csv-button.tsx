import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ApiError, downloadCsv, saveFile } from '../../core/api.js';
import { useApp } from '../../core/boot.js';
import { csvText, type CsvRow } from '../../core/csv.js';
import { t } from '../../core/language.js';

/**
 * Saves a list as CSV: from a report's address, which answers the same rows in that form, or from
 * rows this page has or fetches.
 */
export function CsvButton({
  what,
  from,
}: {
  what: string;
  from: string | (() => readonly CsvRow[] | Promise<readonly CsvRow[]>);
}): JSX.Element {
  const { say } = useApp();
  const [busy, setBusy] = useState(false);
  const name = what.toLowerCase().replaceAll(' ', '-');
  const save = async (): Promise<void> => {
    setBusy(true);
    try {
      if (typeof from === 'string') await downloadCsv(from, name);
      else
        saveFile(
          new Blob([csvText(await from())], { type: 'text/csv;charset=utf-8' }),
          `${name}.csv`,
        );
    } catch (error) {
      say(error instanceof ApiError ? error.message : t('The download failed. Try again.'), 'bad');
    }
    setBusy(false);
  };
  return (
    <button
      type="button"
      class="button small"
      aria-label={t('{what} as CSV', { what })}
      disabled={busy}
      onClick={() => void save()}
    >
      {t('CSV')}
    </button>
  );
}
