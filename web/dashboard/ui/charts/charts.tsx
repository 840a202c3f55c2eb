import type { JSX, RefObject } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useApp } from '../../core/boot.js';
import { day, longDay, today } from '../../core/format.js';
import { t } from '../../core/language.js';

interface Point {
  date: string;
  value: number;
}

const height = 220;
const pad = { left: 44, right: 12, top: 12, bottom: 28 };

/**
 * A line over days. The period before is dashed, so that it reads without colour; the same numbers
 * stand in a table below.
 */
export function LineChart({
  title,
  points,
  before,
  format,
}: {
  title: string;
  points: readonly Point[];
  before?: readonly Point[] | undefined;
  format: (value: number) => string;
}): JSX.Element {
  const [at, setAt] = useState<number | null>(null);
  const { zone } = useApp();
  const id = useId();
  const { box, width } = useWidth(720);
  if (points.length === 0) return <p class="quiet">{t('No data for these days.')}</p>;
  const scale = scaleOf(points, before, width, format);
  const isOpen = endsToday(points, zone);
  const done = isOpen ? points.slice(0, -1) : points;
  const marks = Math.max(2, Math.min(width < 480 ? 3 : 6, points.length));
  const chosen = at === null ? null : points[at];
  return (
    <figure class="chart" ref={box}>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-labelledby={id}
        tabIndex={0}
        onKeyDown={stepsByKey(at, points, setAt)}
        onBlur={() => setAt(null)}
        onMouseMove={(event) => setAt(pointUnder(event, width, scale.left, points.length))}
        onMouseLeave={() => setAt(null)}
      >
        <ChartTitle points={points} id={id} title={title} format={format} />
        <Grid width={width} scale={scale} format={format} marks={marks} points={points} />
        <Lines
          scale={scale}
          width={width}
          done={done}
          before={before}
          isOpen={isOpen}
          points={points}
        />
        {at !== null && chosen != null && (
          <Cursor scale={scale} at={at} chosen={chosen} width={width} format={format} />
        )}
      </svg>
      <ChartCaption
        chosen={chosen}
        at={at}
        format={format}
        before={before}
        title={title}
        isOpen={isOpen}
      />
      <NumbersTable title={title} before={before} points={points} format={format} />
    </figure>
  );
}

/** The day that is not over is drawn apart, so that it does not look like a fall. */
function endsToday(points: readonly Point[], zone: string): boolean {
  return points.length > 1 && points.at(-1)?.date === today(zone);
}

function pointUnder(
  event: MouseEvent & { currentTarget: SVGSVGElement },
  width: number,
  left: number,
  count: number,
): number {
  const box = event.currentTarget.getBoundingClientRect();
  const share =
    (((event.clientX - box.left) / box.width) * width - left) / (width - left - pad.right);
  return Math.max(0, Math.min(count - 1, Math.round(share * (count - 1))));
}

function stepsByKey(
  at: number | null,
  points: readonly Point[],
  setAt: (value: number | null) => void,
): (event: KeyboardEvent) => void {
  return (event) => {
    const to = {
      ArrowLeft: (at ?? points.length) - 1,
      ArrowRight: (at ?? -1) + 1,
      Home: 0,
      End: points.length - 1,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    setAt(Math.max(0, Math.min(points.length - 1, to)));
  };
}

function ChartTitle({
  points,
  id,
  title,
  format,
}: {
  points: readonly Point[];
  id: string;
  title: string;
  format: (value: number) => string;
}): JSX.Element {
  const highest = points.reduce((a, b) => (b.value > a.value ? b : a));
  return (
    <title id={id}>
      {t('{title} by day, {date} to {date2}; highest {format} on {date3}', {
        title,
        date: day(points[0]?.date ?? ''),
        date2: day(points.at(-1)?.date ?? ''),
        format: format(highest.value),
        date3: day(highest.date),
      })}
    </title>
  );
}

function Grid({
  width,
  scale,
  format,
  marks,
  points,
}: {
  width: number;
  scale: Scale;
  format: (value: number) => string;
  marks: number;
  points: readonly Point[];
}): JSX.Element {
  return (
    <>
      {(width < 480 ? [0, 0.5, 1] : [0, 0.25, 0.5, 0.75, 1]).map((share) => (
        <g key={share} class="grid">
          <line
            x1={scale.left}
            x2={width - pad.right}
            y1={scale.y(scale.top * share)}
            y2={scale.y(scale.top * share)}
          />
          <text x={scale.left - 8} y={scale.y(scale.top * share) + 4} text-anchor="end">
            {round(format(scale.top * share))}
          </text>
        </g>
      ))}
      {Array.from({ length: marks }, (_, mark) =>
        Math.round((mark * (points.length - 1)) / Math.max(1, marks - 1)),
      ).map((index) => (
        <text
          key={index}
          class="tick"
          x={scale.x(index)}
          y={height - 8}
          text-anchor={index === 0 ? 'start' : index === points.length - 1 ? 'end' : 'middle'}
        >
          {day(points[index]?.date ?? '')}
        </text>
      ))}
    </>
  );
}

function Lines({
  scale,
  width,
  done,
  before,
  isOpen,
  points,
}: {
  scale: Scale;
  width: number;
  done: readonly Point[];
  before: readonly Point[] | undefined;
  isOpen: boolean;
  points: readonly Point[];
}): JSX.Element {
  return (
    <>
      <path
        class="axis"
        fill="none"
        d={`M${scale.left} ${pad.top}V${scale.y(0)}H${width - pad.right}`}
      />
      <path
        class="area"
        d={`${scale.path(done)}L${scale.x(done.length - 1)} ${scale.y(0)}L${scale.x(0)} ${scale.y(0)}Z`}
      />
      {before !== undefined && before.length > 0 && (
        <path class="line before" d={scale.path(before)} />
      )}
      <path class="line" d={scale.path(done)} />
      {isOpen && (
        <path
          class="line open"
          d={`M${scale.x(points.length - 2)} ${scale.y(points.at(-2)?.value ?? 0)}L${scale.x(points.length - 1)} ${scale.y(points.at(-1)?.value ?? 0)}`}
        />
      )}
      {points.length === 1 && (
        <circle class="dot" cx={scale.x(0)} cy={scale.y(points[0]?.value ?? 0)} r="4" />
      )}
    </>
  );
}

function Cursor({
  scale,
  at,
  chosen,
  width,
  format,
}: {
  scale: Scale;
  at: number;
  chosen: Point;
  width: number;
  format: (value: number) => string;
}): JSX.Element {
  return (
    <g>
      <line
        class="cursor"
        x1={scale.x(at)}
        x2={scale.x(at)}
        y1={pad.top}
        y2={height - pad.bottom}
      />
      <circle class="dot" cx={scale.x(at)} cy={scale.y(chosen.value)} r="4" />
      <Tip x={scale.x(at)} width={width} text={`${day(chosen.date)} · ${format(chosen.value)}`} />
    </g>
  );
}

function ChartCaption({
  chosen,
  at,
  format,
  before,
  title,
  isOpen,
}: {
  chosen: Point | null | undefined;
  at: number | null;
  format: (value: number) => string;
  before: readonly Point[] | undefined;
  title: string;
  isOpen: boolean;
}): JSX.Element {
  return (
    <figcaption aria-live="polite">
      {chosen != null && at !== null ? (
        <>
          <b>{day(chosen.date)}</b> {format(chosen.value)}
          {before?.[at] !== undefined &&
            ` ${t('· before: {format}', { format: format(before[at].value) })}`}
        </>
      ) : (
        <>
          <span class="nowrap">
            <span class="key solid" aria-hidden="true" /> {title}
          </span>
          {before !== undefined && before.length > 0 && (
            <>
              {' '}
              <span class="nowrap">
                <span class="key dashed" aria-hidden="true" /> {t('period before')}
              </span>
            </>
          )}
          {isOpen && (
            <>
              {' '}
              <span class="nowrap">
                <span class="key dotted" aria-hidden="true" /> {t('today so far')}
              </span>
            </>
          )}
        </>
      )}
    </figcaption>
  );
}

function NumbersTable({
  title,
  before,
  points,
  format,
}: {
  title: string;
  before: readonly Point[] | undefined;
  points: readonly Point[];
  format: (value: number) => string;
}): JSX.Element {
  return (
    <details class="numbers">
      <summary>{t('Numbers')}</summary>
      <div class="table-box" tabIndex={0} role="region" aria-label={t('{title} by day', { title })}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('Day')}</th>
              <th scope="col" class="number">
                {title}
              </th>
              {before !== undefined && before.length > 0 && (
                <th scope="col" class="number">
                  {t('Before')}
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {points.map((point, index) => (
              <tr key={point.date}>
                <td>{longDay(point.date)}</td>
                <td class="number">{format(point.value)}</td>
                {before !== undefined && before.length > 0 && (
                  <td class="number">
                    {before[index] === undefined ? '—' : format(before[index].value)}
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

/** Marks of the axis are round: their cents say nothing. */
const round = (text: string): string => text.replace(/[.,]00(?=\D*$)/, '');

interface Scale {
  top: number;
  /** Where the axis stands: right of its longest mark. */
  left: number;
  x: (index: number) => number;
  y: (value: number) => number;
  path: (list: readonly Point[]) => string;
}

function scaleOf(
  points: readonly Point[],
  before: readonly Point[] | undefined,
  width: number,
  format: (value: number) => string,
): Scale {
  const values = [...points, ...(before ?? [])].map((point) => point.value);
  const top = niceTop(Math.max(...values, 0), values.every(Number.isInteger));
  const marks = [0.25, 0.5, 0.75, 1].map((share) => round(format(top * share)).length);
  const left = Math.max(pad.left, Math.max(...marks) * 7 + 14);
  const x = (index: number): number =>
    left + (points.length === 1 ? 0.5 : index / (points.length - 1)) * (width - left - pad.right);
  const y = (value: number): number =>
    height - pad.bottom - (value / top) * (height - pad.top - pad.bottom);
  const path = (list: readonly Point[]): string =>
    list
      .slice(0, points.length)
      .map(
        (point, index) =>
          `${index === 0 ? 'M' : 'L'}${x(index).toFixed(1)} ${y(point.value).toFixed(1)}`,
      )
      .join('');
  return { top, left, x, y, path };
}

/** What the line says at the cursor, kept inside the chart. */
function Tip({ x, width, text }: { x: number; width: number; text: string }): JSX.Element {
  const size = text.length * 6.6 + 16;
  const left = Math.max(pad.left, Math.min(x - size / 2, width - pad.right - size));
  return (
    <g class="tip" aria-hidden="true">
      <rect x={left} y={pad.top - 8} width={size} height="22" rx="5" />
      <text x={left + size / 2} y={pad.top + 7} text-anchor="middle">
        {text}
      </text>
    </g>
  );
}

/** The next round number whose half is round too; of things that are counted, a whole half. */
function niceTop(value: number, isWhole: boolean): number {
  if (value <= 0 || (isWhole && value <= 2)) return isWhole ? 2 : 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return (
    power *
    ([1, 2, 3, 4, 6, 8, 10]
      .filter((step) => !isWhole || (step * power) % 2 === 0)
      .find((step) => step * power >= value) ?? 10)
  );
}

/** How wide the element is drawn, so that text in a chart keeps its size on every screen. */
function useWidth(first: number): { box: RefObject<HTMLElement | null>; width: number } {
  const box = useRef<HTMLElement>(null);
  const [width, setWidth] = useState(first);
  useLayoutEffect(() => {
    if (box.current === null) return;
    const watcher = new ResizeObserver(
      ([entry]) =>
        entry !== undefined &&
        entry.contentRect.width > 0 &&
        setWidth(Math.max(260, Math.round(entry.contentRect.width))),
    );
    watcher.observe(box.current);
    return () => watcher.disconnect();
  }, []);
  return { box, width };
}

/** Ranked bars with the number at each; nothing depends on colour. */
export function Bars({
  label,
  rows,
  format,
}: {
  label: string;
  rows: readonly { name: string; value: number; note?: string }[];
  format: (value: number) => string;
}): JSX.Element {
  const top = Math.max(...rows.map((row) => row.value), 0);
  return (
    <ul
      class={rows.some((row) => row.note !== undefined) ? 'bars noted' : 'bars'}
      aria-label={label}
    >
      {rows.map((row) => (
        <li key={row.name}>
          <span class="bar-name">{row.name.replace(/([a-z])([A-Z])/g, '$1\u200b$2')}</span>
          <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
            <rect class="track" width="100" height="8" />
            <rect class="fill" width={top === 0 ? 0 : (row.value / top) * 100} height="8" />
          </svg>
          <span class="bar-value">
            {format(row.value)}
            {row.note !== undefined && <small> {row.note}</small>}
          </span>
        </li>
      ))}
    </ul>
  );
}
