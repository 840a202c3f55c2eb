import type { BillingModel } from '../../../../src/domain/billing/billing-models.js';
import { t } from '../../core/language.js';

interface BillingChoice {
  /** What is paid for, as people choose it. */
  label: string;
  /** What the price is for. */
  per: string;
  /** The field of a campaign that holds the price. */
  limit: 'max_cpm' | 'max_cpc' | 'max_cpa';
}

/** Every billing model, in the order they are offered. */
const choices = (): Record<BillingModel, BillingChoice> => ({
  cpm: { label: t('Impressions'), per: t('thousand impressions'), limit: 'max_cpm' },
  cpv: { label: t('Views of a second'), per: t('thousand views'), limit: 'max_cpm' },
  cpc: { label: t('Clicks'), per: t('click'), limit: 'max_cpc' },
  cpa: { label: t('Conversions'), per: t('conversion'), limit: 'max_cpa' },
});

export function billingOptions(): [string, string][] {
  return Object.entries(choices()).map(([model, { label }]) => [model, label]);
}

export function billingChoice(model: string): BillingChoice {
  const all = choices();
  return Object.entries(all).find(([name]) => name === model)?.[1] ?? all.cpm;
}
