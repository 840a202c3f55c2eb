import type { ComponentChildren, JSX } from 'preact';
import type { Loaded } from '../../core/hooks/use-load.js';
import { CsvButton } from './csv-button.js';
import { type Column, DataTable } from './data-table.js';
import { Card } from '../parts.js';
import { Empty, Shown } from '../states.js';

/** A list of the API as a table in a card, with its CSV. */
export function LoadedTable<Data, Row>({
  title,
  path,
  load,
  rowsOf,
  rowKey,
  columns,
  empty,
  hint,
}: {
  title: string;
  path: string;
  load: Loaded<Data>;
  rowsOf: (data: Data) => readonly Row[];
  rowKey: (row: Row) => string;
  columns: readonly Column<Row>[];
  empty: string;
  hint?: ComponentChildren;
}): JSX.Element {
  return (
    <Card title={title} actions={<CsvButton what={title} from={path} />}>
      {hint !== undefined && <p class="hint">{hint}</p>}
      <Shown load={load}>
        {(data) =>
          rowsOf(data).length === 0 ? (
            <Empty title={empty} />
          ) : (
            <DataTable label={title} rows={rowsOf(data)} rowKey={rowKey} columns={columns} />
          )
        }
      </Shown>
    </Card>
  );
}
