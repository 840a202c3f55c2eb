import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { AdUnits } from '../../../../src/surfaces/dashboards/schema.js';
import { call } from '../../core/api.js';
import { rich, t } from '../../core/language.js';
import { Link } from '../../core/router.js';
import { useAct } from '../../core/hooks/use-act.js';
import { useLoad, type Loaded } from '../../core/hooks/use-load.js';
import { CsvButton } from '../../ui/tables/csv-button.js';
import { Check, Choice } from '../../ui/forms/fields.js';
import { Badge, Card, Dialog, Page } from '../../ui/parts.js';
import { Empty, Shown } from '../../ui/states.js';
import type { Campaign } from '../campaign-record.js';
import { DraftUnits } from './draft-units.js';
import { EditUnit } from './edit-unit.js';
import { type Unit, UnitPreview } from './unit-preview.js';

/** Ad units came before ad groups and keep working: all of them, with where they are used. */
export function AdUnitsPage(): JSX.Element {
  const { act } = useAct();
  const units = useLoad<AdUnits>('/session/ad-units');
  const campaigns = useLoad<{ campaigns: Campaign[] }>(
    '/advertiser-dashboard/campaigns?include_archived=false',
  );
  const [archived, setArchived] = useState(false);
  const [open, setOpen] = useState<{ what: 'edit' | 'link'; unit: Unit } | 'new' | 'draft' | null>(
    null,
  );
  const done = (): void => {
    setOpen(null);
    units.reload();
  };
  const toggle = (unit: Unit): void =>
    void act(
      async () => (
        await call(`/advertiser-dashboard/ad-units/${unit.id}/archive`, { method: 'PATCH' }),
        unit.status === 'archived' ? t('Restored as a draft.') : t('Archived.')
      ),
    ).then(units.reload);
  const link = (unit: Unit, campaign: string): void =>
    void act(
      async () => (
        await call(`/advertiser-dashboard/campaigns/${campaign}/ad-units`, {
          method: 'POST',
          body: { ad_unit_ids: [unit.id] },
        }),
        t('Linked.')
      ),
    ).then(done);
  const known = campaigns.data?.campaigns ?? [];
  return (
    <Page
      title={t('Ad units')}
      lead={
        <>
          {rich(
            'One fixed ad each, shared between campaigns. New campaigns do better with {adGroups}.',
            { adGroups: <Link to="/app/advertiser/campaigns/new">{t('ad groups')}</Link> },
          )}
        </>
      }
      actions={<NewUnitButtons known={known} setOpen={setOpen} />}
    >
      <UnitsCard
        archived={archived}
        setArchived={setArchived}
        units={units}
        setOpen={setOpen}
        toggle={toggle}
      />
      <UnitDialogs open={open} setOpen={setOpen} done={done} known={known} link={link} />
    </Page>
  );
}

function NewUnitButtons({
  known,
  setOpen,
}: {
  known: Campaign[];
  setOpen: (value: { what: 'edit' | 'link'; unit: Unit } | 'new' | 'draft' | null) => void;
}): JSX.Element {
  return (
    <>
      <button
        type="button"
        class="button"
        disabled={known.length === 0}
        onClick={() => setOpen('draft')}
      >
        {t('Draft from a page')}
      </button>
      <button type="button" class="button primary" onClick={() => setOpen('new')}>
        {t('New ad unit')}
      </button>
    </>
  );
}

function UnitsCard({
  archived,
  setArchived,
  units,
  setOpen,
  toggle,
}: {
  archived: boolean;
  setArchived: (value: boolean) => void;
  units: Loaded<AdUnits>;
  setOpen: (value: { what: 'edit' | 'link'; unit: Unit } | 'new' | 'draft' | null) => void;
  toggle: (unit: Unit) => void;
}): JSX.Element {
  return (
    <Card
      title={t('Your ad units')}
      actions={
        <>
          <Check label={t('Include archived')} checked={archived} onChange={setArchived} />
          <UnitsCsv units={units} />
        </>
      }
    >
      <Shown load={units}>
        {(data) => {
          const shown = data.ad_units.filter((unit) => archived || unit.status !== 'archived');
          return shown.length === 0 ? (
            <Empty title={t('No ad units.')}>
              <p>{t('Write one, or have drafts written from your landing page.')}</p>
            </Empty>
          ) : (
            <div class="placements">
              {shown.map((unit) => (
                <UnitTile key={unit.id} unit={unit} setOpen={setOpen} toggle={toggle} />
              ))}
            </div>
          );
        }}
      </Shown>
    </Card>
  );
}

function UnitsCsv({ units }: { units: Loaded<AdUnits> }): JSX.Element {
  return (
    <CsvButton
      what={t('Ad units')}
      from={() => [
        [
          'id',
          'name',
          'headline',
          'static_ad_text',
          'static_cta',
          'landing_page',
          'status',
          'review_status',
          'campaigns',
        ],
        ...(units.data?.ad_units ?? []).map((unit) => [
          unit.id,
          unit.name,
          unit.headline,
          unit.static_ad_text,
          unit.static_cta,
          unit.landing_page,
          unit.status,
          unit.review_status,
          unit.campaigns.map((one) => one.name).join('; '),
        ]),
      ]}
    />
  );
}

function UnitTile({
  unit,
  setOpen,
  toggle,
}: {
  unit: Unit;
  setOpen: (value: { what: 'edit' | 'link'; unit: Unit } | 'new' | 'draft' | null) => void;
  toggle: (unit: Unit) => void;
}): JSX.Element {
  return (
    <div class="stack tight">
      <h3>
        {unit.name} <Badge value={unit.status === 'archived' ? 'archived' : unit.review_status} />
        {unit.source === 'scraped' && (
          <>
            {' '}
            <Badge value="drafted" />
          </>
        )}
      </h3>
      <UnitPreview unit={unit} />
      {unit.review_reason !== null && <p class="field-error">{unit.review_reason}</p>}
      <UsedIn unit={unit} />
      <UnitActions unit={unit} setOpen={setOpen} toggle={toggle} />
    </div>
  );
}

function UsedIn({ unit }: { unit: Unit }): JSX.Element {
  return (
    <small>
      {unit.campaigns.length === 0 ? (
        t('In no campaign.')
      ) : (
        <>
          {rich('In {campaigns}', {
            campaigns: unit.campaigns.map((one, index) => (
              <span key={one.id}>
                {index > 0 && ', '}
                <Link to={`/app/advertiser/campaigns/${one.id}`}>{one.name}</Link>
              </span>
            )),
          })}
        </>
      )}
    </small>
  );
}

function UnitActions({
  unit,
  setOpen,
  toggle,
}: {
  unit: Unit;
  setOpen: (value: { what: 'edit' | 'link'; unit: Unit } | 'new' | 'draft' | null) => void;
  toggle: (unit: Unit) => void;
}): JSX.Element {
  return (
    <div class="actions">
      {unit.status !== 'archived' && (
        <button
          type="button"
          class="button small"
          aria-label={t('Edit {name}', { name: unit.name })}
          onClick={() => setOpen({ what: 'edit', unit })}
        >
          {t('Edit')}
        </button>
      )}
      {unit.status !== 'archived' && (
        <button
          type="button"
          class="button small"
          aria-label={t('Add to campaign: {name}', { name: unit.name })}
          onClick={() => setOpen({ what: 'link', unit })}
        >
          {t('Add to campaign')}
        </button>
      )}
      <button
        type="button"
        class="button small"
        aria-label={`${unit.status === 'archived' ? t('Unarchive') : t('Archive')} ${unit.name}`}
        onClick={() => toggle(unit)}
      >
        {unit.status === 'archived' ? t('Unarchive') : t('Archive')}
      </button>
    </div>
  );
}

function UnitDialogs({
  open,
  setOpen,
  done,
  known,
  link,
}: {
  open: { what: 'edit' | 'link'; unit: Unit } | 'new' | 'draft' | null;
  setOpen: (value: { what: 'edit' | 'link'; unit: Unit } | 'new' | 'draft' | null) => void;
  done: () => void;
  known: Campaign[];
  link: (unit: Unit, campaign: string) => void;
}): JSX.Element {
  return (
    <>
      {open === 'new' && <EditUnit unit={null} onClose={() => setOpen(null)} onSaved={done} />}
      {open === 'draft' && (
        <DraftUnits campaigns={known} onClose={() => setOpen(null)} onMade={done} />
      )}
      {open !== null && typeof open === 'object' && open.what === 'edit' && (
        <EditUnit unit={open.unit} onClose={() => setOpen(null)} onSaved={done} />
      )}
      {open !== null && typeof open === 'object' && open.what === 'link' && (
        <LinkUnit
          unit={open.unit}
          campaigns={known.filter(
            (one) => !open.unit.campaigns.some(({ id }) => id === one.campaign_id),
          )}
          onClose={() => setOpen(null)}
          onLink={(campaign) => link(open.unit, campaign)}
        />
      )}
    </>
  );
}

function LinkUnit({
  unit,
  campaigns,
  onClose,
  onLink,
}: {
  unit: Unit;
  campaigns: readonly Campaign[];
  onClose: () => void;
  onLink: (campaignId: string) => void;
}): JSX.Element {
  const [chosen, setChosen] = useState(campaigns[0]?.campaign_id ?? '');
  return (
    <Dialog title={t('Add {name} to a campaign', { name: unit.name })} onClose={onClose}>
      {campaigns.length === 0 ? (
        <Empty title={t('It is already in every campaign.')} />
      ) : (
        <form
          class="form"
          onSubmit={(event) => {
            event.preventDefault();
            onLink(chosen);
          }}
        >
          <Choice
            label={t('Campaign')}
            value={chosen}
            options={campaigns.map((one) => [one.campaign_id, one.name] as const)}
            onChange={setChosen}
            hint={t('Adding a unit that has not been reviewed sends the campaign back to review.')}
          />
          <div>
            <button class="button primary">{t('Add to campaign')}</button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
