import { buildTestApp } from './test-app.js';
import { openEmbeddedTestDatabase } from './test-database.js';

/** The OpenAPI document as the server gives it. */
export async function openApiDocument(): Promise<unknown> {
  const app = await buildTestApp(await openEmbeddedTestDatabase());
  try {
    return (await app.http.inject({ url: '/openapi.json' })).json();
  } finally {
    await app.close();
  }
}
