import type { JSX } from 'preact';

/** Drawn for this product on a grid of twenty: one line, round ends, no fill. */
const paths = {
  alert: 'M5 14V9a5 5 0 0 1 10 0v5l1 1H4zM8.5 17.500h3',
  audience: 'M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM3 10h14M10 3c4 4 4 10 0 14-4-4-4-10 0-14',
  billing: 'M3 5h14v10H3zM3 8.500h14M6 12h3',
  book: 'M4 4h5a2 2 0 0 1 1 1 2 2 0 0 1 1-1h5v12h-5a1 1 0 0 0-1 1 1 1 0 0 0-1-1H4zM10 5v12',
  check: 'M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM7 10l2.2 2.200L13.5 8',
  clock: 'M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM10 6v4l3 2',
  code: 'M7 6l-4 4 4 4M13 6l4 4-4 4',
  data: 'M4 5c0-2.7 12-2.7 12 0v10c0 2.7-12 2.7-12 0zM4 5c0 2.7 12 2.7 12 0M4 10c0 2.7 12 2.7 12 0',
  eye: 'M2.5 10c4-6.5 11-6.5 15 0-4 6.5-11 6.5-15 0zM10 8a2 2 0 1 0 0 4 2 2 0 0 0 0-4',
  flask:
    'M8 3h4M8.5 3v5L4 15.500c-.5 1 .1 1.500 1 1.500h10c.9 0 1.5-.5 1-1.500L11.5 8V3M6.300 12.500h7.400',
  funnel: 'M3 4h14l-5.5 7v5l-3 1.500V11z',
  home: 'M3 9.500L10 4l7 5.500M5 8.500V16h10V8.5',
  key: 'M12.5 3.500a4 4 0 1 1-3.7 5.500L4 13.800V16.500h3v-2h2v-2h1.800M13 7h.01',
  layers: 'M10 3.500l7 3.500-7 3.500L3 7zM3 10.500l7 3.500 7-3.500M3 14l7 3.500 7-3.500',
  live: 'M10 10h.01M7 13a4.2 4.2 0 0 1 0-6M13 7a4.2 4.2 0 0 1 0 6M4.5 15.500a8 8 0 0 1 0-11M15.5 4.500a8 8 0 0 1 0 11',
  lock: 'M5 9h10v8H5zM7 9V6.500a3 3 0 0 1 6 0V9',
  mail: 'M3 5h14v10H3zM3.5 5.500L10 11l6.5-5.5',
  megaphone: 'M3.5 8v4H7l6.5 4V4L7 8zM16 8.500v3',
  money: 'M10 3v14M13.5 6.500C12 4.5 6.5 4.8 6.5 7.700c0 3.2 7 1.5 7 4.7 0 2.9-5.7 3.1-7.2 1',
  page: 'M5 3h7l3.500 3.500V17H5zM12 3v3.500h3.500M8 10h5M8 13.500h5',
  people:
    'M7.5 4.500a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5M2.5 16c0-5.5 10-5.5 10 0M13 5a2.3 2.3 0 0 1 0 4.500M14.5 11.800c2 .6 3 2 3 4.2',
  person: 'M10 3.500a3 3 0 1 0 0 6 3 3 0 0 0 0-6M4 17c0-6.5 12-6.5 12 0',
  play: 'M6 4l10 6-10 6z',
  plug: 'M7 3v4M13 3v4M5 7h10v3a5 5 0 0 1-10 0zM10 15v3',
  pulse: 'M2.5 10H6l2-5 4 10 2-5h3.5',
  question: 'M7.5 7.500a2.5 2.5 0 1 1 3.5 2.300c-.7.3-1 .8-1 1.700M10 14.500h.01',
  reports: 'M4 16V9.500M8 16V4M12 16v-5M16 16V7',
  review: 'M4 5l1.2 1.200L7.5 4M4 11l1.2 1.200L7.5 10M10 5.500h6.500M10 11.500h6.500M4 16.500h12.5',
  search: 'M9 3.500a5.500 5.500 0 1 0 0 11 5.500 5.500 0 0 0 0-11M13 13l4 4',
  server: 'M3.5 4h13v5h-13zM3.5 11h13v5h-13zM6.5 6.500h.01M6.5 13.500h.01',
  settings: 'M4 6h6M14 6h2M10 4v4M4 14h2M10 14h6M6 12v4M4 10h9M16 10h.01M13 8v4',
  shield: 'M10 3l6 2v5c0 4-3 6-6 7-3-1-6-3-6-7V5z',
  shop: 'M4.5 9v7h11V9M3 8.500L5 4h10l2 4.500zM8.5 16v-4h3v4',
  spark: 'M10 3l1.6 5.400L17 10l-5.4 1.600L10 17l-1.6-5.400L3 10l5.4-1.600z',
  thumb:
    'M3.5 9h2.700v7.500H3.500zM6.2 9l3-6c1.6 0 2.3 1 2 2.500L10.7 8h4.600c1 0 1.5.8 1.3 1.700l-1.3 5.600c-.2.7-.7 1.2-1.5 1.200H6.2',
  tiles:
    'M3.5 3.500h5.500V9H3.500zM11 3.500h5.500V9H11zM3.5 11h5.500v5.500H3.500zM11 11h5.500v5.500H11z',
} as const;

export type IconName = keyof typeof paths;

/** Beside words that say the same, so nothing is lost to who does not see it. */
export function Icon({ name }: { name: IconName }): JSX.Element {
  return (
    <svg class="icon" viewBox="0 0 20 20" width="18" height="18" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
