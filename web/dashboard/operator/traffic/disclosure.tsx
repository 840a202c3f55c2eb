import type { JSX } from 'preact';
import { count, percent, words } from '../../core/format.js';
import { t } from '../../core/language.js';
import { useLoad } from '../../core/hooks/use-load.js';
import { LoadedTable } from '../../ui/tables/loaded-table.js';

interface Disclosed {
  publisher_id: string;
  name: string;
  impressions: number;
  viewable: number;
  disclosed: number;
  disclosed_rate: number;
  state: string;
  flagged: boolean;
  earnings_held: boolean;
}

/** Who shows that ads are ads, and who does not. */
export function DisclosureCard(): JSX.Element {
  const path = '/operator/disclosure';
  const load = useLoad<{ publishers: Disclosed[] }>(path);
  return (
    <LoadedTable
      title={t('Recognisable as ads, last 28 days')}
      path={path}
      load={load}
      rowsOf={(data) => data.publishers}
      rowKey={(row) => row.publisher_id}
      empty={t('No ads were shown.')}
      columns={[
        {
          id: 'publisher',
          title: t('Publisher'),
          cell: (row) => (
            <span class="clip" title={row.name}>
              {row.name}
            </span>
          ),
          sort: (row) => row.name,
        },
        {
          id: 'state',
          title: t('State'),
          cell: (row) =>
            `${words(row.state)}${row.flagged ? ` ${t('(flagged)')}` : ''}${row.earnings_held ? t(', not paid') : ''}`,
          sort: (row) => `${row.flagged ? 0 : 1}${row.state}`,
        },
        {
          id: 'impressions',
          title: t('Impressions'),
          numeric: true,
          cell: (row) => count(row.impressions),
          sort: (row) => row.impressions,
        },
        {
          id: 'viewable',
          title: t('In view for a second'),
          numeric: true,
          cell: (row) => count(row.viewable),
          sort: (row) => row.viewable,
        },
        {
          id: 'disclosed',
          title: t('With a readable label'),
          numeric: true,
          cell: (row) => `${count(row.disclosed)} (${percent(row.disclosed_rate * 100)})`,
          sort: (row) => row.disclosed_rate,
        },
      ]}
    />
  );
}
