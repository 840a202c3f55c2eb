import type { JSX, RefObject } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useApp } from '../core/boot.js';
import { day } from '../core/format.js';
import { t } from '../core/language.js';

interface Point {
  date: string;
  value: number;
}

const height = 220;
const pad = { left: 56, right: 12, top: 12, bottom: 28 };

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
  const values = [...points, ...(before ?? [])].map((point) => point.value);
  const top = niceTop(Math.max(...values, 0), values.every(Number.isInteger));
  const x = (index: number): number =>
    pad.left +
    (points.length === 1 ? 0.5 : index / (points.length - 1)) * (width - pad.left - pad.right);
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
  // The day that is not over is drawn apart, so that it does not look like a fall.
  const isOpen =
    points.length > 1 &&
    points.at(-1)?.date === new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format();
  const done = isOpen ? points.slice(0, -1) : points;
  const marks = Math.max(2, Math.min(width < 480 ? 3 : 6, points.length));
  const chosen = at === null ? null : points[at];
  const highest = points.reduce((a, b) => (b.value > a.value ? b : a));
  const move = (event: MouseEvent & { currentTarget: SVGSVGElement }): void => {
    const box = event.currentTarget.getBoundingClientRect();
    const share =
      (((event.clientX - box.left) / box.width) * width - pad.left) /
      (width - pad.left - pad.right);
    setAt(Math.max(0, Math.min(points.length - 1, Math.round(share * (points.length - 1)))));
  };
  return (
    <figure class="chart" ref={box}>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-labelledby={id}
        tabIndex={0}
        onKeyDown={(event) => {
          const to = {
            ArrowLeft: (at ?? points.length) - 1,
            ArrowRight: (at ?? -1) + 1,
            Home: 0,
            End: points.length - 1,
          }[event.key];
          if (to === undefined) return;
          event.preventDefault();
          setAt(Math.max(0, Math.min(points.length - 1, to)));
        }}
        onBlur={() => setAt(null)}
        onMouseMove={move}
        onMouseLeave={() => setAt(null)}
      >
        <title id={id}>
          {t('{title} by day, {date} to {date2}; highest {format} on {date3}', {
            title,
            date: day(points[0]?.date ?? ''),
            date2: day(points.at(-1)?.date ?? ''),
            format: format(highest.value),
            date3: day(highest.date),
          })}
        </title>
        {(width < 480 ? [0, 0.5, 1] : [0, 0.25, 0.5, 0.75, 1]).map((share) => (
          <g key={share} class="grid">
            <line x1={pad.left} x2={width - pad.right} y1={y(top * share)} y2={y(top * share)} />
            <text x={pad.left - 8} y={y(top * share) + 4} text-anchor="end">
              {format(top * share)}
            </text>
          </g>
        ))}
        {Array.from({ length: marks }, (_, mark) =>
          Math.round((mark * (points.length - 1)) / Math.max(1, marks - 1)),
        ).map((index) => (
          <text
            key={index}
            class="tick"
            x={x(index)}
            y={height - 8}
            text-anchor={index === 0 ? 'start' : index === points.length - 1 ? 'end' : 'middle'}
          >
            {day(points[index]?.date ?? '')}
          </text>
        ))}
        <path class="axis" fill="none" d={`M${pad.left} ${pad.top}V${y(0)}H${width - pad.right}`} />
        <path class="area" d={`${path(done)}L${x(done.length - 1)} ${y(0)}L${x(0)} ${y(0)}Z`} />
        {before !== undefined && before.length > 0 && <path class="line before" d={path(before)} />}
        <path class="line" d={path(done)} />
        {isOpen && (
          <path
            class="line open"
            d={`M${x(points.length - 2)} ${y(points.at(-2)?.value ?? 0)}L${x(points.length - 1)} ${y(points.at(-1)?.value ?? 0)}`}
          />
        )}
        {points.length === 1 && (
          <circle class="dot" cx={x(0)} cy={y(points[0]?.value ?? 0)} r="4" />
        )}
        {at !== null && chosen != null && (
          <g>
            <line class="cursor" x1={x(at)} x2={x(at)} y1={pad.top} y2={height - pad.bottom} />
            <circle class="dot" cx={x(at)} cy={y(chosen.value)} r="4" />
            <Tip x={x(at)} width={width} text={`${day(chosen.date)} · ${format(chosen.value)}`} />
          </g>
        )}
      </svg>
      <figcaption aria-live="polite">
        {chosen != null && at !== null ? (
          <>
            <b>{day(chosen.date)}</b> {format(chosen.value)}
            {before?.[at] !== undefined &&
              ` ${t('· before: {format}', { format: format(before[at].value) })}`}
          </>
        ) : (
          <>
            <span class="key solid" aria-hidden="true" /> {title}
            {before !== undefined && before.length > 0 && (
              <>
                {' '}
                <span class="key dashed" aria-hidden="true" /> {t('period before')}
              </>
            )}
            {isOpen && (
              <>
                {' '}
                <span class="key dotted" aria-hidden="true" /> {t('today so far')}
              </>
            )}
          </>
        )}
      </figcaption>
      <details class="numbers">
        <summary>{t('Numbers')}</summary>
        <div
          class="table-box"
          tabIndex={0}
          role="region"
          aria-label={t('{title} by day', { title })}
        >
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
                  <td>{point.date}</td>
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
    </figure>
  );
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
