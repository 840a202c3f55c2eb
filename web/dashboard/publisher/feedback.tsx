import type { JSX } from 'preact';
import type { FeedbackList } from '../../../src/surfaces/dashboards/schema.js';
import { placementName } from '../core/placements.js';
import { useApp } from '../core/boot.js';
import { count, moment, percent, words } from '../core/format.js';
import { t } from '../core/language.js';
import { useLoad } from '../core/hooks/use-load.js';
import { CsvButton } from '../ui/tables/csv-button.js';
import { DataTable, type Column } from '../ui/tables/data-table.js';
import { Badge, Card, Page, Stat } from '../ui/parts.js';
import { Empty, Shown } from '../ui/states.js';

export function FeedbackPage(): JSX.Element {
  const { zone } = useApp();
  const feedback = useLoad<FeedbackList>('/session/feedback');
  return (
    <Page
      title={t('Feedback')}
      lead={t('What your users said about ads. A thumbs down keeps that ad from the person.')}
    >
      <Shown load={feedback}>
        {(data) => (
          <>
            <Figures data={data} />
            <NewestCard data={data} zone={zone} />
          </>
        )}
      </Shown>
    </Page>
  );
}

function Figures({ data }: { data: FeedbackList }): JSX.Element {
  return (
    <dl class="stats">
      <Stat label={t('Thumbs up')} value={count(data.thumbs_up)} />
      <Stat label={t('Thumbs down')} value={count(data.thumbs_down)} />
      <Stat
        label={t('Liked')}
        value={
          data.thumbs_up + data.thumbs_down === 0
            ? '—'
            : percent((data.thumbs_up / (data.thumbs_up + data.thumbs_down)) * 100)
        }
      />
    </dl>
  );
}

function NewestCard({ data, zone }: { data: FeedbackList; zone: string }): JSX.Element {
  return (
    <Card
      title={t('Newest')}
      actions={
        <CsvButton
          what={t('Feedback')}
          from={() => [
            ['at', 'sentiment', 'campaign', 'reasons', 'comment', 'placement'],
            ...data.feedback.map((row) => [
              row.at,
              row.sentiment,
              row.campaign,
              row.reasons.join('; '),
              row.comment,
              row.placement,
            ]),
          ]}
        />
      }
    >
      {data.feedback.length === 0 ? (
        <Empty title={t('No feedback yet.')}>
          <p>{t('The SDK shows thumbs when the server asks for feedback.')}</p>
        </Empty>
      ) : (
        <DataTable
          label={t('Feedback')}
          rows={data.feedback}
          rowKey={(row) => row.id}
          columns={feedbackColumns(zone)}
        />
      )}
    </Card>
  );
}

function feedbackColumns(zone: string): readonly Column<Feedback>[] {
  return [
    {
      id: 'at',
      title: t('When'),
      cell: (row) => <span class="nowrap">{moment(row.at, zone)}</span>,
      sort: (row) => row.at,
    },
    {
      id: 'sentiment',
      title: t('Vote'),
      cell: (row) => <Badge value={row.sentiment} />,
      sort: (row) => row.sentiment,
    },
    {
      id: 'campaign',
      title: t('Campaign'),
      cell: (row) => row.campaign ?? '—',
      sort: (row) => row.campaign ?? '',
    },
    {
      id: 'reasons',
      title: t('Reasons'),
      cell: (row) => (row.reasons.length === 0 ? '—' : row.reasons.map(words).join(', ')),
    },
    {
      id: 'comment',
      title: t('Comment'),
      cell: (row) => (
        <span class="clip" title={row.comment ?? undefined}>
          {row.comment ?? '—'}
        </span>
      ),
    },
    {
      id: 'placement',
      title: t('Placement'),
      cell: (row) => (row.placement === null ? '—' : placementName(row.placement)),
    },
  ];
}

type Feedback = FeedbackList['feedback'][number];
