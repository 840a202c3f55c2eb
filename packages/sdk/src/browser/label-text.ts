import type { Ad } from '../ad.js';
import { englishLabels, type AdLabels } from './ad-labels.js';

/** What says that this is an ad. There is no way to have none. */
export function labelText(ad: Pick<Ad, 'disclosure'>, labels: Partial<AdLabels> = {}): string {
  return (
    [ad.disclosure?.label, labels.sponsored].find(
      (text) => typeof text === 'string' && text.trim() !== '',
    ) ?? englishLabels.sponsored
  );
}

/** Finds the label in an ad that anybody drew. */
export const LABEL_MARK = 'data-sidelight-label';

/** Whatever styles a page brings, these stay. */
export const labelGuard = {
  display: 'inline-block',
  visibility: 'visible',
  opacity: '1',
  'font-size': '11px',
  'min-width': 'max-content',
  transform: 'none',
  filter: 'none',
  'clip-path': 'none',
  position: 'static',
} as const;

/** The guard as an inline style, set by script, which every content policy allows. */
export function guardLabel(label: HTMLElement | null): void {
  for (const [name, value] of Object.entries(labelGuard))
    label?.style.setProperty(name, value, 'important');
}

/** The guard as a style sheet, for shadow trees. */
export const labelGuardStyles = `[${LABEL_MARK}]{${Object.entries(labelGuard)
  .map(([name, value]) => `${name}:${value}!important`)
  .join(';')}}`;
