import type { JSX } from 'preact';
import { useApp } from '../core/boot.js';
import { count, moment } from '../core/format.js';
import { useLoad } from '../core/use-load.js';
import { Bars } from '../ui/charts.js';
import { DataTable } from '../ui/data-table.js';
import { Card, Page } from '../ui/parts.js';
import { Empty, Shown } from '../ui/states.js';

type Row = Record<string, unknown>;

/** Shows whatever columns the rows have: imports and gaps are lists for reading, not for acting on. */
function RowsCard({ title, path, list, empty }: { title: string; path: string; list: string; empty: string }): JSX.Element {
  const { zone } = useApp();
  const load = useLoad<Record<string, unknown>>(path);
  if (load.error?.status === 404) return <Card title={title}><Empty title={empty} /></Card>;
  const show = (name: string, value: unknown): string => {
    if (value === null || value === undefined) return '—';
    if (typeof value === 'string' && /_at$|^at$/.test(name)) return moment(value, zone);
    return typeof value === 'object' ? JSON.stringify(value) : String(value);
  };
  return (
    <Card title={title}>
      <Shown load={load}>
        {(data) => {
          const found = data[list];
          // Lists of the operator API hold flat records.
          const rows = (Array.isArray(found) ? found : []) as Row[];
          if (rows.length === 0) return <Empty title={empty} />;
          const names = Object.keys(rows[0] ?? {}).filter((name) => !/(^|_)id$/.test(name)).slice(0, 9);
          return <DataTable label={title} rows={rows} rowKey={(row) => JSON.stringify(row)} columns={names.map((name) => ({ id: name, title: name.replaceAll('_', ' '), numeric: typeof rows[0]?.[name] === 'number', cell: (row: Row) => <span class="clip" title={show(name, row[name])}>{show(name, row[name])}</span>, sort: (row: Row) => (typeof row[name] === 'number' ? row[name] : String(row[name] ?? '')) }))} />;
        }}
      </Shown>
    </Card>
  );
}

export function CataloguePage(): JSX.Element {
  const categories = useLoad<{ categories: { name: string; service_count: number }[] }>('/categories');
  return (
    <Page title="Catalogue" lead="What the searches know, and what people looked for in vain.">
      <div class="stack">
        <RowsCard title="Searches without a good answer" path="/operator/search-gaps" list="gaps" empty="No gaps were recorded." />
        <RowsCard title="Merchants" path="/operator/catalog" list="merchants" empty="No merchants yet." />
        <RowsCard title="Product imports" path="/operator/catalog" list="runs" empty="No imports were recorded." />
        <Card title="Developer tools by category">
          {categories.error?.status === 404 ? <Empty title="The tool index is not available." /> : <Shown load={categories}>{(data) => <Bars label="Services by category" rows={[...data.categories].sort((a, b) => b.service_count - a.service_count).map((row) => ({ name: row.name, value: row.service_count }))} format={count} />}</Shown>}
        </Card>
      </div>
    </Page>
  );
}
