import { createAdEndpoint } from '@sidelight/sdk';
import { sidelight } from '../../../sidelight.ts';

/** Ads, feedback and leads for the page; the key stays here. */
export const POST = createAdEndpoint(sidelight).handle;
