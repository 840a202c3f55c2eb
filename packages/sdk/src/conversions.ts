export type { CallOptions, FailureReason } from './call-service.js';
export type {
  ConversionEvent,
  ConversionReport,
  ConversionResult,
  StandardEvent,
  UserData,
} from './conversions/conversion-event.js';
export {
  createConversions,
  hashEvent,
  type ConversionDelivery,
  type Conversions,
  type ConversionsOptions,
  type SendOptions,
} from './conversions/create-conversions.js';
export {
  hashEmail,
  hashName,
  hashPhone,
  normalizeEmail,
  normalizeName,
  normalizePhone,
  sha256Hex,
} from './conversions/hash-personal-data.js';
