import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';

const SYSTEM_PATHS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/chromium-headless-shell',
];
const MISSING =
  'No Chromium found. Install one (Debian: apt-get install -y --no-install-recommends chromium) or set CHROMIUM_PATH.';

/**
 * Why browser tests cannot run here, or null when they can. The packaged browser is built for x64
 * only.
 */
export function browserMissing(): string | null {
  return systemChromium() !== null || process.arch === 'x64' ? null : MISSING;
}

/**
 * A headless Chromium: CHROMIUM_PATH, else the system's own, else the one packaged on npm. Close it
 * when done.
 */
export async function launchBrowser(): Promise<Browser> {
  const args = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'];
  const system = systemChromium();
  if (system !== null) return chromium.launch({ executablePath: system, args });
  if (process.arch !== 'x64') throw new Error(MISSING);
  return launchPackaged(args);
}

function systemChromium(): string | null {
  const named = process.env['CHROMIUM_PATH'];
  if (named !== undefined && named !== '') return named;
  return SYSTEM_PATHS.find((path) => existsSync(path)) ?? null;
}

async function launchPackaged(args: string[]): Promise<Browser> {
  // It unpacks beside whatever else uses the temporary folder, and its own shared libraries only
  // for a runtime name it knows.
  const folder = mkdtempSync(join(tmpdir(), 'sidelight-chromium-'));
  const before = process.env['TMPDIR'];
  process.env['TMPDIR'] = folder;
  process.env['AWS_LAMBDA_JS_RUNTIME'] ??= 'nodejs22.x';
  const packaged = (await import('@sparticuz/chromium')).default;
  const executablePath = await packaged.executablePath();
  // Its list of fonts names folders of its own runtime: without one of ours text has no height.
  writeFileSync(
    join(folder, 'fonts', 'fonts.conf'),
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><dir>${folder}/fonts</dir><dir>/usr/share/fonts</dir><cachedir>${folder}/font-cache</cachedir></fontconfig>`,
  );
  // Not with its own flags: in a single process the browser ends with its first window.
  const browser = await chromium.launch({ executablePath, args });
  if (before === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = before;
  browser.on('disconnected', () => rmSync(folder, { recursive: true, force: true }));
  return browser;
}
