export {
  createTrackingProxy,
  type TrackingProxy,
  type TrackingProxyOptions,
} from './proxy/create-tracking-proxy.js';
export type { NodeRequest, NodeResponse } from './http/node-http.js';
export { rewriteTrackingUrls } from './proxy/tracking-url.js';
