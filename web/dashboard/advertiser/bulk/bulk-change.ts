import { useState } from 'preact/hooks';
import { ApiError, call } from '../../core/api.js';
import { useApp } from '../../core/boot.js';
import { count } from '../../core/format.js';
import { t } from '../../core/language.js';

export type Changes = Record<string, unknown>;

interface Results {
  changed: number;
  results: { id: string; ok: boolean; error?: string }[];
}

/** Few enough that somebody sees it move, many enough that it is soon over. */
const atOnce = 50;

interface BulkChange {
  /** Of those to be changed; null while nothing is under way. */
  progress: { done: number; all: number } | null;
  change: (changes: Changes) => Promise<void>;
}

/** One change to everything that is chosen, some at a time, told while it happens and afterwards. */
export function useBulkChange({
  kind,
  chosen,
  refusals,
  onDone,
}: {
  kind: 'campaign' | 'ad_group' | 'ad';
  chosen: ReadonlySet<string>;
  refusals: Record<string, string>;
  onDone: () => void;
}): BulkChange {
  const { say } = useApp();
  const [progress, setProgress] = useState<BulkChange['progress']>(null);
  const path = `/advertiser-dashboard/${kind.replace('_', '-')}s/bulk`;
  const change = async (changes: Changes): Promise<void> => {
    const ids = [...chosen];
    let changed = 0;
    const refused: string[] = [];
    setProgress({ done: 0, all: ids.length });
    try {
      for (let at = 0; at < ids.length; at += atOnce) {
        const some = ids.slice(at, at + atOnce);
        const body = { [`${kind}_ids`]: some, changes };
        const answer = await call<Results>(path, { method: 'POST', body });
        changed += answer.changed;
        refused.push(...answer.results.filter(({ ok }) => !ok).map(({ error = '' }) => error));
        setProgress({ done: at + some.length, all: ids.length });
      }
      const why = [...new Set(refused.map((error) => refusals[error] ?? error))].join(', ');
      say(summary(changed, refused.length, why), refused.length === 0 ? 'good' : 'bad');
      onDone();
    } catch (error) {
      const why = error instanceof ApiError ? error.message : t('That did not work. Try again.');
      // What was changed before stays so, and must not be changed a second time unawares.
      say(
        changed === 0 ? why : `${t('{changed} changed.', { changed: count(changed) })} ${why}`,
        'bad',
      );
      if (changed > 0) onDone();
    } finally {
      setProgress(null);
    }
  };
  return { progress, change };
}

const summary = (changed: number, refused: number, why: string): string =>
  refused === 0
    ? t('{changed} changed.', { changed: count(changed) })
    : t('{changed} changed, {refused} not: {why}.', {
        changed: count(changed),
        refused: count(refused),
        why,
      });

/** What a bar of changes says of itself. */
export const bulkState = (chosen: ReadonlySet<string>, progress: BulkChange['progress']): string =>
  progress === null
    ? t('{chosen} chosen', { chosen: count(chosen.size) })
    : t('{done} of {all} done', { done: count(progress.done), all: count(progress.all) });
