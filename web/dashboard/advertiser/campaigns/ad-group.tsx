import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { call } from '../../core/api.js';
import { country, money } from '../../core/format.js';
import { rich, t } from '../../core/language.js';
import { useAct } from '../../core/hooks/use-act.js';
import { AdPreview } from '../../ui/ads/ad-preview.js';
import { servedButton } from '../../ui/ads/served-button.js';
import { Badge, Confirm } from '../../ui/parts.js';
import type { Ad, AdGroup, Campaign } from '../campaign-record.js';
import { EditAd } from '../edit/edit-ad.js';
import { EditAdGroup } from '../edit/edit-ad-group.js';
import { hostOf } from '../host-of.js';

/** A group with its ads as people see them. Generated ads are shown, not edited. */
export function AdGroupCard({
  group,
  campaign,
  onChange,
}: {
  group: AdGroup;
  campaign: Campaign;
  onChange: () => void;
}): JSX.Element {
  const { act } = useAct();
  const [editing, setEditing] = useState<Ad | 'new' | 'group' | null>(null);
  const [archiving, setArchiving] = useState<{
    title: string;
    path: string;
    done: string;
  } | null>(null);
  const brand = group.brand_name ?? hostOf(group.landing_page ?? campaign.landing_page);
  const change = (path: string, method: 'PATCH' | 'DELETE', done: string, body?: unknown): void =>
    void act(
      async () => (
        await call(`/advertiser-dashboard/${path}`, {
          method,
          ...(body === undefined ? {} : { body }),
        }),
        done
      ),
    ).then(onChange);
  const saved = (): void => {
    setEditing(null);
    onChange();
  };
  return (
    <section class="group" aria-label={t('Ad group {name}', { name: group.name })}>
      <div class="card-head">
        <h3>
          {group.name} <Badge value={group.status} /> <Badge value={group.group_type} />
        </h3>
        <GroupActions
          group={group}
          setEditing={setEditing}
          change={change}
          setArchiving={setArchiving}
        />
      </div>
      <GroupTerms group={group} />
      <GroupAds group={group} brand={brand} setEditing={setEditing} setArchiving={setArchiving} />
      <GroupDialogs
        archiving={archiving}
        change={change}
        setArchiving={setArchiving}
        editing={editing}
        campaign={campaign}
        group={group}
        setEditing={setEditing}
        saved={saved}
        brand={brand}
      />
    </section>
  );
}

function GroupActions({
  group,
  setEditing,
  change,
  setArchiving,
}: {
  group: AdGroup;
  setEditing: (value: Ad | 'new' | 'group' | null) => void;
  change: (path: string, method: 'PATCH' | 'DELETE', done: string, body?: unknown) => void;
  setArchiving: (value: { title: string; path: string; done: string } | null) => void;
}): JSX.Element {
  return (
    <div class="actions">
      {group.group_type === 'manual' && (
        <button
          type="button"
          class="button small"
          aria-label={t('Add ad to {name}', { name: group.name })}
          onClick={() => setEditing('new')}
        >
          {t('Add ad')}
        </button>
      )}
      <button
        type="button"
        class="button small"
        aria-label={t('Edit group {name}', { name: group.name })}
        onClick={() => setEditing('group')}
      >
        {t('Edit group')}
      </button>
      <button
        type="button"
        class="button small"
        onClick={() =>
          change(
            `ad-groups/${group.id}`,
            'PATCH',
            group.status === 'active' ? t('Group paused.') : t('Group active.'),
            { status: group.status === 'active' ? 'paused' : 'active' },
          )
        }
      >
        {group.status === 'active' ? t('Pause group') : t('Activate group')}
      </button>
      <ArchiveGroupButton group={group} setArchiving={setArchiving} />
    </div>
  );
}

function ArchiveGroupButton({
  group,
  setArchiving,
}: {
  group: AdGroup;
  setArchiving: (value: { title: string; path: string; done: string } | null) => void;
}): JSX.Element {
  return (
    <button
      type="button"
      class="button small danger"
      aria-label={t('Archive group {name}', { name: group.name })}
      onClick={() =>
        setArchiving({
          title: t('Archive the group {name} and its ads?', { name: group.name }),
          path: `ad-groups/${group.id}`,
          done: t('Group archived.'),
        })
      }
    >
      {t('Archive')}
    </button>
  );
}

function GroupTerms({ group }: { group: AdGroup }): JSX.Element {
  return (
    <>
      <p class="quiet">
        {group.context ??
          t('No targeting text yet. Without it, this group is matched by its landing page alone.')}
      </p>
      {group.negative_context !== null && (
        <p class="quiet">
          {rich('Not for: {negative_context}', { negative_context: group.negative_context })}
        </p>
      )}
      {(group.daily_budget !== null ||
        group.max_cpc !== null ||
        group.allowed_countries.length > 0) && (
        <p class="hint">
          {[
            group.daily_budget === null
              ? ''
              : t('{daily_budget} a day', { daily_budget: money(group.daily_budget) }),
            group.max_cpc === null
              ? ''
              : t('at most {max_cpc} a click', { max_cpc: money(group.max_cpc) }),
            group.allowed_countries.map(country).join(', '),
          ]
            .filter((part) => part !== '')
            .join(' · ')}
        </p>
      )}
    </>
  );
}

function GroupAds({
  group,
  brand,
  setEditing,
  setArchiving,
}: {
  group: AdGroup;
  brand: string;
  setEditing: (value: Ad | 'new' | 'group' | null) => void;
  setArchiving: (value: { title: string; path: string; done: string } | null) => void;
}): JSX.Element {
  return (
    <>
      <div class="placements">
        {group.ads.map((ad) => (
          <AdTile
            key={ad.id}
            ad={ad}
            brand={brand}
            setEditing={setEditing}
            setArchiving={setArchiving}
          />
        ))}
      </div>
      {group.ads_total > group.ads.length && (
        <p class="hint">
          {rich('{ads_total} more ads are not shown here.', {
            ads_total: group.ads_total - group.ads.length,
          })}
        </p>
      )}
      {group.ads.length === 0 &&
        (group.group_type === 'generative' ? (
          <p class="hint">{t('Ads are being written. They appear here within seconds.')}</p>
        ) : (
          <p class="hint">{t('No ads yet. This group needs at least one to be shown.')}</p>
        ))}
    </>
  );
}

function AdTile({
  ad,
  brand,
  setEditing,
  setArchiving,
}: {
  ad: Ad;
  brand: string;
  setEditing: (value: Ad | 'new' | 'group' | null) => void;
  setArchiving: (value: { title: string; path: string; done: string } | null) => void;
}): JSX.Element {
  return (
    <div class="stack tight">
      <h3>
        {ad.name} <Badge value={ad.status === 'active' ? ad.review_status : ad.status} />
      </h3>
      <AdPreview
        ad={{
          title: ad.headline ?? brand,
          adText: ad.copy ?? '',
          cta: servedButton(ad.cta),
          brandName: brand,
          image: ad.image_url,
        }}
      />
      {ad.source === 'manual' && (
        <div class="actions">
          <button
            type="button"
            class="button small"
            aria-label={t('Edit ad {name}', { name: ad.name })}
            onClick={() => setEditing(ad)}
          >
            {t('Edit')}
          </button>
          <button
            type="button"
            class="button small danger"
            aria-label={t('Archive ad {name}', { name: ad.name })}
            onClick={() =>
              setArchiving({
                title: t('Archive the ad {name}?', { name: ad.name }),
                path: `ads/${ad.id}`,
                done: t('Ad archived.'),
              })
            }
          >
            {t('Archive')}
          </button>
        </div>
      )}
    </div>
  );
}

function GroupDialogs({
  archiving,
  change,
  setArchiving,
  editing,
  campaign,
  group,
  setEditing,
  saved,
  brand,
}: {
  archiving: { title: string; path: string; done: string } | null;
  change: (path: string, method: 'PATCH' | 'DELETE', done: string, body?: unknown) => void;
  setArchiving: (value: { title: string; path: string; done: string } | null) => void;
  editing: Ad | 'new' | 'group' | null;
  campaign: Campaign;
  group: AdGroup;
  setEditing: (value: Ad | 'new' | 'group' | null) => void;
  saved: () => void;
  brand: string;
}): JSX.Element {
  return (
    <>
      {archiving !== null && (
        <ArchiveQuestion archiving={archiving} change={change} setArchiving={setArchiving} />
      )}
      {editing === 'group' && (
        <EditAdGroup
          campaignId={campaign.campaign_id}
          group={group}
          onClose={() => setEditing(null)}
          onSaved={saved}
        />
      )}
      {editing !== null && editing !== 'group' && (
        <EditAd
          ad={editing === 'new' ? null : editing}
          groupId={group.id}
          brand={brand}
          onClose={() => setEditing(null)}
          onSaved={saved}
        />
      )}
    </>
  );
}

function ArchiveQuestion({
  archiving,
  change,
  setArchiving,
}: {
  archiving: { title: string; path: string; done: string };
  change: (path: string, method: 'PATCH' | 'DELETE', done: string, body?: unknown) => void;
  setArchiving: (value: { title: string; path: string; done: string } | null) => void;
}): JSX.Element {
  return (
    <Confirm
      title={archiving.title}
      action={t('Archive')}
      danger
      onYes={() => change(archiving.path, 'DELETE', archiving.done)}
      onClose={() => setArchiving(null)}
    >
      <p>{t('It stops showing with the next request. Its results stay in the reports.')}</p>
    </Confirm>
  );
}
