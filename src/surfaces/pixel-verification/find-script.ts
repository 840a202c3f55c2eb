export interface PageFindings {
  /** The page loads our script itself. */
  hasScript: boolean;
  /** Tag manager containers that may load it. */
  containers: string[];
}

export interface WantedScript {
  pixelId: string;
  /** Host names this service is reached at. */
  hosts: readonly string[];
}

const scriptName = /\/(?:pixel|gr-pix)\.js$/;
// Comments come first so that a script inside one is not found; a script's own text is taken whole.
const parts = /<!--[\s\S]*?(?:-->|$)|<script\b([^>]*)>([\s\S]*?)(?:<\/script\s*>|$)|<(?:link|iframe)\b([^>]*)>/gi;

/** Looks for our script in the HTML of a page: by address, in an inline loader, or by way of a tag manager. */
export function findScript(html: string, pageUrl: string, wanted: WantedScript): PageFindings {
  let hasScript = false;
  const containers = new Set<string>();
  const namesPixel = html.includes(wanted.pixelId);
  for (const [, attributes, inline, link] of html.matchAll(parts)) {
    for (const id of `${attributes ?? ''} ${inline ?? ''} ${link ?? ''}`.matchAll(/\bGTM-[A-Z0-9]{4,12}\b/g)) containers.add(id[0]);
    if (attributes === undefined) continue;
    const src = attribute(attributes, 'src');
    if (src !== null && isOurs(src, pageUrl, wanted, namesPixel)) hasScript = true;
    if (inline !== undefined && loadsScript(inline, wanted)) hasScript = true;
  }
  return { hasScript, containers: [...containers] };
}

/** Whether a program text (an inline loader, a tag manager's container) loads our script. */
export function loadsScript(code: string, wanted: WantedScript): boolean {
  const plain = code.replaceAll('\\/', '/').replaceAll('\\u002F', '/').replaceAll('\\x2f', '/');
  const addresses = [...plain.matchAll(/(?:https?:)?\/\/([a-z0-9.:[\]-]+)\/(?:[\w./-]*\/)?(?:pixel|gr-pix)\.js/gi)];
  return addresses.some(([, host]) => wanted.hosts.includes((host ?? '').toLowerCase()) || plain.includes(wanted.pixelId));
}

/** On our own host by name; on another one (a proxy of the advertiser's) only when the page names this pixel. */
function isOurs(src: string, pageUrl: string, wanted: WantedScript, namesPixel: boolean): boolean {
  const address = src.replaceAll('&amp;', '&').trim();
  if (!URL.canParse(address, pageUrl)) return false;
  const url = new URL(address, pageUrl);
  return scriptName.test(url.pathname) && (wanted.hosts.includes(url.host) || namesPixel);
}

function attribute(attributes: string, name: string): string | null {
  const found = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i').exec(attributes);
  return found?.[1] ?? found?.[2] ?? found?.[3] ?? null;
}
