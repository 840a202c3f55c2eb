/** Where a provider's library sends its calls; empty: where it would by itself. */
export function apiPlace(apiUrl: string): {
  protocol?: 'http' | 'https';
  host?: string;
  port?: string;
} {
  if (apiUrl === '') return {};
  const { protocol, hostname, port } = new URL(apiUrl);
  return {
    protocol: protocol === 'http:' ? 'http' : 'https',
    host: hostname,
    ...(port === '' ? {} : { port }),
  };
}
