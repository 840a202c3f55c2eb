/** Where an ad may sit around an answer or on a page. */
export type Placement =
  | 'above_response'
  | 'below_response'
  | 'inline_response'
  | 'left_response'
  | 'right_response'
  | 'search_result'
  | 'top_page'
  | 'bottom_page'
  | 'center_page'
  | 'left_page'
  | 'right_page';

/** One slot of yours: where it is and what you call it. */
export interface Slot {
  placement: Placement;
  placement_id: string;
}

/** What to ask the user about an ad, when the network wants to know. */
export interface FeedbackPrompt {
  question: string;
  reasons: string[];
}

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
export interface Disclosure {
  /** Says that this is an ad, in the person's language. */
  label: string;
  advertiser: string;
  paid_by: string;
  /** One sentence, without personal data. */
  why: string;
  /** Shown apart from the answer, never inside its text. */
  presentation: 'separate';
}

/** An ad as the network returns it. Show it apart from the answer, with `disclosure.label`. */
export interface Ad {
  adText: string;
  title: string;
  cta: string;
  brandName: string;
  url: string;
  favicon?: string;
  image?: string;
  impUrl: string;
  clickUrl: string;
  campaignId: string;
  placement: string;
  placement_id: string;
  feedbackPrompt?: FeedbackPrompt;
  leadForm?: LeadForm;
  disclosure?: Disclosure;
  /** A page where the person hides ads and sees what is kept about them. */
  choicesUrl?: string;
}

/** What a browser sends to your backend when the user rates an ad; your backend adds the key. */
export interface AdFeedback {
  sessionId: string;
  impUrl: string;
  sentiment: 'thumbs_up' | 'thumbs_down';
  reasons?: string[];
  comment?: string;
  placement?: string;
  placementId?: string;
  userId?: string;
  device?: Record<string, unknown>;
}

/** What a browser sends to your backend when the user fills in an ad's form. */
export interface LeadSubmission {
  sessionId: string;
  impUrl: string;
  fields: Record<string, string | boolean>;
  consent?: boolean;
  placement?: string;
  placementId?: string;
  userId?: string;
  device?: Record<string, unknown>;
}
