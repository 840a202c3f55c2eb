import type { Static } from '@sinclair/typebox';
import type { JSX } from 'preact';
import type { Deliveries, Endpoint } from '../../../../src/surfaces/alerts/schema.js';
import { useApp } from '../../core/boot.js';
import { count, moment } from '../../core/format.js';
import { t } from '../../core/language.js';
import { useLoad } from '../../core/hooks/use-load.js';
import { DataTable, type Column } from '../../ui/tables/data-table.js';
import { Badge, Dialog } from '../../ui/parts.js';
import { Empty, Shown } from '../../ui/states.js';
import { alertTitles } from './alert-words.js';

/** What an address was sent and how it answered; fresh every few seconds while it is open. */
export function DeliveriesDialog({
  base,
  endpoint,
  onClose,
}: {
  base: string;
  endpoint: Endpoint;
  onClose: () => void;
}): JSX.Element {
  const { zone } = useApp();
  const load = useLoad<Static<typeof Deliveries>>(`${base}/${endpoint.id}/deliveries`, {
    everyMs: 3000,
  });
  return (
    <Dialog title={t('Deliveries')} onClose={onClose}>
      <p class="quiet">{endpoint.url}</p>
      <Shown load={load}>
        {(data) =>
          data.deliveries.length === 0 ? (
            <Empty title={t('Nothing was sent yet.')}>
              <p>{t('Send a test to see it here.')}</p>
            </Empty>
          ) : (
            <DataTable
              label={t('Deliveries')}
              rows={data.deliveries}
              rowKey={(row) => row.alert_id}
              columns={deliveryColumns(zone)}
            />
          )
        }
      </Shown>
    </Dialog>
  );
}

function deliveryColumns(zone: string): readonly Column<Delivery>[] {
  return [
    { id: 'type', title: t('Alert'), cell: (row) => alertTitles[row.type] ?? row.type },
    {
      id: 'state',
      title: t('State'),
      cell: (row) => (
        <Badge
          value={
            row.delivered_at !== null
              ? 'delivered'
              : row.last_error === null && row.attempts === 0
                ? 'pending'
                : 'failed'
          }
        />
      ),
    },
    {
      id: 'answer',
      title: t('Answer'),
      cell: (row) => (
        <span class="wide-cell">
          {row.last_error ?? (row.last_status === null ? '—' : String(row.last_status))}
        </span>
      ),
    },
    {
      id: 'attempts',
      title: t('Tries'),
      numeric: true,
      cell: (row) => count(row.attempts),
    },
    {
      id: 'at',
      title: t('Last try'),
      cell: (row) => (
        <span class="nowrap">{moment(row.delivered_at ?? row.attempted_at, zone)}</span>
      ),
    },
  ];
}

type Delivery = Static<typeof Deliveries>['deliveries'][number];
