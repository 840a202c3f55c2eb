/** The same call against the public API, the way a developer would make it. */
export function curl(url: string, body: unknown, header: string): string {
  const json = JSON.stringify(body, null, 2).replaceAll("'", String.raw`'\''`);
  return `curl -s ${url} \\\n  -H "${header}" \\\n  -H "Content-Type: application/json" \\\n  -d '${json}'`;
}

export const bearer = 'Authorization: Bearer $SIDELIGHT_API_KEY';
export const apiKey = 'X-API-Key: $SIDELIGHT_API_KEY';
