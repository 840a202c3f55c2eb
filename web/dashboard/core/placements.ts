import { words } from './format.js';
import { t } from './language.js';

/** Where an ad may stand, as people say it. */
const names: Record<string, string> = {
  below_response: t('Below the answer'),
  above_response: t('Above the answer'),
  inline_response: t('Inside the answer'),
  left_response: t('Left of the answer'),
  right_response: t('Right of the answer'),
  search_result: t('Among search results'),
  top_page: t('Top of the page'),
  bottom_page: t('Bottom of the page'),
  center_page: t('Middle of the page'),
  left_page: t('Left side of the page'),
  right_page: t('Right side of the page'),
};

export const placementName = (code: string): string => names[code] ?? words(code);
