import type { JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import { country } from '../core/format.js';
import { inline, rich, t } from '../core/language.js';
import { countryTiles } from './country-tiles.js';

export interface CountryValue {
  code: string;
  value: number;
}

interface Tile {
  code: string;
  x: number;
  y: number;
  width: number;
  height: number;
}

const size = 30;
const tiles = tilesOf(countryTiles);
const columns = Math.max(...countryTiles.map((row) => row.length / 2));

/** Cells of the same code are one tile. */
function tilesOf(rows: readonly string[]): Tile[] {
  const found = new Map<string, Tile>();
  rows.forEach((row, y) =>
    (row.match(/../g) ?? []).forEach((code, x) => {
      if (code === '..') return;
      const tile = found.get(code) ?? { code, x, y, width: 1, height: 1 };
      found.set(code, {
        ...tile,
        width: Math.max(tile.width, x - tile.x + 1),
        height: y - tile.y + 1,
      });
    }),
  );
  return [...found.values()];
}

const steps = 5;

/**
 * 0 for nothing, else 1 to 5: equal steps of the logarithm over two powers of ten, so that one
 * large country does not make all others look alike.
 */
function stepOf(value: number, top: number): number {
  if (value <= 0 || top <= 0) return 0;
  return Math.min(
    steps,
    Math.max(1, steps + Math.ceil((Math.log10(value / top) / 2) * steps - 1e-9)),
  );
}

/**
 * The world in tiles, one a country. Every tile carries its code and, where something happened, a
 * bar that grows with the
 * value, so nothing depends on colour; the same numbers stand in the table beside it.
 */
export function CountryMap({
  title,
  values,
  format,
}: {
  title: string;
  values: readonly CountryValue[];
  format: (value: number) => string;
}): JSX.Element {
  const [at, setAt] = useState<string | null>(null);
  const id = useId();
  const known = new Map(values.map((one) => [one.code, one.value]));
  const ranked = [...values].sort((a, b) => b.value - a.value);
  const top = ranked[0]?.value ?? 0;
  const elsewhere = ranked.filter((one) => !tiles.some(({ code }) => code === one.code));
  return (
    <figure class="map">
      <div
        class="map-box"
        tabIndex={0}
        role="region"
        aria-label={t('Map of {title} by country, scrollable', { title: inline(title) })}
      >
        <svg
          viewBox={`0 0 ${columns * size} ${countryTiles.length * size}`}
          role="img"
          aria-labelledby={id}
          onMouseLeave={() => setAt(null)}
        >
          <MapTitle id={id} title={title} ranked={ranked} format={format} />
          {tiles.map(({ code, x, y, width, height }) => {
            return (
              <Tile
                key={code}
                known={known}
                code={code}
                top={top}
                x={x}
                width={width}
                y={y}
                height={height}
                at={at}
                setAt={setAt}
              />
            );
          })}
        </svg>
      </div>
      <Caption
        at={at}
        format={format}
        known={known}
        top={top}
        ranked={ranked}
        elsewhere={elsewhere}
      />
    </figure>
  );
}

function MapTitle({
  id,
  title,
  ranked,
  format,
}: {
  id: string;
  title: string;
  ranked: CountryValue[];
  format: (value: number) => string;
}): JSX.Element {
  return (
    <title id={id}>
      {t('{title} by country, {ranked} in all. {ranked2}', {
        title,
        ranked: ranked.length,
        ranked2: ranked
          .slice(0, 5)
          .map((one) => `${country(one.code)}: ${format(one.value)}`)
          .join(', '),
      })}
    </title>
  );
}

function Tile({
  known,
  code,
  top,
  x,
  width,
  y,
  height,
  at,
  setAt,
}: {
  known: Map<string, number>;
  code: string;
  top: number;
  x: number;
  width: number;
  y: number;
  height: number;
  at: string | null;
  setAt: (value: string | null) => void;
}): JSX.Element {
  const step = stepOf(known.get(code) ?? 0, top);
  const [left, middle] = [(x + width / 2) * size, (y + height / 2) * size];
  return (
    <g class={`tile s${step}${at === code ? ' at' : ''}`} onMouseEnter={() => setAt(code)}>
      <rect
        x={x * size + 1}
        y={y * size + 1}
        width={width * size - 2}
        height={height * size - 2}
        rx="4"
      />
      <text x={left} y={middle + (step === 0 ? 4 : 2)} text-anchor="middle">
        {code}
      </text>
      {step > 0 && (
        <rect
          class="amount"
          x={left - 10}
          y={middle + 7}
          width={(20 * step) / steps}
          height="3"
          rx="1.5"
        />
      )}
    </g>
  );
}

function Caption({
  at,
  format,
  known,
  top,
  ranked,
  elsewhere,
}: {
  at: string | null;
  format: (value: number) => string;
  known: Map<string, number>;
  top: number;
  ranked: CountryValue[];
  elsewhere: CountryValue[];
}): JSX.Element {
  return (
    <figcaption>
      {at !== null ? (
        <>
          <b>{country(at)}</b> {format(known.get(at) ?? 0)}
        </>
      ) : (
        <>
          {top === 0
            ? t('nothing yet')
            : t('{code} leads with {format}', {
                code: country(ranked[0]?.code ?? ''),
                format: format(top),
              })}
        </>
      )}
      {elsewhere.length > 0 && at === null && (
        <> {rich('· {elsewhere} not on the map, see the table', { elsewhere: elsewhere.length })}</>
      )}
      {top > 0 && <Legend top={top} format={format} />}
    </figcaption>
  );
}

/** What each shade stands for. */
function Legend({ top, format }: { top: number; format: (value: number) => string }): JSX.Element {
  return (
    <ul class="legend" aria-label={t('Legend')}>
      {[1, 2, 3, 4, 5].map((step) => (
        <li key={step}>
          <span class={`swatch s${step}`} aria-hidden="true" />
          {step === 1
            ? t('up to {value}', { value: format(leastOf(step + 1, top)) })
            : t('from {value}', { value: format(leastOf(step, top)) })}
        </li>
      ))}
    </ul>
  );
}

/** Where a step begins: the other way round than `stepOf`. */
const leastOf = (step: number, top: number): number =>
  top * 10 ** ((2 * (step - 1 - steps)) / steps);
