import { renderAd, reserveSpace } from '/sidelight.js';

const sessionId = crypto.randomUUID?.() ?? String(Math.random()).slice(2);
const messages = [];
const conversation = document.querySelector('#conversation');

function paragraph(text) {
  const element = document.createElement('p');
  element.textContent = text;
  conversation.append(element);
  return element;
}

async function* lines(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const parts = (rest + value).split('\n');
    rest = parts.pop();
    for (const part of parts) yield JSON.parse(part);
  }
}

document.querySelector('#ask').addEventListener('submit', async (event) => {
  event.preventDefault();
  const input = document.querySelector('#question');
  messages.push({ role: 'user', content: input.value });
  paragraph(input.value);
  input.value = '';
  const answer = paragraph('');
  const slot = document.createElement('div');
  conversation.append(slot);
  reserveSpace(slot);
  const response = await fetch('/chat', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ messages, sessionId }),
  });
  let shown = false;
  for await (const { text, ad } of lines(response)) {
    if (text) answer.textContent += text;
    if (ad) {
      shown = true;
      renderAd(slot, ad, { sessionId, feedback: '/api/sidelight', lead: '/api/sidelight' });
    }
  }
  messages.push({ role: 'assistant', content: answer.textContent });
  if (!shown) slot.remove();
});
