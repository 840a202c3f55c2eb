import type { Static } from '@sinclair/typebox';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { LeadFormInput } from '../../../src/surfaces/advertisers/schema.js';
import type { QueueView } from '../../../src/surfaces/review/schema.js';
import { ApiError, call } from '../core/api.js';
import { useApp } from '../core/boot.js';
import { count, money, moment } from '../core/format.js';
import { keepFocus } from '../core/keep-focus.js';
import { heard, named, rich, t } from '../core/language.js';
import { usePages, type PagedList } from '../core/hooks/use-pages.js';
import { AdPreview } from '../ui/ads/ad-preview.js';
import { Check, TextField } from '../ui/forms/fields.js';
import { LeadFormPreview } from '../ui/ads/lead-form-preview.js';
import { Badge, Card, Dialog, Page } from '../ui/parts.js';
import { Onboarding } from '../ui/onboarding.js';
import { Empty, Listed } from '../ui/states.js';

type Queue = Static<typeof QueueView>;
type Waiting = Queue['campaigns'][number];

const campaignsOf = (page: Record<string, unknown>): Waiting[] =>
  (page as Queue) /* of the review route */.campaigns;

export function ReviewPage(): JSX.Element {
  const { say } = useApp();
  const queue = usePages<Waiting>('/operator/review?limit=50', campaignsOf, { everyMs: 30_000 });
  // The queue's page says how long it is in all.
  const total = (queue.page as Queue | undefined)?.total ?? 0;
  const [rejecting, setRejecting] = useState<Waiting | null>(null);
  const decide = useVerdicts(queue, say);
  return (
    <Page
      title={t('Review queue')}
      lead={
        total === 0
          ? undefined
          : total === 1
            ? t('1 waiting.')
            : t('{total} waiting, longest first.{items}', {
                total: count(total),
                items:
                  queue.items.length < total
                    ? ` ${t('The first {items} are shown.', { items: count(queue.items.length) })}`
                    : '',
              })
      }
    >
      {queue.items.length === 0 && !queue.loading && <Onboarding />}
      <Listed
        list={queue}
        empty={
          <Empty title={t('Nothing is waiting for review.')}>
            <p>{t('New and edited campaigns appear here.')}</p>
          </Empty>
        }
      >
        {(items) => (
          <div class="stack">
            {items.map((campaign) => (
              <WaitingCard
                key={campaign.campaign_id}
                campaign={campaign}
                onApprove={() => void decide(campaign, 'approve')}
                onReject={() => setRejecting(campaign)}
              />
            ))}
          </div>
        )}
      </Listed>
      {rejecting !== null && (
        <RejectDialog
          campaign={rejecting}
          onClose={() => setRejecting(null)}
          onReject={(said) => {
            setRejecting(null);
            void decide(rejecting, 'reject', said);
          }}
        />
      )}
    </Page>
  );
}

function useVerdicts(
  queue: PagedList<Waiting>,
  say: (message: string, kind?: 'good' | 'bad') => void,
): (
  campaign: Waiting,
  verdict: 'approve' | 'reject',
  said?: { notes: string; keep_showing: boolean } | null,
) => Promise<void> {
  /** The entry leaves at once and comes back when the server refuses. */
  const decide = async (
    campaign: Waiting,
    verdict: 'approve' | 'reject',
    said: { notes: string; keep_showing: boolean } | null = null,
  ): Promise<void> => {
    const before = queue.items;
    const refocus = keepFocus();
    queue.put((items) => items.filter((one) => one.campaign_id !== campaign.campaign_id));
    refocus();
    try {
      const seen =
        campaign.submitted_for_review_at === null
          ? {}
          : { submitted_for_review_at: campaign.submitted_for_review_at };
      await call(`/operator/review/${campaign.campaign_id}/${verdict}`, {
        method: 'POST',
        body: { ...seen, ...said },
      });
      say(
        t('{name} is {verdict}.', {
          name: campaign.name,
          verdict: named(verdict === 'approve' ? 'approved' : 'rejected'),
        }),
      );
      queue.reload();
    } catch (error) {
      queue.put(() => before);
      say(error instanceof ApiError ? error.message : t('The decision was not saved.'), 'bad');
    }
  };
  return decide;
}

function WaitingCard({
  campaign,
  onApprove,
  onReject,
}: {
  campaign: Waiting;
  onApprove: () => void;
  onReject: () => void;
}): JSX.Element {
  const { zone } = useApp();
  const findings = [
    ...campaign.findings.map((finding) => ({ ...finding, field: named(finding.field) })),
    ...campaign.previews.flatMap((preview) =>
      preview.findings.map((finding) => ({
        ...finding,
        field: `${preview.name}, ${named(finding.field)}`,
      })),
    ),
  ];
  return (
    <Card
      title={campaign.name}
      actions={<VerdictButtons campaign={campaign} onApprove={onApprove} onReject={onReject} />}
    >
      <div class="stack">
        <p class="quiet">
          {rich(
            '{advertiser_name} · {daily_budget} a day · {landing_page} · since {submitted_for_review_at}{value}',
            {
              advertiser_name: campaign.advertiser_name,
              daily_budget: money(campaign.daily_budget),
              landing_page: campaign.landing_page,
              submitted_for_review_at: moment(campaign.submitted_for_review_at, zone),
              value:
                campaign.allowed_countries.length > 0 &&
                ` · ${campaign.allowed_countries.join(', ')}`,
            },
          )}
        </p>
        {campaign.shows_approved && (
          <p class="notice">
            {t(
              'An edit of a running campaign. The version approved before is shown until you decide.',
            )}
          </p>
        )}
        <Findings findings={findings} />
        <Previews campaign={campaign} />
        {campaign.lead_form_config != null && <LeadFormShown campaign={campaign} />}
      </div>
    </Card>
  );
}

function VerdictButtons({
  campaign,
  onApprove,
  onReject,
}: {
  campaign: Waiting;
  onApprove: () => void;
  onReject: () => void;
}): JSX.Element {
  return (
    <>
      <button
        type="button"
        class="button primary small"
        aria-label={t('Approve {name}', { name: campaign.name })}
        onClick={onApprove}
      >
        {t('Approve')}
      </button>
      <button
        type="button"
        class="button small danger"
        aria-label={t('Reject {name}', { name: campaign.name })}
        onClick={onReject}
      >
        {t('Reject')}
      </button>
    </>
  );
}

/** Of a page, its address stands before what is wrong with it. */
function findingWords(message: string): string {
  const [, address, problem] = /^(https?:\S+): (.+)$/.exec(message) ?? [];
  return problem === undefined ? heard(message) : `${address}: ${heard(problem)}`;
}

function Findings({
  findings,
}: {
  findings: { rule: string; level: string; field: string; message: string }[];
}): JSX.Element {
  return (
    <>
      {findings.length === 0 ? (
        <p class="quiet">{t('The automatic checks found nothing.')}</p>
      ) : (
        <ul>
          {findings.map((finding, index) => (
            <li key={index} class="finding">
              <Badge value={finding.level} />{' '}
              <span>
                <b>{finding.field}</b>: {findingWords(finding.message)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Previews({ campaign }: { campaign: Waiting }): JSX.Element {
  return (
    <>
      <div class="placements">
        {campaign.previews.map((preview) => (
          <div key={preview.id}>
            <h3>
              {preview.name} <Badge value={preview.review_status} />
            </h3>
            <AdPreview ad={preview} />
            <small>{preview.url}</small>
          </div>
        ))}
      </div>
      {campaign.previews_total > campaign.previews.length && (
        <p class="hint">
          {rich('{previews_total} more ads.', {
            previews_total: campaign.previews_total - campaign.previews.length,
          })}
        </p>
      )}
    </>
  );
}

function LeadFormShown({ campaign }: { campaign: Waiting }): JSX.Element {
  return (
    <div class="placements">
      <div>
        <h3>{t('Lead form')}</h3>
        <LeadFormPreview
          form={campaign.lead_form_config as LeadFormInput /* the form as it was handed in */}
        />
      </div>
    </div>
  );
}

function RejectDialog({
  campaign,
  onClose,
  onReject,
}: {
  campaign: Waiting;
  onClose: () => void;
  onReject: (said: { notes: string; keep_showing: boolean }) => void;
}): JSX.Element {
  const [notes, setNotes] = useState('');
  const [stops, setStops] = useState(false);
  return (
    <Dialog title={t('Reject {name}', { name: campaign.name })} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (notes.trim() !== '')
            onReject({ notes: notes.trim(), keep_showing: campaign.shows_approved && !stops });
        }}
      >
        <TextField
          label={t('What must change')}
          value={notes}
          onInput={setNotes}
          rows={4}
          required
          maxLength={2000}
          hint={t('The advertiser reads this.')}
        />
        {campaign.shows_approved && (
          <Check
            label={t('Also stop showing the version approved before')}
            checked={stops}
            onChange={setStops}
          />
        )}
        <div>
          <button class="button danger">{t('Reject campaign')}</button>
        </div>
      </form>
    </Dialog>
  );
}
