export {
  createTrackingProxy,
  type TrackingProxy,
  type TrackingProxyOptions,
} from './create-tracking-proxy.js';
export type { NodeRequest, NodeResponse } from './node-http.js';
export { rewriteTrackingUrls } from './tracking-url.js';
