// Generated from docs/api/openapi.json by scripts/generate-reporting.mjs. Do not edit.
import type { CallOptions, Outcome } from '../call-service.js';
import { createCaller, type ReportingOptions } from '../create-caller.js';

export type { CallOptions, Failure, FailureReason, Outcome } from '../call-service.js';
export type { ReportingOptions } from '../create-caller.js';

/** An advertiser’s reports and campaigns. */
export interface AdvertiserReporting {
}

/** An advertiser’s reports and campaigns. No method throws. */
export function createAdvertiserReporting(given: ReportingOptions): AdvertiserReporting {
  void createCaller(given);
  return {
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
