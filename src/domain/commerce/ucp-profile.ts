// What agents and merchants tell each other about checkout: profiles at well-known addresses,
// versions that match as exact text.
import { isRecord } from '../is-record.js';

export const ucpVersions = ['2026-08-25', '2026-04-08', '2026-01-23', '2026-01-11'] as const;
export type UcpVersion = (typeof ucpVersions)[number];
/** Said when nothing is known of a merchant's version. */
export const usualUcpVersion: UcpVersion = '2026-04-08';

const shopping = 'dev.ucp.shopping';
const catalogSearch = `${shopping}.catalog.search`;

export function isUcpVersion(text: unknown): text is UcpVersion {
  return ucpVersions.some((version) => version === text);
}

export interface MerchantCheckout {
  endpoint: string;
  version: UcpVersion;
}

/**
 * The merchant's own MCP endpoint and the newest version both sides know, or null. Every level is
 * checked: malformed profiles occur.
 */
export function readMerchantProfile(profile: unknown): MerchantCheckout | null {
  const ucp = member(profile, 'ucp');
  const services = member(member(ucp, 'services'), shopping);
  const bindings = Array.isArray(services) ? services : isRecord(services) ? [services] : [];
  const stated = [
    member(ucp, 'version'),
    ...namesOf(member(ucp, 'supported_versions')),
    ...namesOf(member(profile, 'supported_versions')),
  ];
  let best: MerchantCheckout | null = null;
  for (const binding of bindings) {
    const endpoint = member(binding, 'endpoint') ?? member(member(binding, 'mcp'), 'endpoint');
    if (
      (member(binding, 'transport') ?? (isRecord(member(binding, 'mcp')) ? 'mcp' : null)) !==
        'mcp' ||
      typeof endpoint !== 'string' ||
      !isWebAddress(endpoint)
    )
      continue;
    const version = ucpVersions.find(
      (known) => known === member(binding, 'version') || stated.includes(known),
    );
    if (version !== undefined && (best === null || version > best.version))
      best = { endpoint, version };
  }
  return best;
}

/** Whether the merchant says that agents may read its catalog. */
export function offersCatalog(profile: unknown): boolean {
  // The first release listed objects with a name.
  return namesOf(member(member(profile, 'ucp'), 'capabilities')).some(
    (each) => each === catalogSearch || member(each, 'name') === catalogSearch,
  );
}

/** The profile merchants fetch to learn what an agent that shops through us can do. */
export function agentProfile(version: UcpVersion): Record<string, unknown> {
  const schema = (name: string): string =>
    `https://ucp.dev/${version}/schemas/shopping/${name}.json`;
  const entry = (page: string, name: string): Record<string, unknown> => ({
    version,
    spec: `https://ucp.dev/${version}/specification/${page}`,
    schema: schema(name),
  });
  const { checkout, fulfillment, catalog } = specPages(version);
  return {
    ucp: {
      version,
      services: {
        [shopping]: [
          {
            version,
            transport: 'mcp',
            spec: `https://ucp.dev/${version}/specification/overview`,
            schema: `https://ucp.dev/${version}/services/shopping/mcp.openrpc.json`,
          },
        ],
      },
      capabilities: {
        [`${shopping}.checkout`]: [entry(checkout, 'checkout')],
        [`${shopping}.fulfillment`]: [
          { ...entry(fulfillment, 'fulfillment'), extends: `${shopping}.checkout` },
        ],
        ...(catalog === null
          ? {}
          : {
              [catalogSearch]: [entry(`${catalog}/search`, 'catalog_search')],
              [`${shopping}.catalog.lookup`]: [entry(`${catalog}/lookup`, 'catalog_lookup')],
            }),
      },
      payment_handlers: {},
    },
  };
}

/** Where each release describes what; the first two have no catalog. */
export function specPages(version: UcpVersion): {
  checkout: string;
  fulfillment: string;
  catalog: string | null;
} {
  if (version === '2026-08-25')
    return {
      checkout: 'shopping/checkout',
      fulfillment: 'shopping/extensions/fulfillment',
      catalog: 'shopping/catalog',
    };
  return {
    checkout: 'checkout',
    fulfillment: 'fulfillment',
    catalog: version === '2026-04-08' ? 'catalog' : null,
  };
}

/** One address for each protocol release; the usual one has the plain name. */
export function agentProfileUrl(version: string | null, indexUrl: string): string {
  return !isUcpVersion(version) || version === usualUcpVersion
    ? `${indexUrl}/.well-known/ucp-agent.json`
    : `${indexUrl}/.well-known/ucp-agent/${version}.json`;
}

function member(value: unknown, name: string): unknown {
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function namesOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : isRecord(value) ? Object.keys(value) : [];
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
