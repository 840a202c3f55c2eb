export type { CallOptions, FailureReason } from './call-service.js';
export type {
  ConversionEvent,
  ConversionReport,
  ConversionResult,
  StandardEvent,
  UserData,
} from './conversion-event.js';
export {
  createConversions,
  hashEvent,
  type ConversionDelivery,
  type Conversions,
  type ConversionsOptions,
  type SendOptions,
} from './create-conversions.js';
export {
  hashEmail,
  hashName,
  hashPhone,
  normalizeEmail,
  normalizeName,
  normalizePhone,
  sha256Hex,
} from './hash-personal-data.js';
