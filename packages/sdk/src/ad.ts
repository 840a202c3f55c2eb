import type { AdFeedbackBody, AdRequestBody, LeadBody, ServedAds } from './generated/service.js';

type ServedAd = ServedAds[number];
/** Networks of earlier releases do not send these. */
type Newer = 'disclosure' | 'choicesUrl' | 'schain';

/** One slot of yours: where it is and what you call it. */
export type Slot = AdRequestBody['placements'][number];

/** Where an ad may sit around an answer or on a page. */
export type Placement = Slot['placement'];

/** What to ask the user about an ad, when the network wants to know. */
export type FeedbackPrompt = NonNullable<ServedAd['feedbackPrompt']>;

export interface LeadField {
  name: string;
  label: string;
  type: 'text' | 'email' | 'phone' | 'select' | 'checkbox';
  required?: boolean;
  options?: string[];
}

/** The form an advertiser attached to an ad. */
export interface LeadForm {
  title: string;
  description?: string;
  fields: LeadField[];
  submit_label?: string;
  privacy_policy_url?: string;
  success_message?: string;
}

/** What has to be shown with an ad, always: `renderAd` and the React component do. */
export type Disclosure = ServedAd['disclosure'];

/** An ad as the network returns it. Show it apart from the answer, with `disclosure.label`. */
export interface Ad extends Omit<ServedAd, Newer | 'leadForm'>, Partial<Pick<ServedAd, Newer>> {
  leadForm?: LeadForm;
}

/** What a browser sends to your backend when the user rates an ad; your backend adds the key. */
export type AdFeedback = AdFeedbackBody;

/** What a browser sends to your backend when the user fills in an ad's form. */
export type LeadSubmission = LeadBody;
