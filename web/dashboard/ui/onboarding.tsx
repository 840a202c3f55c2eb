import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useApp } from '../core/boot.js';
import { Link } from '../core/router.js';
import { useLoad } from '../core/use-load.js';
import { Card } from './parts.js';

const steps: Record<string, readonly (readonly [id: string, title: string, to: string])[]> = {
  advertiser: [
    ['campaign', 'Write your first campaign', '/app/advertiser/campaigns/new'],
    ['approved', 'Have it approved', '/app/advertiser/campaigns'],
    ['pixel', 'Create a pixel', '/app/advertiser/pixel'],
    ['pixel_seen', 'See its first event', '/app/advertiser/pixel'],
    ['impression', 'First impression', '/app/advertiser/reports'],
    ['click', 'First click', '/app/advertiser/reports'],
    ['conversion', 'First conversion, by pixel or server', '/app/advertiser/server-side'],
  ],
  publisher: [
    ['key', 'Make a key', '/app/keys'],
    ['request', 'Ask for an ad: a test ad will do', '/app/publisher/integrate'],
    ['approved', 'Be approved', '/app/publisher'],
    ['served', 'First ad served', '/app/publisher/reports'],
    ['impression', 'First impression', '/app/publisher/reports'],
  ],
};

const hiddenKey = (account: string): string => `onboarding-hidden-${account}`;

/** The way in, ticked off by what really happened; gone once all of it has, or when put away. */
export function Onboarding(): JSX.Element | null {
  const { session } = useApp();
  const account = session?.account_id ?? '';
  const [hidden, setHidden] = useState(() => localStorage.getItem(hiddenKey(account)) !== null);
  const list = steps[session?.role ?? ''];
  const wanted = list !== undefined && !hidden;
  const load = useLoad<{ steps: Record<string, boolean> }>(
    wanted ? '/session/onboarding' : null,
    wanted ? { everyMs: 5000 } : {},
  );
  const done = load.data?.steps;
  if (!wanted || done === undefined || list.every(([id]) => done[id] === true)) return null;
  const count = list.filter(([id]) => done[id] === true).length;
  return (
    <Card
      title="Getting started"
      actions={
        <button
          type="button"
          class="button small"
          onClick={() => {
            localStorage.setItem(hiddenKey(account), '1');
            setHidden(true);
          }}
        >
          Put away
        </button>
      }
    >
      <p class="hint">
        {count} of {list.length} done.
      </p>
      <ol class="todo">
        {list.map(([id, title, to]) => (
          <li key={id} class={done[id] === true ? 'done' : undefined}>
            <span class="tick" aria-hidden="true">
              {done[id] === true ? '✓' : ''}
            </span>
            {done[id] === true ? (
              <span>
                {title}
                <span class="hidden"> (done)</span>
              </span>
            ) : (
              <Link to={to}>{title}</Link>
            )}
          </li>
        ))}
      </ol>
    </Card>
  );
}
