import type { ComponentChildren, JSX } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';

export interface Column<Row> {
  id: string;
  title: string;
  cell: (row: Row) => ComponentChildren;
  /** Makes the column sortable, and right-aligned when it gives numbers. */
  sort?: (row: Row) => number | string;
  numeric?: boolean;
}

const rowHeight = 49;
const windowedFrom = 120;
const margin = 10;

/** A table that sorts, and draws only the rows in view once there are many. */
export function DataTable<Row>({ label, columns, rows, rowKey, footer }: { label: string; columns: readonly Column<Row>[]; rows: readonly Row[]; rowKey: (row: Row) => string; footer?: ComponentChildren }): JSX.Element {
  const [sort, setSort] = useState<{ id: string; down: boolean } | null>(null);
  const [top, setTop] = useState(0);
  const box = useRef<HTMLDivElement>(null);
  const sorted = useMemo(() => {
    const by = columns.find((column) => column.id === sort?.id)?.sort;
    if (by === undefined || sort === null) return rows;
    return [...rows].sort((a, b) => {
      const [x, y] = [by(a), by(b)];
      return (typeof x === 'number' && typeof y === 'number' ? x - y : String(x).localeCompare(String(y))) * (sort.down ? -1 : 1);
    });
  }, [rows, sort, columns]);
  const isWindowed = sorted.length > windowedFrom;
  const visible = Math.ceil((box.current?.clientHeight ?? 600) / rowHeight) + 2 * margin;
  const first = isWindowed ? Math.max(0, Math.min(Math.floor(top / rowHeight) - margin, sorted.length - visible)) : 0;
  const shown = isWindowed ? sorted.slice(first, first + visible) : sorted;
  const below = isWindowed ? Math.max(0, sorted.length - first - shown.length) * rowHeight : 0;

  return (
    <div class={isWindowed ? 'table-box windowed' : 'table-box'} ref={box} tabIndex={0} role="region" aria-label={`${label}, scrollable`} onScroll={isWindowed ? (event) => setTop(event.currentTarget.scrollTop) : undefined}>
      <table aria-rowcount={sorted.length + 1}>
        <caption class="hidden">{label}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.id} scope="col" class={column.numeric === true ? 'number' : undefined} aria-sort={sort?.id === column.id ? (sort.down ? 'descending' : 'ascending') : undefined}>
                {column.sort === undefined ? column.title : (
                  <button type="button" class="sort" onClick={() => setSort({ id: column.id, down: sort?.id === column.id ? !sort.down : column.numeric === true })}>
                    {column.title}
                    <span aria-hidden="true">{sort?.id === column.id ? (sort.down ? ' ↓' : ' ↑') : ''}</span>
                  </button>
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {first > 0 && <Spacer height={first * rowHeight} columns={columns.length} />}
          {shown.map((row, index) => (
            <tr key={rowKey(row)} aria-rowindex={first + index + 2}>
              {columns.map((column) => <td key={column.id} class={column.numeric === true ? 'number' : undefined}>{column.cell(row)}</td>)}
            </tr>
          ))}
          {below > 0 && <Spacer height={below} columns={columns.length} />}
        </tbody>
        {footer !== undefined && <tfoot>{footer}</tfoot>}
      </table>
    </div>
  );
}

function Spacer({ height, columns }: { height: number; columns: number }): JSX.Element {
  return <tr aria-hidden="true" class="spacer"><td colSpan={columns} height={height} /></tr>;
}
