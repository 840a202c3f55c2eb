import assert from 'node:assert/strict';
import type { ToolAnswer } from '../../src/surfaces/tool-search/schema.js';
import { buildTestApp, type TestApp } from './test-app.js';
import { testEngines } from './test-database.js';

export interface AskedTools {
  app: TestApp;
  ask(query: string, context?: Record<string, string>): Promise<ToolAnswer>;
}

/** What agents say they work with. */
export const stacks: Record<string, string>[] = [
  { framework: 'nextjs', language: 'typescript' },
  { framework: 'django', language: 'python' },
  { language: 'go' },
  { language: 'swift' },
];

/** A server that searches tools by meaning, with its models loaded, asked through its route. */
export async function openAskedTools(): Promise<AskedTools> {
  const [engine] = testEngines();
  assert.ok(engine !== undefined);
  const app = await buildTestApp(await engine.open(), { environment: { MATCHING: 'semantic' } });
  const { apiKey } = await app.newPublisher();
  await app.toolSearch.settled();
  assert.equal(app.toolSearch.mode, 'semantic');
  return {
    app,
    async ask(query, context = {}) {
      const answer = await app.http.inject({
        method: 'POST',
        url: '/search',
        headers: { 'x-api-key': apiKey },
        payload: { query, context },
      });
      assert.equal(answer.statusCode, 200, answer.body);
      return answer.json();
    },
  };
}
