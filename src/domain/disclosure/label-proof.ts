import { type DisclosureTable, foldLabel } from './disclosure.js';

/** How the label was drawn when somebody looked, as the page measured it. */
export interface LabelProof {
  text: string;
  /** CSS pixels. */
  width: number;
  height: number;
  fontSize: number;
  /** Of text against what lies behind it, 1 to 21. */
  contrast: number;
  /** Of the label and everything it lies in, together. */
  opacity: number;
  /** The share of the label that was in view with nothing on top of it. */
  uncovered: number;
}

/** What somebody with ordinary eyes sees without looking for it. */
export const leastLabel = {
  width: 16,
  height: 9,
  fontSize: 9,
  contrast: 3,
  opacity: 0.6,
  uncovered: 0.99,
} as const;

/** Whether a person could read that this is an ad. */
export function isLabelSeen(proof: LabelProof, table: Pick<DisclosureTable, 'labels'>): boolean {
  return (
    table.labels.has(foldLabel(proof.text)) &&
    proof.width >= leastLabel.width &&
    proof.height >= leastLabel.height &&
    proof.fontSize >= leastLabel.fontSize &&
    proof.contrast >= leastLabel.contrast &&
    proof.opacity >= leastLabel.opacity &&
    proof.uncovered >= leastLabel.uncovered
  );
}
