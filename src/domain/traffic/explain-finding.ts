import type { TrafficRule } from './judge-publishers.js';

const percent = (rate: number): string => `${(rate * 100).toFixed(rate < 0.1 ? 1 : 0)} %`;

/**
 * Why traffic was taken back, for the publisher that sent it and the advertisers that paid for it.
 */
export function explainFinding(rule: string, rate: number, usual: number): string {
  // Findings are stored by name, and may be older than the rules of today.
  switch (rule as TrafficRule) {
    case 'click_rate':
      return `${percent(rate)} of views were clicked; usual is ${percent(usual)}.`;
    case 'click_rate_low':
      return `${times(rate)} of the clicks others get for the same places: most views were nobody’s.`;
    case 'time_to_click':
      return `${percent(rate)} of clicks came within a second of their view; usual is ${percent(usual)}.`;
    case 'impossible_geography':
      return `${percent(rate)} of views came from another country than declared; usual is ${percent(usual)}.`;
    case 'conversion_rate_low':
      return `${times(rate)} of the conversions others’ clicks lead to for the same advertisers.`;
    case 'conversion_rate_high':
      return `${percent(rate)} of clicks are said to have converted; usual is ${percent(usual)}.`;
    default:
      return 'Traffic that people do not make.';
  }
}

function times(rate: number): string {
  return rate === 0 ? 'None' : `Only ${percent(rate)}`;
}
