/** The address people know a page by. */
export function hostOf(url: string): string {
  try {
    return new URL(/^https?:/.test(url) ? url : `https://${url}`).hostname.replace(/^www\./, '');
  } catch {
    return 'your-site.example';
  }
}

/** What was typed as an address, as one: people leave out how it begins. */
export function asAddress(typed: string): string {
  const text = typed.trim();
  return text.includes('.') && !text.includes('://') ? `https://${text}` : text;
}
