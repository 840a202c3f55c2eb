import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ApiError, call } from '../../core/api.js';
import { useApp } from '../../core/boot.js';
import { t } from '../../core/language.js';
import { Choice, TextField } from '../../ui/forms/fields.js';
import { Dialog } from '../../ui/parts.js';
import { Problem } from '../../ui/states.js';
import type { Campaign } from '../campaign-record.js';

/** Reads a landing page and has drafts written from it. */
export function DraftUnits({
  campaigns,
  onClose,
  onMade,
}: {
  campaigns: readonly Campaign[];
  onClose: () => void;
  onMade: () => void;
}): JSX.Element {
  const drafts = useDrafts(campaigns, onMade);
  return (
    <Dialog title={t('Draft from a page')} onClose={onClose}>
      <form class="form" onSubmit={(event) => void drafts.draft(event)}>
        {drafts.problem !== null && <Problem message={drafts.problem} />}
        <CampaignChoice form={drafts.form} campaigns={campaigns} setForm={drafts.setForm} />
        <TextField
          label={t('Page to read')}
          value={drafts.form.site_url}
          onInput={(site_url) => drafts.setForm({ ...drafts.form, site_url })}
          required
          inputMode="url"
          maxLength={2048}
        />
        <Choice
          label={t('How many')}
          value={drafts.form.count}
          options={['1', '2', '3', '4', '5'].map((n) => [n, n] as const)}
          onChange={(count) => drafts.setForm({ ...drafts.form, count })}
        />
        <div>
          <button class="button primary" disabled={drafts.busy}>
            {drafts.busy ? t('Reading the page…') : t('Write drafts')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

interface Drafts {
  form: DraftForm;
  setForm: (value: DraftForm) => void;
  problem: string | null;
  busy: boolean;
  draft: (event: Event) => Promise<void>;
}

function useDrafts(campaigns: readonly Campaign[], onMade: () => void): Drafts {
  const { say } = useApp();
  const [form, setForm] = useState<DraftForm>({
    campaign: campaigns[0]?.campaign_id ?? '',
    site_url: campaigns[0]?.landing_page ?? '',
    count: '3',
  });
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const draft = async (event: Event): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    try {
      const made = await call<{ ad_units: unknown[] }>(
        `/advertiser-dashboard/campaigns/${form.campaign}/ad-units/generate`,
        { method: 'POST', body: { site_url: form.site_url, count: Number(form.count) } },
      );
      say(t('{ad_units} drafts are written.', { ad_units: made.ad_units.length }));
      onMade();
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : t('No drafts were written.'));
      setBusy(false);
    }
  };
  return { form, setForm, problem, busy, draft };
}

function CampaignChoice({
  form,
  campaigns,
  setForm,
}: {
  form: DraftForm;
  campaigns: readonly Campaign[];
  setForm: (value: DraftForm) => void;
}): JSX.Element {
  return (
    <Choice
      label={t('Campaign')}
      value={form.campaign}
      options={campaigns.map((one) => [one.campaign_id, one.name] as const)}
      onChange={(campaign) =>
        setForm({
          ...form,
          campaign,
          site_url:
            campaigns.find((one) => one.campaign_id === campaign)?.landing_page ?? form.site_url,
        })
      }
    />
  );
}

interface DraftForm {
  campaign: string;
  site_url: string;
  count: string;
}
