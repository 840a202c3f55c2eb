import type { JSX } from 'preact';
import type { Static } from '@sinclair/typebox';
import type { CampaignView } from '../../../src/surfaces/advertisers/view-schema.js';
import { useApp } from '../core/boot.js';
import { moment, words } from '../core/format.js';
import { heard, t } from '../core/language.js';

type Shown = Static<typeof CampaignView>['delivery'];

const tones: Record<Shown['status'], string> = {
  showing: 'good',
  not_showing: 'bad',
  scheduled: 'wait',
  ended: 'plain',
  paused: 'plain',
  draft: 'plain',
  archived: 'plain',
};

/** What waits for somebody else is no fault of the owner's. */
const waiting = new Set<Shown['reason']>(['in_review', 'daily_budget_spent']);

/** Said by the status alone. */
const plain = new Set<Shown['reason']>(['live', 'paused', 'archived']);

/** The one status of a campaign, with its reason in words where the status does not say it. */
export function Delivery({ of, brief = false }: { of: Shown; brief?: boolean }): JSX.Element {
  const { zone } = useApp();
  const tone = waiting.has(of.reason) ? 'wait' : tones[of.status];
  const since = of.since === null ? '' : ` ${sinceWords(of.reason, moment(of.since, zone))}`;
  return (
    <span class={brief ? 'delivery brief' : 'delivery'}>
      <span class={`badge ${tone}`}>{words(of.status)}</span>
      {!plain.has(of.reason) && (
        <span class="delivery-why">
          {' '}
          {brief ? briefOf(of) : said(of.message)}
          {since}
        </span>
      )}
    </span>
  );
}

function sinceWords(reason: Shown['reason'], at: string): string {
  if (reason === 'not_started') return t('(from {at})', { at });
  return reason === 'ended' ? t('(on {at})', { at }) : t('(since {at})', { at });
}

/** What a reviewer wrote stays as it was written. */
function said(message: string): string {
  const [, notes] = /^Rejected: (.*)$/s.exec(message) ?? [];
  return notes === undefined ? heard(message) : t('Rejected: {notes}', { notes: heard(notes) });
}

/** In a table the first sentence will do. */
function briefOf(of: Shown): string {
  const [first = ''] = said(of.message).split('. ');
  return first.endsWith('.') ? first.slice(0, -1) : first;
}
