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

/**
 * Looks for our script in the HTML of a page: by address, in an inline loader, or by way of a tag
 * manager.
 */
export function findScript(html: string, pageUrl: string, wanted: WantedScript): PageFindings {
  let hasScript = false;
  const containers = new Set<string>();
  const namesPixel = html.includes(wanted.pixelId);
  for (const { name, attributes, content } of elements(html)) {
    for (const id of `${attributes} ${content}`.matchAll(/\bGTM-[A-Z0-9]{4,12}\b/g))
      containers.add(id[0]);
    if (name !== 'script') continue;
    const src = attribute(attributes, 'src');
    if ((src !== null && isOurs(src, pageUrl, wanted, namesPixel)) || loadsScript(content, wanted))
      hasScript = true;
  }
  return { hasScript, containers: [...containers] };
}

/**
 * Scripts and frames of a page, outside comments. One pass: a hostile page must not cost more than
 * its length.
 */
function* elements(html: string): Generator<{ name: string; attributes: string; content: string }> {
  // Only ASCII letters: others may change length, and positions must stay the same.
  const lower = html.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  const after = (text: string, from: number): number => {
    const at = lower.indexOf(text, from);
    return at === -1 ? html.length : at;
  };
  for (let at = after('<', 0); at < html.length; at = after('<', at)) {
    if (lower.startsWith('<!--', at)) {
      at = after('-->', at + 4);
      continue;
    }
    const name = ['script', 'iframe'].find(
      (one) => lower.startsWith(one, at + 1) && /[\s/>]/.test(lower.charAt(at + 1 + one.length)),
    );
    if (name === undefined) {
      at += 1;
      continue;
    }
    const end = after('>', at);
    const close = name === 'script' ? after('</script', end) : end;
    yield {
      name,
      attributes: html.slice(at + 1 + name.length, end),
      content: html.slice(end + 1, close),
    };
    at = Math.max(close, at + 1);
  }
}

/** Whether a program text (an inline loader, a tag manager's container) loads our script. */
export function loadsScript(code: string, wanted: WantedScript): boolean {
  const plain = code.replaceAll('\\/', '/').replaceAll('\\u002F', '/').replaceAll('\\x2f', '/');
  const addresses = [
    ...plain.matchAll(
      /(?:https?:)?\/\/([a-z0-9.:[\]-]{1,255})\/(?:[\w./-]{0,200}\/)?(?:pixel|gr-pix)\.js/gi,
    ),
  ];
  return addresses.some(
    ([, host]) =>
      wanted.hosts.includes((host ?? '').toLowerCase()) || plain.includes(wanted.pixelId),
  );
}

/**
 * On our own host by name; on another one (a proxy of the advertiser's) only when the page names
 * this pixel.
 */
function isOurs(src: string, pageUrl: string, wanted: WantedScript, namesPixel: boolean): boolean {
  const address = src.replaceAll('&amp;', '&').trim();
  if (!URL.canParse(address, pageUrl)) return false;
  const url = new URL(address, pageUrl);
  return scriptName.test(url.pathname) && (wanted.hosts.includes(url.host) || namesPixel);
}

function attribute(attributes: string, name: string): string | null {
  const found = new RegExp(
    `(?:^|\\s)${name}\\s{0,9}=\\s{0,9}(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`,
    'i',
  ).exec(attributes);
  return found?.[1] ?? found?.[2] ?? found?.[3] ?? null;
}
