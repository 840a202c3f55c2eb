/** Every job that is asked for by name, and what its asker tells it. */
export type JobPayloads = {
  'collect-invoice': { invoice_id: string };
  'void-invoice': { invoice_id: string };
  'deliver-webhook': { alert_id: string; endpoint_id: string };
  'generate-ads': { ad_group_id: string };
  'refine-ads': { ad_group_id: string };
  'rewrite-ads': { campaign_id: string };
  'review-campaign': { campaign_id: string };
  'sync-campaign': { campaign_id: string };
  /** By key alone. */
  'send-mail': Record<string, never>;
  'verify-pixel': Record<string, never>;
};

/** Work that comes round again and again, asked for by nobody. */
export type RoundName =
  | 'bill-spend'
  | 'catalog-feeds'
  | 'catalog-sales'
  | 'discover-checkouts'
  | 'event-indexes'
  | 'event-partitions'
  | 'event-retention'
  | 'find-alerts'
  | 'forget-demo-checkouts'
  | 'forget-experiments'
  | 'forget-idempotency-keys'
  | 'forget-index-links'
  | 'forget-session-choices'
  | 'forget-shop-searches'
  | 'forget-tool-searches'
  | 'forget-webhooks'
  | 'judge-traffic'
  | 'judge-traffic-long'
  | 'overdue-invoices'
  | 'replace-losing-ads'
  | 'reverify-pixels'
  | 'rewrite-names'
  | 'sweep-conversions'
  | 'sweep-expired'
  | 'sweep-links'
  | 'sweep-mail'
  | 'sweep-viewers'
  | 'sync-spend';
