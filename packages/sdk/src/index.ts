export type {
  Ad,
  AdFeedback,
  Disclosure,
  FeedbackPrompt,
  LeadField,
  LeadForm,
  LeadSubmission,
  Placement,
  Slot,
} from './ad.js';
export {
  createAdEndpoint,
  type AdEndpoint,
  type AdEndpointOptions,
  type BrowserPost,
} from './client/ad-endpoint.js';
export type { CallOptions, Failure, FailureReason, Outcome } from './call-service.js';
export {
  createClient,
  type AdRequest,
  type AdResult,
  type ClientOptions,
  type PendingAds,
  type SidelightClient,
} from './client/create-client.js';
export type { NodeRequest, NodeResponse } from './http/node-http.js';
export {
  prepareMessages,
  type ChatMessage,
  type ContextOptions,
  type Message,
} from './client/prepare-messages.js';
export { withRegs, type Regs } from './regs.js';
export { readRequest, type AnyRequest, type Device } from './http/read-request.js';
export type {
  CategoryList,
  Checkout,
  InstallStep,
  Product,
  ProductCategory,
  ProductQuery,
  ProductResult,
  ToolQuery,
  ToolResult,
  WebResult,
} from './search.js';
