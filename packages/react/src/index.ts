export { Ad, type AdProps } from './ad.js';
export { AdSlot, type AdSlotProps } from './ad-slot.js';
export { adLinkProps } from './ad-link-props.js';
export { useAd, type AdSource, type AdState } from './use-ad.js';
export { useImpression } from './use-impression.js';
export type {
  Ad as AdData,
  AdFeedback,
  AdLabels,
  Destination,
  LeadSubmission,
} from '@sidelight/sdk/browser';
