import type { Static } from '@sinclair/typebox';
import type { JSX } from 'preact';
import type { Alerts } from '../../../../src/surfaces/alerts/schema.js';
import { useApp } from '../../core/boot.js';
import { moment } from '../../core/format.js';
import { t } from '../../core/language.js';
import { useLoad, type Loaded } from '../../core/hooks/use-load.js';
import { CsvButton } from '../../ui/tables/csv-button.js';
import { DataTable, type Column } from '../../ui/tables/data-table.js';
import { Card, Page } from '../../ui/parts.js';
import { Empty, Shown } from '../../ui/states.js';
import { alertSentence, alertTitles } from './alert-words.js';
import { EndpointsCard, type Kind } from './endpoints.js';

/**
 * What happened that is worth knowing, and where it is sent. Both kinds of account have the same.
 */
export function AlertsPage({ kind }: { kind: Kind }): JSX.Element {
  const { zone } = useApp();
  const alerts = useLoad<Static<typeof Alerts>>(`/${kind}-dashboard/alerts`, { everyMs: 15_000 });
  return (
    <Page
      title={t('Alerts')}
      lead={
        kind === 'advertiser'
          ? t(
              'A budget nearly spent, stopped delivery, a falling conversion rate: noticed within minutes.',
            )
          : t('Stopped delivery is noticed within minutes.')
      }
    >
      <div class="stack">
        <EndpointsCard kind={kind} onTested={alerts.reload} />
        <AlertsCard alerts={alerts} zone={zone} />
      </div>
    </Page>
  );
}

function AlertsCard({ alerts, zone }: { alerts: Loaded<AlertList>; zone: string }): JSX.Element {
  return (
    <Card
      title={t('What happened')}
      actions={
        <CsvButton
          what={t('Alerts')}
          from={() => [
            ['created_at', 'type', 'data'],
            ...(alerts.data?.alerts ?? []).map((row) => [
              row.created_at,
              row.type,
              JSON.stringify(row.data),
            ]),
          ]}
        />
      }
    >
      <Shown load={alerts}>
        {(data) =>
          data.alerts.length === 0 ? (
            <Empty title={t('Nothing to report.')}>
              <p>{t('Alerts are listed here whether or not they are sent anywhere.')}</p>
            </Empty>
          ) : (
            <DataTable
              label={t('Alerts')}
              rows={data.alerts}
              rowKey={(row) => row.id}
              columns={alertColumns(zone)}
            />
          )
        }
      </Shown>
    </Card>
  );
}

function alertColumns(zone: string): readonly Column<Alert>[] {
  return [
    {
      id: 'at',
      title: t('When'),
      cell: (row) => <span class="nowrap">{moment(row.created_at, zone)}</span>,
      sort: (row) => row.created_at,
    },
    {
      id: 'type',
      title: t('What'),
      cell: (row) => alertTitles[row.type] ?? row.type,
      sort: (row) => row.type,
    },
    {
      id: 'data',
      title: t('Details'),
      cell: (row) => <span class="wide-cell">{alertSentence(row.type, row.data)}</span>,
    },
  ];
}

type AlertList = Static<typeof Alerts>;
type Alert = AlertList['alerts'][number];
