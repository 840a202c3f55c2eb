import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useApp } from '../core/boot.js';
import { rich, t } from '../core/language.js';
import { Link } from '../core/router.js';
import { useLoad } from '../core/hooks/use-load.js';
import { Card } from './parts.js';

const steps: Record<string, readonly (readonly [id: string, title: string, to: string])[]> = {
  advertiser: [
    ['campaign', t('Create your first campaign'), '/app/advertiser/campaigns/new'],
    ['billing', t('Have billing enabled, or credit'), '/app/advertiser/billing'],
    ['approved', t('Get it approved'), '/app/advertiser/campaigns'],
    ['pixel', t('Create a pixel'), '/app/advertiser/pixel'],
    ['pixel_seen', t('See its first event'), '/app/advertiser/pixel'],
    ['impression', t('First impression'), '/app/advertiser/reports'],
    ['click', t('First click'), '/app/advertiser/reports'],
    ['conversion', t('First conversion, by pixel or server'), '/app/advertiser/server-side'],
  ],
  publisher: [
    ['key', t('Create a key'), '/app/keys'],
    ['request', t('Request an ad (a test ad is fine)'), '/app/publisher/integrate'],
    ['approved', t('Get approved by the operator'), ''],
    ['served', t('First ad served'), '/app/publisher/reports'],
    ['impression', t('First impression'), '/app/publisher/reports'],
  ],
  operator: [
    ['second_factor', t('Protect your sign-in with a second factor'), '/app/security'],
    ['publisher', t('Approve a publisher'), '/app/operator/accounts'],
    ['advertiser', t('Enable billing or grant credit to an advertiser'), '/app/operator/accounts'],
    ['campaign', t('Approve a campaign'), '/app/operator'],
    ['served', t('First ad served'), '/app/operator/reports'],
    ['impression', t('First impression'), '/app/operator/reports'],
    ['invoice', t('First invoice'), '/app/operator/billing'],
    ['payout', t('First payout to a publisher'), '/app/operator/payouts'],
  ],
};

const hiddenKey = (account: string): string => `onboarding-hidden-${account}`;

/**
 * The way in, ticked off by what really happened; gone once all of it has, or when put away.
 * `onTick` is told of each tick: what a page shows beside it has changed then too.
 */
export function Onboarding({ onTick }: { onTick?: () => void }): JSX.Element | null {
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
  useTicks(done, onTick);
  if (!wanted || done === undefined || list.every(([id]) => done[id] === true)) return null;
  const count = list.filter(([id]) => done[id] === true).length;
  return (
    <Card
      title={t('Getting started')}
      actions={
        <button
          type="button"
          class="button small"
          onClick={() => {
            localStorage.setItem(hiddenKey(account), '1');
            setHidden(true);
          }}
        >
          {t('Hide')}
        </button>
      }
    >
      <p class="hint">{rich('{count} of {list} done.', { count, list: list.length })}</p>
      <ol class="todo">
        {list.map(([id, title, to]) => (
          <li key={id} class={done[id] === true ? 'done' : undefined}>
            <span class="tick" aria-hidden="true">
              {done[id] === true ? '✓' : ''}
            </span>
            {done[id] === true || to === '' ? (
              <span>
                {title}
                {done[id] === true && <span class="hidden"> {t('(done)')}</span>}
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

function useTicks(done: Record<string, boolean> | undefined, onTick?: () => void): void {
  const count = done === undefined ? null : Object.values(done).filter(Boolean).length;
  const before = useRef<number | null>(null);
  useEffect(() => {
    if (count !== null && before.current !== null && count > before.current) onTick?.();
    before.current = count;
  }, [count]);
}
