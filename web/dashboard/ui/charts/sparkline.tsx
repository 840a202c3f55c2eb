import type { JSX } from 'preact';
import { t } from '../../core/language.js';

const [width, height] = [84, 22];

/** The course of some days in a cell; its first, last and highest value are said in words. */
export function Sparkline({
  title,
  values,
  format,
}: {
  title: string;
  values: readonly number[];
  format: (value: number) => string;
}): JSX.Element | null {
  if (values.length < 2) return null;
  const top = Math.max(...values, 0) || 1;
  const points = values.map(
    (value, index) =>
      [
        (index / (values.length - 1)) * (width - 6) + 3,
        height - 3 - (value / top) * (height - 6),
      ] as const,
  );
  const line = points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L');
  const [endX, endY] = points.at(-1) ?? [0, 0];
  return (
    <svg
      class="sparkline"
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      role="img"
    >
      <title>
        {t('{title}, {days} days: {first} to {last}, at most {top}', {
          title,
          days: values.length,
          first: format(values[0] ?? 0),
          last: format(values.at(-1) ?? 0),
          top: format(Math.max(...values)),
        })}
      </title>
      <path class="sparkline-area" d={`M${line}L${endX.toFixed(1)} ${height}L3 ${height}Z`} />
      <path class="sparkline-line" d={`M${line}`} />
      <circle cx={endX} cy={endY} r="2.4" />
    </svg>
  );
}
