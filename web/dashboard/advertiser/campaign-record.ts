import type { Static } from '@sinclair/typebox';
import type {
  AdGroupView,
  AdView,
  CampaignDetail as Detail,
  CampaignList,
} from '../../../src/surfaces/advertisers/view-schema.js';

export type Campaign = Static<typeof CampaignList>['campaigns'][number];
export type CampaignDetail = Static<typeof Detail>;
export type AdGroup = Static<typeof AdGroupView>;
export type Ad = Static<typeof AdView>;
