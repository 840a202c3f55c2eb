// What agents and merchants tell each other about checkout: profiles at well-known addresses, versions that match as exact text.

export const ucpVersions = ['2026-08-25', '2026-04-08', '2026-01-23', '2026-01-11'] as const;
export type UcpVersion = (typeof ucpVersions)[number];
/** Said when nothing is known of a merchant's version. */
export const usualUcpVersion: UcpVersion = '2026-04-08';

const shopping = 'dev.ucp.shopping';

export function isUcpVersion(text: unknown): text is UcpVersion {
  return ucpVersions.some((version) => version === text);
}

export interface MerchantCheckout {
  endpoint: string;
  version: UcpVersion;
}

/** The merchant's own MCP endpoint and the newest version both sides know, or null. Every level is checked: malformed profiles occur. */
export function readMerchantProfile(profile: unknown): MerchantCheckout | null {
  const ucp = member(profile, 'ucp');
  const services = member(member(ucp, 'services'), shopping);
  const bindings = Array.isArray(services) ? services : isRecord(services) ? [services] : [];
  const stated = [member(ucp, 'version'), ...namesOf(member(ucp, 'supported_versions')), ...namesOf(member(profile, 'supported_versions'))];
  let best: MerchantCheckout | null = null;
  for (const binding of bindings) {
    const endpoint = member(binding, 'endpoint') ?? member(member(binding, 'mcp'), 'endpoint');
    if ((member(binding, 'transport') ?? (isRecord(member(binding, 'mcp')) ? 'mcp' : null)) !== 'mcp' || typeof endpoint !== 'string' || !isWebAddress(endpoint)) continue;
    const version = ucpVersions.find((known) => known === member(binding, 'version') || stated.includes(known));
    if (version !== undefined && (best === null || version > best.version)) best = { endpoint, version };
  }
  return best;
}

/** The profile merchants fetch to learn what an agent that shops through us can do. */
export function agentProfile(version: UcpVersion): Record<string, unknown> {
  const spec = (name: string): string => `https://ucp.dev/${version}/specification/${name}`;
  const schema = (name: string): string => `https://ucp.dev/${version}/schemas/shopping/${name}.json`;
  return {
    ucp: {
      version,
      services: { [shopping]: [{ version, transport: 'mcp', spec: spec('overview'), schema: `https://ucp.dev/${version}/services/shopping/mcp.openrpc.json` }] },
      capabilities: {
        [`${shopping}.checkout`]: [{ version, spec: spec('checkout'), schema: schema('checkout') }],
        [`${shopping}.fulfillment`]: [{ version, spec: spec('fulfillment'), schema: schema('fulfillment'), extends: `${shopping}.checkout` }],
      },
      payment_handlers: {},
    },
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
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
