import { Type } from '@sinclair/typebox';

/** What has to be shown with whatever somebody pays for. */
export const DisclosureView = Type.Object(
  {
    label: Type.String({ description: 'Says that this is an ad, in the person’s language' }),
    advertiser: Type.String(),
    paid_by: Type.String(),
    why: Type.String({ description: 'One sentence, without personal data' }),
    presentation: Type.Literal('separate', {
      description: 'Shown apart from the answer: its text never contains an ad’s',
    }),
  },
  { description: 'Show it with the ad, always' },
);
