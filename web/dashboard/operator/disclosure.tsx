import type { JSX } from 'preact';
import { count, percent, words } from '../core/format.js';
import { useLoad } from '../core/use-load.js';
import { LoadedTable } from '../ui/loaded-table.js';

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
      title="Seen to be ads, last 28 days"
      path={path}
      load={load}
      rowsOf={(data) => data.publishers}
      rowKey={(row) => row.publisher_id}
      empty="No ads were shown."
      columns={[
        {
          id: 'publisher',
          title: 'Publisher',
          cell: (row) => <span class="clip">{row.name}</span>,
          sort: (row) => row.name,
        },
        {
          id: 'state',
          title: 'State',
          cell: (row) =>
            `${words(row.state)}${row.flagged ? ' (flagged)' : ''}${row.earnings_held ? ', not paid' : ''}`,
          sort: (row) => `${row.flagged ? 0 : 1}${row.state}`,
        },
        {
          id: 'impressions',
          title: 'Impressions',
          numeric: true,
          cell: (row) => count(row.impressions),
          sort: (row) => row.impressions,
        },
        {
          id: 'viewable',
          title: 'Seen for a second',
          numeric: true,
          cell: (row) => count(row.viewable),
          sort: (row) => row.viewable,
        },
        {
          id: 'disclosed',
          title: 'With a readable label',
          numeric: true,
          cell: (row) => `${count(row.disclosed)} (${percent(row.disclosed_rate * 100)})`,
          sort: (row) => row.disclosed_rate,
        },
      ]}
    />
  );
}
