import { useState } from 'preact/hooks';
import { ApiError } from '../api.js';
import { useApp } from '../boot.js';
import { keepFocus } from '../keep-focus.js';
import { t } from '../language.js';

/**
 * Runs a change and says how it went: what `work` returns, or why it was refused. True when it was
 * done.
 */
export function useAct(): {
  act: (work: () => Promise<string | undefined>) => Promise<boolean>;
  busy: boolean;
} {
  const { say } = useApp();
  const [busy, setBusy] = useState(false);
  const act = async (work: () => Promise<string | undefined>): Promise<boolean> => {
    const refocus = keepFocus();
    setBusy(true);
    try {
      const done = await work();
      if (done !== undefined) say(done);
      return true;
    } catch (error) {
      say(error instanceof ApiError ? error.message : t('That did not work. Try again.'), 'bad');
      return false;
    } finally {
      setBusy(false);
      refocus();
    }
  };
  return { act, busy };
}
