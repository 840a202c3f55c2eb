/** The address people know a page by. */
export function hostOf(url: string): string {
  try {
    return new URL(/^https?:/.test(url) ? url : `https://${url}`).hostname.replace(/^www\./, '');
  } catch {
    return 'your-site.example';
  }
}
