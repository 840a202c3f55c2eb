import type { JSX } from 'preact';
import type { ConnectionView } from '../../../../src/surfaces/storefronts/schema.js';
import { call } from '../../core/api.js';
import { useApp } from '../../core/boot.js';
import { moment } from '../../core/format.js';
import { t } from '../../core/language.js';
import { useAct } from '../../core/hooks/use-act.js';
import { useLoad, type Loaded } from '../../core/hooks/use-load.js';
import { DataTable, type Column } from '../../ui/tables/data-table.js';
import { Card } from '../../ui/parts.js';
import { Empty, Shown } from '../../ui/states.js';

type Pending = ConnectionView & { advertiser_name: string };

/**
 * Shops signed by the installation's own app: that they belong to the advertiser is a person's
 * word.
 */
export function PendingStorefronts(): JSX.Element {
  const { zone } = useApp();
  const { act } = useAct();
  const list = useLoad<{ storefronts: Pending[] }>('/operator/storefronts');
  return (
    <Card title={t('Storefronts to confirm')}>
      <Shown load={list}>
        {(data) =>
          data.storefronts.length === 0 ? (
            <Empty title={t('No shops are waiting.')}>
              <p>{t('Shops with a signing secret of their own confirm themselves.')}</p>
            </Empty>
          ) : (
            <DataTable
              label={t('Storefronts to confirm')}
              rows={data.storefronts}
              rowKey={(row) => row.id}
              columns={pendingColumns(zone, act, list)}
            />
          )
        }
      </Shown>
    </Card>
  );
}

function pendingColumns(
  zone: string,
  act: (work: () => Promise<string | undefined>) => Promise<boolean>,
  list: Loaded<{ storefronts: Pending[] }>,
): readonly Column<Pending>[] {
  return [
    {
      id: 'shop',
      title: t('Shop'),
      cell: (row) => row.shop_domain,
      sort: (row) => row.shop_domain,
    },
    {
      id: 'advertiser',
      title: t('Advertiser'),
      cell: (row) => row.advertiser_name,
      sort: (row) => row.advertiser_name,
    },
    {
      id: 'at',
      title: t('Connected'),
      cell: (row) => <span class="nowrap">{moment(row.connected_at, zone)}</span>,
      sort: (row) => row.connected_at,
    },
    {
      id: 'act',
      title: t('Actions'),
      cell: (row) => (
        <button
          type="button"
          class="button small"
          aria-label={t('Confirm {shop_domain} of {advertiser_name}', {
            shop_domain: row.shop_domain,
            advertiser_name: row.advertiser_name,
          })}
          onClick={() =>
            void act(
              async () => (
                await call(`/operator/storefronts/${row.id}/verify`, {
                  method: 'POST',
                }),
                t('{shop_domain} is confirmed.', { shop_domain: row.shop_domain })
              ),
            ).then(list.reload)
          }
        >
          {t('Confirm')}
        </button>
      ),
    },
  ];
}
