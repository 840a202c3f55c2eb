// A chat in a terminal: one question per line, an ad under the answer when one fits. Ends with the input.
import { createClient } from '@sidelight/sdk';
import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline/promises';
import { pathToFileURL } from 'node:url';
import { fakeModel } from '../fake-model.mjs';
import { readDemo } from '../read-demo.mjs';

/** Control characters in an ad could rewrite the screen. */
const plain = (text) => String(text).replace(/[\u0000-\u001f\u007f-\u009f]/g, ' ');

export async function chat({ baseUrl, apiKey, questions, write, wordDelayMs }) {
  const sidelight = createClient({ apiKey, baseUrl });
  const sessionId = randomUUID();
  const messages = [];
  for await (const question of questions) {
    if (question.trim() === '') continue;
    messages.push({ role: 'user', content: question });
    const pending = sidelight.startAds({
      messages,
      sessionId,
      device: { os: process.platform, device_type: 'desktop' },
    });
    let answer = '';
    for await (const word of fakeModel(question, { wordDelayMs })) {
      answer += word;
      write(word);
    }
    messages.push({ role: 'assistant', content: answer });
    write('\n');
    const [ad] = (await pending.result).ads;
    if (ad !== undefined) {
      write(
        `\n  Sponsored · ${plain(ad.brandName)}\n  ${plain(ad.title)}: ${plain(ad.adText)}\n  ${plain(ad.cta)}: ${plain(ad.clickUrl)}\n`,
      );
      // A terminal shows the whole ad at once: printed is seen. The agent string says what it is.
      await fetch(ad.impUrl, {
        headers: { 'user-agent': `Mozilla/5.0 (${process.platform}) TerminalChat/1.0` },
      }).catch(() => undefined);
    }
    write('\n');
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const input = createInterface({
    input: process.stdin,
    output: process.stdin.isTTY ? process.stdout : undefined,
    prompt: '> ',
  });
  input.prompt();
  input.on('line', () => setImmediate(() => input.prompt()));
  await chat({ ...readDemo(), questions: input, write: (text) => process.stdout.write(text) });
}
