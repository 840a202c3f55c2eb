import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ApiError, call } from '../core/api.js';
import { useApp } from '../core/boot.js';
import { AdPreview } from '../ui/ad-preview.js';
import { Choice, TextField } from '../ui/fields.js';
import { Badge, Dialog } from '../ui/parts.js';
import { Problem } from '../ui/states.js';
import type { Ad, AdGroup, Campaign } from './campaign-record.js';

const host = (url: string): string => {
  try {
    return new URL(url).hostname.replace(/^www\./, '');
  } catch {
    return url;
  }
};

/** A group with its ads as people see them. Generated ads are shown, not edited. */
export function AdGroupCard({ group, campaign, onChange }: { group: AdGroup; campaign: Campaign; onChange: () => void }): JSX.Element {
  const { say } = useApp();
  const [editing, setEditing] = useState<Ad | 'new' | null>(null);
  const brand = group.brand_name ?? host(group.landing_page ?? campaign.landing_page);
  const act = async (path: string, method: 'PATCH' | 'DELETE', body?: unknown): Promise<void> => {
    try {
      await call(`/advertiser-dashboard/${path}`, { method, ...(body === undefined ? {} : { body }) });
      onChange();
    } catch (error) {
      say(error instanceof ApiError ? error.message : 'That did not work.', 'bad');
    }
  };
  return (
    <section aria-label={`Ad group ${group.name}`}>
      <div class="card-head">
        <h3>{group.name} <Badge value={group.status} /> <Badge value={group.group_type} /></h3>
        <div class="actions">
          {group.group_type === 'manual' && <button type="button" class="button small" onClick={() => setEditing('new')}>Add ad</button>}
          <button type="button" class="button small" onClick={() => void act(`ad-groups/${group.id}`, 'PATCH', { status: group.status === 'active' ? 'paused' : 'active' })}>{group.status === 'active' ? 'Pause group' : 'Activate group'}</button>
        </div>
      </div>
      <p class="quiet">{group.context ?? 'No targeting text.'}</p>
      <div class="placements">
        {group.ads.map((ad) => (
          <div key={ad.id}>
            <h3>{ad.name} <Badge value={ad.status === 'active' ? ad.review_status : ad.status} /></h3>
            <AdPreview ad={{ title: ad.headline ?? brand, adText: ad.copy ?? '', cta: ad.cta ?? 'Learn more', brandName: brand, image: ad.image_url }} />
            {ad.source === 'manual' && (
              <div class="actions">
                <button type="button" class="button small" onClick={() => setEditing(ad)}>Edit</button>
                <button type="button" class="button small danger" aria-label={`Archive ad ${ad.name}`} onClick={() => void act(`ads/${ad.id}`, 'DELETE')}>Archive</button>
              </div>
            )}
          </div>
        ))}
      </div>
      {group.ads_total > group.ads.length && <p class="hint">{group.ads_total - group.ads.length} more ads are not shown here.</p>}
      {group.group_type === 'generative' && group.ads.length === 0 && <p class="hint">Ads are being written. They appear here within seconds.</p>}
      {editing !== null && <EditAd ad={editing === 'new' ? null : editing} groupId={group.id} brand={brand} onClose={() => setEditing(null)} onSaved={() => { setEditing(null); onChange(); }} />}
    </section>
  );
}

function EditAd({ ad, groupId, brand, onClose, onSaved }: { ad: Ad | null; groupId: string; brand: string; onClose: () => void; onSaved: () => void }): JSX.Element {
  const [form, setForm] = useState({ name: ad?.name ?? '', headline: ad?.headline ?? '', copy: ad?.copy ?? '', cta: ad?.cta ?? '' });
  const [problem, setProblem] = useState<string | null>(null);
  const set = (change: Partial<typeof form>): void => setForm((before) => ({ ...before, ...change }));
  const save = async (event: Event): Promise<void> => {
    event.preventDefault();
    const body = { ...form, name: form.name.trim() === '' ? form.headline.trim().slice(0, 200) || 'Ad' : form.name };
    try {
      await (ad === null ? call(`/advertiser-dashboard/ad-groups/${groupId}/ads`, { method: 'POST', body }) : call(`/advertiser-dashboard/ads/${ad.id}`, { method: 'PATCH', body }));
      onSaved();
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : 'The ad was not saved.');
    }
  };
  return (
    <Dialog title={ad === null ? 'New ad' : 'Edit ad'} onClose={onClose}>
      <form class="form" onSubmit={(event) => void save(event)}>
        {problem !== null && <Problem message={problem} />}
        <TextField label="Name" value={form.name} onInput={(name) => set({ name })} maxLength={200} />
        <TextField label="Headline" value={form.headline} onInput={(headline) => set({ headline })} maxLength={80} required />
        <TextField label="Text" value={form.copy} onInput={(copy) => set({ copy })} rows={3} maxLength={500} />
        <TextField label="Button" value={form.cta} onInput={(cta) => set({ cta })} maxLength={80} />
        <AdPreview ad={{ title: form.headline || brand, adText: form.copy, cta: form.cta || 'Learn more', brandName: brand }} />
        <p class="hint">What people see is reviewed again after a change.</p>
        <div><button class="button primary">Save ad</button></div>
      </form>
    </Dialog>
  );
}

export function NewAdGroup({ campaignId, onClose, onMade }: { campaignId: string; onClose: () => void; onMade: () => void }): JSX.Element {
  const [form, setForm] = useState({ name: '', group_type: 'manual', context: '', brand_name: '', ad_prompt: '' });
  const [problem, setProblem] = useState<string | null>(null);
  const set = (change: Partial<typeof form>): void => setForm((before) => ({ ...before, ...change }));
  const save = async (event: Event): Promise<void> => {
    event.preventDefault();
    try {
      await call('/advertiser-dashboard/ad-groups', { method: 'POST', body: { campaign_id: campaignId, name: form.name, group_type: form.group_type, context: form.context, ...(form.brand_name === '' ? {} : { brand_name: form.brand_name }), ...(form.ad_prompt === '' ? {} : { ad_prompt: form.ad_prompt }) } });
      onMade();
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : 'The group was not created.');
    }
  };
  return (
    <Dialog title="New ad group" onClose={onClose}>
      <form class="form" onSubmit={(event) => void save(event)}>
        {problem !== null && <Problem message={problem} />}
        <TextField label="Name" value={form.name} onInput={(name) => set({ name })} required maxLength={200} />
        <Choice label="Ads" value={form.group_type} options={[['manual', 'I write them'], ['generative', 'Written for me']]} onChange={(group_type) => set({ group_type })} />
        <TextField label="Who should see it" value={form.context} onInput={(context) => set({ context })} rows={4} />
        <TextField label="Brand" value={form.brand_name} onInput={(brand_name) => set({ brand_name })} maxLength={100} />
        {form.group_type === 'generative' && <TextField label="What should the ads say?" value={form.ad_prompt} onInput={(ad_prompt) => set({ ad_prompt })} rows={3} />}
        <div><button class="button primary">Create group</button></div>
      </form>
    </Dialog>
  );
}
