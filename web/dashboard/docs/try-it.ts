import { t } from '../core/language.js';
import { addCopyButtons } from './copy-buttons.js';
import { element } from './element.js';

interface Trial {
  method: string;
  url: string;
  body?: unknown;
  /** Kinds of key the route takes. */
  keys: readonly string[];
}

interface Access {
  /** What was pasted; lives in this page and nowhere else. */
  key: string;
  /** Of somebody who is signed in here, to act by their session. */
  csrfToken: string | null;
}

/**
 * A form under every route that sends the request from this page to this server, with a key that is
 * pasted in or as the person who is signed in. The key is kept in memory until the page is left.
 */
export async function addTrials(): Promise<void> {
  const box = document.querySelector('#key-box');
  if (box === null) return;
  const access: Access = { key: '', csrfToken: await signedInToken() };
  const input = element('input', {
    type: 'password',
    id: 'try-key',
    autocomplete: 'off',
    spellcheck: 'false',
  });
  input.addEventListener('input', () => (access.key = input.value.trim()));
  box.append(
    element(
      'form',
      { class: 'try-form' },
      element('label', { for: 'try-key' }, t('Your API key, to try routes from this page'), input),
      element(
        'small',
        {},
        access.csrfToken === null
          ? t('Sent to this server only and forgotten when you leave the page.')
          : t(
              'Sent to this server only and forgotten when you leave the page. Without one, routes are tried as the account you are signed in with.',
            ),
      ),
    ),
  );
  box.querySelector('form')?.addEventListener('submit', (event) => event.preventDefault());
  for (const route of document.querySelectorAll<HTMLDetailsElement>('details.route')) {
    const add = (): void => {
      const place = route.querySelector<HTMLElement>('.try');
      if (!route.open || place === null || place.childElementCount > 0) return;
      // Written by the server beside the route.
      place.append(trialForm(JSON.parse(place.dataset['route'] ?? '{}') as Trial, access));
    };
    route.addEventListener('toggle', add);
    add();
  }
}

async function signedInToken(): Promise<string | null> {
  try {
    const answer = await fetch('/dashboard/boot', { headers: { accept: 'application/json' } });
    // The server's own schema of this path.
    const { session } = (await answer.json()) as { session: { csrf_token: string } | null };
    return session?.csrf_token ?? null;
  } catch {
    return null;
  }
}

function trialForm(trial: Trial, access: Access): HTMLElement {
  const url = element('input', { value: trial.url, spellcheck: 'false' });
  const body = element('textarea', { rows: '8', spellcheck: 'false' });
  body.value = trial.body === undefined ? '' : JSON.stringify(trial.body, null, 2);
  const out = element('div', { role: 'status' });
  const button = element('button', { class: 'button primary' }, t('Send request'));
  const form = element(
    'form',
    { class: 'try-form' },
    element('label', {}, t('Address'), url),
    ...(trial.body === undefined ? [] : [element('label', {}, t('Body'), body)]),
    element('div', {}, button),
    out,
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    button.disabled = true;
    void send(trial, { url: url.value, body: body.value }, access)
      .then(
        (said) => {
          out.replaceChildren(
            element('p', {}, element('b', {}, said.status)),
            element('pre', { tabindex: '0' }, element('code', {}, said.text)),
          );
          addCopyButtons(out);
        },
        () => out.replaceChildren(element('p', { class: 'problem-text' }, t('That did not work.'))),
      )
      .finally(() => (button.disabled = false));
  });
  return form;
}

async function send(
  trial: Trial,
  asked: { url: string; body: string },
  access: Access,
): Promise<{ status: string; text: string }> {
  const target = new URL(asked.url, location.origin);
  if (target.origin !== location.origin)
    return { status: t('Only this server can be asked from here.'), text: target.origin };
  const headers: Record<string, string> = { accept: 'application/json' };
  if (trial.body !== undefined) headers['content-type'] = 'application/json';
  if (access.key !== '') {
    if (trial.keys.includes('bearer')) headers['authorization'] = `Bearer ${access.key}`;
    else headers['x-api-key'] = access.key;
  } else if (access.csrfToken !== null) headers['x-csrf-token'] = access.csrfToken;
  const started = performance.now();
  const answer = await fetch(target, {
    method: trial.method,
    headers,
    // With a key of one's own, not as the person who is signed in.
    credentials: access.key === '' ? 'same-origin' : 'omit',
    redirect: 'manual',
    ...(trial.body === undefined ? {} : { body: asked.body }),
  });
  const text = await answer.text();
  const took = Math.round(performance.now() - started);
  return { status: `${answer.status} ${answer.statusText} · ${took} ms`, text: pretty(text) };
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
