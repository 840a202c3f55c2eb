import { fixed } from '../core/format.js';
import { t } from '../core/language.js';

interface Finding {
  rule: string;
  explanation: string;
  rate: number;
  usual: number;
}

const share = (rate: number): string => `${fixed(rate * 100, rate < 0.1 ? 1 : 0)} %`;

/** Why traffic was taken back, in the language of the page; of rules it does not know, as told. */
export function findingWords({ rule, explanation, rate, usual }: Finding): string {
  const values = { rate: share(rate), usual: share(usual) };
  switch (rule) {
    case 'click_rate':
      return t('{rate} of views were clicked; usual is {usual}.', values);
    case 'click_rate_low':
      return rate === 0
        ? t('None of the clicks others get for the same places: most views were nobody’s.')
        : t('Only {rate} of the clicks others get for the same places: most views were nobody’s.', {
            rate: values.rate,
          });
    case 'time_to_click':
      return t('{rate} of clicks came within a second of their view; usual is {usual}.', values);
    case 'impossible_geography':
      return t(
        '{rate} of views came from another country than declared; usual is {usual}.',
        values,
      );
    case 'conversion_rate_low':
      return rate === 0
        ? t('None of the conversions others’ clicks lead to for the same advertisers.')
        : t('Only {rate} of the conversions others’ clicks lead to for the same advertisers.', {
            rate: values.rate,
          });
    case 'conversion_rate_high':
      return t('{rate} of clicks are said to have converted; usual is {usual}.', values);
    default:
      return explanation;
  }
}
