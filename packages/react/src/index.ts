export { Ad, type AdProps } from './ad.js';
export { AdSlot, type AdSlotProps } from './ad-slot.js';
export { AdChoices, type AdChoicesProps } from './ad-choices.js';
export { AdLabel } from './ad-label.js';
export { adLinkProps } from './ad-link-props.js';
export { useAd, type AdSource, type AdState } from './use-ad.js';
export { useImpression } from './use-impression.js';
export type {
  Ad as AdData,
  AdFeedback,
  AdLabels,
  Destination,
  Disclosure,
  LeadSubmission,
} from '@sidelight/sdk/browser';
