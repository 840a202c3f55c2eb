export type {
  Ad,
  AdFeedback,
  Disclosure,
  FeedbackPrompt,
  LeadField,
  LeadForm,
  LeadSubmission,
} from './ad.js';
export { englishLabels, type AdLabels } from './browser/ad-labels.js';
export { adStyles } from './browser/ad-styles.js';
export {
  loadChoices,
  makeChoice,
  type ChoiceAction,
  type ChoicesView,
} from './browser/choices-client.js';
export { guardLabel, LABEL_MARK, labelText } from './browser/label-text.js';
export { measureLabel, type LabelProof } from './browser/measure-label.js';
export {
  observeAd,
  type Observable,
  type Observation,
  type ObserveOptions,
} from './browser/observe-ad.js';
export { withRegs, type Regs } from './regs.js';
export { postToPublisher, type Destination } from './browser/post-to-publisher.js';
export {
  renderAd,
  reserveSpace,
  type RenderedAd,
  type RenderOptions,
  type SlotOptions,
} from './browser/render-ad.js';
