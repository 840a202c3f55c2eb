/** Hosts of the made-up brands: a name nobody can register, so no real site is ever meant. */
const ending = '.demo.example';

export const demoLanding = (site: string): string => `https://${site}${ending}/`;

/** The same page where this server shows it; other addresses stay as they are. */
export function openDemoPage(url: string, base: string): string {
  if (!url.includes(ending)) return url;
  const { hostname, search } = new URL(url);
  if (!hostname.endsWith(ending)) return url;
  return `${base}/demo-sites/${hostname.slice(0, -ending.length)}${search}`;
}
