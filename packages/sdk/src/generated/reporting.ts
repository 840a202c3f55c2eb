// Generated from docs/api/openapi.json by scripts/generate-reporting.mjs. Do not edit.
import type { CallOptions, Outcome } from '../call-service.js';
import { createCaller, type ReportingOptions } from '../create-caller.js';

export type { CallOptions, Failure, FailureReason, Outcome } from '../call-service.js';
export type { ReportingOptions } from '../create-caller.js';

export type AdvertiserGetLeadsQuery = {
  campaign_id?: string;
  cursor?: string;
  limit?: number;
};

export type AdvertiserGetLeadsResult = unknown;

/** An advertiser’s reports and campaigns. */
export interface AdvertiserReporting {
  /** Leads of the account, newest first */
  getLeads(query?: AdvertiserGetLeadsQuery, options?: CallOptions): Promise<Outcome<AdvertiserGetLeadsResult>>;
}

/** An advertiser’s reports and campaigns. No method throws. */
export function createAdvertiserReporting(given: ReportingOptions): AdvertiserReporting {
  const call = createCaller(given);
  return {
    getLeads: (query, options) => call('GET', '/advertiser-dashboard/leads', { query }, options),
  };
}

/** A publisher’s reports. */
export interface PublisherReporting {
}

/** A publisher’s reports. No method throws. */
export function createPublisherReporting(given: ReportingOptions): PublisherReporting {
  void createCaller(given);
  return {
  };
}
