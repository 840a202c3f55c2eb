import { createClient } from '@sidelight/sdk';

/** Set SIDELIGHT_URL and SIDELIGHT_KEY in .env.local. In development every ad is a test ad: it always fills and is never billed. */
export const serviceUrl = process.env.SIDELIGHT_URL ?? 'http://127.0.0.1:8080';
export const sidelight = createClient({
  apiKey: process.env.SIDELIGHT_KEY ?? '',
  baseUrl: serviceUrl,
});
