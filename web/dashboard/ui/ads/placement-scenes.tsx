import type { JSX } from 'preact';
import { placementName } from '../../core/placements.js';
import { AdPreview, type PreviewedAd } from './ad-preview.js';

/**
 * Placement → what stands before and after the ad, in lines of text; `beside` puts them next to
 * each other.
 */
const scenes: readonly {
  placement: string;
  before: number;
  after: number;
  beside?: 'left' | 'right';
}[] = [
  { placement: 'below_response', before: 3, after: 0 },
  { placement: 'above_response', before: 0, after: 3 },
  { placement: 'inline_response', before: 2, after: 2 },
  {
    placement: 'left_response',
    before: 0,
    after: 7,
    beside: 'left',
  },
  {
    placement: 'right_response',
    before: 7,
    after: 0,
    beside: 'right',
  },
  { placement: 'search_result', before: 2, after: 2 },
  { placement: 'top_page', before: 0, after: 4 },
  { placement: 'bottom_page', before: 4, after: 0 },
  { placement: 'center_page', before: 2, after: 2 },
  {
    placement: 'left_page',
    before: 0,
    after: 7,
    beside: 'left',
  },
  {
    placement: 'right_page',
    before: 7,
    after: 0,
    beside: 'right',
  },
];

/** One ad in every place an assistant may show it, each with a bit of page around it. */
export function PlacementScenes({ ad }: { ad: PreviewedAd }): JSX.Element {
  return (
    <div class="scenes">
      {scenes.map(({ placement, before, after, beside }) => (
        <div key={placement}>
          <h3>{placementName(placement)}</h3>
          <div class={beside === undefined ? 'scene' : `scene beside ${beside}`}>
            {before > 0 && <Lines count={before} />}
            <AdPreview ad={ad} placement={placement} />
            {after > 0 && <Lines count={after} />}
          </div>
        </div>
      ))}
    </div>
  );
}

function Lines({ count }: { count: number }): JSX.Element {
  return (
    <div class="lines" aria-hidden="true">
      {Array.from({ length: count }, (_, index) => (
        <i key={index} />
      ))}
    </div>
  );
}
