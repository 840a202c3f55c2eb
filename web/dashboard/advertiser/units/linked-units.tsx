import type { JSX } from 'preact';
import type { AdUnits } from '../../../../src/surfaces/dashboards/schema.js';
import { call } from '../../core/api.js';
import { t } from '../../core/language.js';
import { Link } from '../../core/router.js';
import { useAct } from '../../core/hooks/use-act.js';
import { useLoad } from '../../core/hooks/use-load.js';
import { Badge, Card } from '../../ui/parts.js';
import { Shown } from '../../ui/states.js';
import { UnitPreview } from './unit-preview.js';

/** The ad units a campaign shows, in their order. */
export function LinkedUnits({
  campaignId,
  unitIds,
  onChange,
}: {
  campaignId: string;
  unitIds: readonly string[];
  onChange: () => void;
}): JSX.Element {
  const { act } = useAct();
  const units = useLoad<AdUnits>('/session/ad-units');
  const unlink = (id: string): void =>
    void act(
      async () => (
        await call(`/advertiser-dashboard/campaigns/${campaignId}/ad-units`, {
          method: 'PUT',
          body: { ad_unit_ids: unitIds.filter((one) => one !== id) },
        }),
        t('Unlinked.')
      ),
    ).then(onChange);
  return (
    <Card
      title={t('Ad units')}
      actions={
        <Link to="/app/advertiser/ad-units" class="button small">
          {t('All ad units')}
        </Link>
      }
    >
      <Shown load={units}>
        {(data) => (
          <div class="placements">
            {unitIds
              .flatMap((id) => data.ad_units.find((unit) => unit.id === id) ?? [])
              .map((unit) => (
                <div key={unit.id} class="stack tight">
                  <h3>
                    {unit.name}{' '}
                    <Badge value={unit.status === 'archived' ? 'archived' : unit.review_status} />
                  </h3>
                  <UnitPreview unit={unit} />
                  <div class="actions">
                    <button
                      type="button"
                      class="button small"
                      aria-label={t('Unlink {name}', { name: unit.name })}
                      onClick={() => unlink(unit.id)}
                    >
                      {t('Unlink')}
                    </button>
                  </div>
                </div>
              ))}
          </div>
        )}
      </Shown>
    </Card>
  );
}
