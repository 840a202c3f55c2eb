import { createTrackingProxy } from '@sidelight/sdk/proxy';
import { serviceUrl } from '../../../sidelight.ts';

/** Tracking under this site's own domain, for ads moved with rewriteTrackingUrls. */
const proxy = createTrackingProxy({ baseUrl: serviceUrl });
export const GET = (request: Request) => proxy.handle(request);
export const POST = (request: Request) => proxy.handle(request);
