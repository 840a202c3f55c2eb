import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'node:test';
import type { DemoAccounts } from '../../src/cli/seed-demo.js';

/** What `npm start` runs, where packages have lost the files beside their code. */
const main = fileURLToPath(new URL('../../server/main.js', import.meta.url));

describe('the built server', () => {
  it('sends an invoice as a PDF document', { timeout: 1_200_000 }, async () => {
    const DATA_DIR = mkdtempSync(join(tmpdir(), 'sidelight-built-'));
    const child = spawn(process.execPath, [main, 'serve'], {
      env: {
        HOST: '127.0.0.1',
        PORT: '0',
        DEMO: '1',
        MATCHING: 'fast',
        LOG_LEVEL: 'silent',
        PATH: process.env['PATH'],
        DATA_DIR,
      },
    });
    try {
      const base = await new Promise<string>((resolve, reject) => {
        let out = '';
        child.stdout.on('data', (part: Buffer) => {
          out += part.toString();
          const address = /ready at (\S+)/.exec(out)?.[1];
          if (address !== undefined) resolve(address);
        });
        child.once('exit', (code) => reject(new Error(`ended with ${code}`)));
      });
      // Written by the server just now.
      const demo = JSON.parse(readFileSync(join(DATA_DIR, 'demo.json'), 'utf8')) as DemoAccounts;
      const session = await fetch(`${base}/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: demo.operator.email, password: demo.operator.password }),
      });
      const { csrf_token: token } = (await session.json()) as { csrf_token: string };
      const run = await fetch(`${base}/operator/billing/run`, {
        method: 'POST',
        headers: {
          cookie: session.headers.get('set-cookie')?.split(';')[0] ?? '',
          'x-csrf-token': token,
        },
      });
      const { invoices } = (await run.json()) as { invoices: { id: string }[] };
      assert.ok(invoices[0] !== undefined, 'the demo has spend to bill');
      const pdf = await fetch(`${base}/advertiser-dashboard/invoices/${invoices[0].id}.pdf`, {
        headers: { 'x-api-key': demo.advertiser.api_key },
      });
      assert.equal(pdf.status, 200);
      assert.equal(pdf.headers.get('content-type'), 'application/pdf');
      const document = Buffer.from(await pdf.arrayBuffer());
      assert.equal(document.subarray(0, 5).toString(), '%PDF-');
      assert.ok(document.includes('Helvetica-Bold'));
    } finally {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
      rmSync(DATA_DIR, { recursive: true, force: true });
    }
  });
});
