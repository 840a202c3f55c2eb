import type { ComponentChildren, JSX, RefObject } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { count } from '../../core/format.js';
import { language, t } from '../../core/language.js';

export interface Column<Row> {
  id: string;
  title: string;
  cell: (row: Row) => ComponentChildren;
  /** Makes the column sortable: by this value, or by asking the server for another order. */
  sort?: ((row: Row) => number | string) | 'server';
  numeric?: boolean;
}

export interface Order {
  id: string;
  down: boolean;
}

interface TableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  footer?: ComponentChildren;
  /** The order the server gave, for columns it sorts. */
  order?: Order;
  onOrder?: (order: Order) => void;
  /** On a phone, where each row is a card, only the first ones until somebody asks for all. */
  folded?: boolean;
}

const windowedFrom = 120;
const margin = 10;
const foldedTo = 7;

/** A table that sorts, and draws only the rows in view once there are many. */
export function DataTable<Row>({
  label,
  columns,
  rows,
  rowKey,
  footer,
  order,
  onOrder,
  // What is chosen must be seen.
  folded = columns[0]?.id !== 'choose',
}: TableProps<Row>): JSX.Element {
  const [own, setOwn] = useState<Order | null>(null);
  const [top, setTop] = useState(0);
  // Rows are as tall as what they hold; the first ones drawn tell.
  const [rowHeight, setRowHeight] = useState(49);
  const box = useRef<HTMLDivElement>(null);
  const sorted = useSorted(columns, own, rows);
  const { isFolded, unfold } = useFold(folded && rows.length > foldedTo + 3);
  const { isWindowed, first, shown, below } = useWindow({
    sorted: isFolded ? sorted.slice(0, foldedTo) : sorted,
    box,
    rowHeight,
    top,
    setRowHeight,
    rows,
  });

  const by = order ?? own;
  const choose = (column: Column<Row>): void => {
    const next = { id: column.id, down: by?.id === column.id ? !by.down : column.numeric === true };
    if (column.sort === 'server') onOrder?.(next);
    else setOwn(next);
    box.current?.scrollTo(0, 0);
  };
  return (
    <>
      <div
        class={isWindowed ? 'table-box windowed' : 'table-box'}
        ref={box}
        tabIndex={0}
        role="region"
        aria-label={t('{label}, scrollable', { label })}
        onScroll={isWindowed ? (event) => setTop(event.currentTarget.scrollTop) : undefined}
      >
        <table class="data" aria-rowcount={sorted.length + 1}>
          <caption class="hidden">{label}</caption>
          <Head columns={columns} by={by} choose={choose} />
          <tbody>
            {first > 0 && <Spacer height={first * rowHeight} columns={columns.length} />}
            {shown.map((row, index) => (
              <BodyRow key={rowKey(row)} row={row} first={first} index={index} columns={columns} />
            ))}
            {below > 0 && <Spacer height={below} columns={columns.length} />}
          </tbody>
          {footer !== undefined && <tfoot>{footer}</tfoot>}
        </table>
      </div>
      {isFolded && <UnfoldButton rows={sorted.length} unfold={unfold} />}
    </>
  );
}

function Head<Row>({
  columns,
  by,
  choose,
}: {
  columns: readonly Column<Row>[];
  by: Order | null;
  choose: (column: Column<Row>) => void;
}): JSX.Element {
  return (
    <thead>
      <tr data-sort={t('Sort by')}>
        {columns.map((column) => (
          <HeadCell key={column.id} column={column} by={by} choose={choose} />
        ))}
      </tr>
    </thead>
  );
}

function UnfoldButton({ rows, unfold }: { rows: number; unfold: () => void }): JSX.Element {
  return (
    <button type="button" class="button unfold" onClick={unfold}>
      {t('Show all {count} rows', { count: count(rows) })}
    </button>
  );
}

const phone = '(max-width: 640px)';

/** Whether there is more than a phone should be made to scroll past. */
function useFold(isLong: boolean): { isFolded: boolean; unfold: () => void } {
  const [isNarrow, setNarrow] = useState(() => matchMedia(phone).matches);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const media = matchMedia(phone);
    const look = (): void => setNarrow(media.matches);
    media.addEventListener('change', look);
    return () => media.removeEventListener('change', look);
  }, []);
  return { isFolded: isLong && isNarrow && !isOpen, unfold: () => setOpen(true) };
}

function HeadCell<Row>({
  column,
  by,
  choose,
}: {
  column: Column<Row>;
  by: Order | null;
  choose: (column: Column<Row>) => void;
}): JSX.Element {
  return (
    <th
      scope="col"
      class={`${column.numeric === true ? 'number' : ''}${column.sort === undefined ? ' fixed' : ''}`}
      aria-sort={by?.id === column.id ? (by.down ? 'descending' : 'ascending') : undefined}
    >
      {column.sort === undefined ? (
        // Boxes to tick speak for themselves, in any language in the width of a box.
        <span class={column.id === 'choose' ? 'hidden' : undefined}>{column.title}</span>
      ) : (
        <button type="button" class="sort" onClick={() => choose(column)}>
          {column.title}
          <span aria-hidden="true">{by?.id === column.id ? (by.down ? ' ↓' : ' ↑') : ''}</span>
        </button>
      )}
    </th>
  );
}

function BodyRow<Row>({
  row,
  first,
  index,
  columns,
}: {
  row: Row;
  first: number;
  index: number;
  columns: readonly Column<Row>[];
}): JSX.Element {
  return (
    <tr aria-rowindex={first + index + 2}>
      {columns.map((column) => (
        <td key={column.id} class={cellClass(column)} data-title={column.title}>
          {column.cell(row)}
        </td>
      ))}
    </tr>
  );
}

const cellClass = <Row,>(column: Column<Row>): string | undefined =>
  column.numeric === true ? 'number' : column.title === t('Actions') ? 'doing' : undefined;

function useSorted<Row>(
  columns: readonly Column<Row>[],
  own: Order | null,
  rows: readonly Row[],
): readonly Row[] {
  const sorted = useMemo(() => {
    const by = columns.find((column) => column.id === own?.id)?.sort;
    if (by === undefined || by === 'server' || own === null) return rows;
    return [...rows].sort((a, b) => {
      const [x, y] = [by(a), by(b)];
      return (
        (typeof x === 'number' && typeof y === 'number'
          ? x - y
          : String(x).localeCompare(String(y), language, { numeric: true })) * (own.down ? -1 : 1)
      );
    });
  }, [rows, own, columns]);
  return sorted;
}

function useWindow<Row>({
  sorted,
  box,
  rowHeight,
  top,
  setRowHeight,
  rows,
}: {
  sorted: readonly Row[];
  box: RefObject<HTMLDivElement | null>;
  rowHeight: number;
  top: number;
  setRowHeight: (value: number) => void;
  rows: readonly Row[];
}): { isWindowed: boolean; first: number; shown: readonly Row[]; below: number } {
  const isWindowed = sorted.length > windowedFrom;
  const visible = Math.ceil((box.current?.clientHeight ?? 600) / rowHeight) + 2 * margin;
  const first = isWindowed
    ? Math.max(0, Math.min(Math.floor(top / rowHeight) - margin, sorted.length - visible))
    : 0;
  const shown = isWindowed ? sorted.slice(first, first + visible) : sorted;
  const below = isWindowed ? Math.max(0, sorted.length - first - shown.length) * rowHeight : 0;
  useLayoutEffect(() => {
    const drawn = isWindowed
      ? [...(box.current?.querySelectorAll<HTMLElement>('tbody tr:not(.spacer)') ?? [])]
      : [];
    const mean = drawn.reduce((sum, row) => sum + row.offsetHeight, 0) / drawn.length;
    if (mean > 20 && Math.abs(mean - rowHeight) > 4) setRowHeight(mean);
  }, [isWindowed, rows]);
  return { isWindowed, first, shown, below };
}

function Spacer({ height, columns }: { height: number; columns: number }): JSX.Element {
  return (
    <tr aria-hidden="true" class="spacer">
      <td colSpan={columns} height={height} />
    </tr>
  );
}
