import type { JSX } from 'preact';
import { t } from '../core/language.js';
import { AdPreview, type PreviewedAd } from './ad-preview.js';

/**
 * Placement → what stands before and after the ad, in lines of text; `beside` puts them next to
 * each other.
 */
const scenes: readonly {
  placement: string;
  title: string;
  before: number;
  after: number;
  beside?: 'left' | 'right';
}[] = [
  { placement: 'below_response', title: t('Below the answer'), before: 3, after: 0 },
  { placement: 'above_response', title: t('Above the answer'), before: 0, after: 3 },
  { placement: 'inline_response', title: t('Inside the answer'), before: 2, after: 2 },
  {
    placement: 'left_response',
    title: t('Left of the answer'),
    before: 0,
    after: 7,
    beside: 'left',
  },
  {
    placement: 'right_response',
    title: t('Right of the answer'),
    before: 7,
    after: 0,
    beside: 'right',
  },
  { placement: 'search_result', title: t('Among search results'), before: 2, after: 2 },
  { placement: 'top_page', title: t('Top of the page'), before: 0, after: 4 },
  { placement: 'bottom_page', title: t('Bottom of the page'), before: 4, after: 0 },
  { placement: 'center_page', title: t('Middle of the page'), before: 2, after: 2 },
  {
    placement: 'left_page',
    title: t('Left side of the page'),
    before: 0,
    after: 7,
    beside: 'left',
  },
  {
    placement: 'right_page',
    title: t('Right side of the page'),
    before: 7,
    after: 0,
    beside: 'right',
  },
];

/** One ad in every place an assistant may show it, each with a bit of page around it. */
export function PlacementScenes({ ad }: { ad: PreviewedAd }): JSX.Element {
  return (
    <div class="scenes">
      {scenes.map(({ placement, title, before, after, beside }) => (
        <div key={placement}>
          <h3>{title}</h3>
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
