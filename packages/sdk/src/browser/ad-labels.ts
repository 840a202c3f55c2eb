/** Every word the ad shows that the advertiser did not write. */
export interface AdLabels {
  /** Only for ads of a server that sends no `disclosure`; never left out. */
  sponsored: string;
  helpful: string;
  notHelpful: string;
  skip: string;
  thanks: string;
  close: string;
  send: string;
  sent: string;
  failed: string;
  /** Before the link to the advertiser's privacy policy. */
  consent: string;
  privacyPolicy: string;
  /** Names the button that says why, and opens the choices. */
  about: string;
  paidBy: string;
  kept: string;
}

export const englishLabels: AdLabels = {
  sponsored: 'Sponsored',
  helpful: 'Helpful',
  notHelpful: 'Not helpful',
  skip: 'Skip',
  thanks: 'Thank you',
  close: 'Close',
  send: 'Send',
  sent: 'Sent. Thank you.',
  failed: 'That did not work. Please try again.',
  consent: 'My answers may be sent to the advertiser under its',
  privacyPolicy: 'privacy policy',
  about: 'About this ad',
  paidBy: 'Paid by',
  kept: 'See and delete what is kept about me',
};
