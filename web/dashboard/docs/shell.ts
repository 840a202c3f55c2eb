import { language, t } from '../core/language.js';
import { applyTheme, chosenTheme, type Theme } from '../core/theme.js';

const themes: readonly Theme[] = ['system', 'light', 'dark'];
const signs: Record<Theme, string> = { system: '◐', light: '☀', dark: '☾' };

/** The header's own doings: the menu on a phone, the theme, and who is signed in. */
export function addShell(): void {
  applyTheme(chosenTheme());
  const menu = document.querySelector('#menu');
  const opener = document.querySelector<HTMLButtonElement>('.menu-button');
  opener?.addEventListener('click', () => {
    const isOpen = menu?.classList.toggle('open') === true;
    opener.setAttribute('aria-expanded', String(isOpen));
  });
  translateHeader();
  addThemeButton();
  openWanted();
  addEventListener('hashchange', openWanted);
  void fetch('/dashboard/boot', { headers: { accept: 'application/json' } })
    .then(async (answer) => {
      // The server's own schema of this path.
      const { session } = (await answer.json()) as { session: { role: string } | null };
      const link = document.querySelector<HTMLAnchorElement>('#account');
      if (link !== null && session !== null) link.textContent = t('Your dashboard');
    })
    .catch(() => undefined);
}

/** The guides are English; what stands around them speaks as the other pages do. */
function translateHeader(): void {
  const header = document.querySelector<HTMLElement>('header.top');
  if (header === null) return;
  header.lang = language;
  const say = (where: string, text: string): void => {
    const place = header.querySelector(where);
    if (place !== null) place.textContent = text;
  };
  say('a[href="/app/playground"]', t('Playground'));
  say('a[href="/docs"]', t('Docs'));
  say('#account', t('Sign in'));
  say('.menu-button .hidden', t('Menu'));
}

function addThemeButton(): void {
  const button = document.querySelector<HTMLButtonElement>('#theme');
  if (button === null) return;
  const names: Record<Theme, string> = {
    system: t('same as system'),
    light: t('light'),
    dark: t('dark'),
  };
  const show = (): void => {
    const theme = chosenTheme();
    button.textContent = signs[theme];
    button.setAttribute('aria-label', t('Theme: {name}', { name: names[theme] }));
  };
  button.addEventListener('click', () => {
    applyTheme(themes[(themes.indexOf(chosenTheme()) + 1) % themes.length] ?? 'system');
    show();
  });
  button.hidden = false;
  show();
}

/** A link to a route opens it. */
function openWanted(): void {
  const wanted = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (wanted instanceof HTMLDetailsElement) {
    wanted.open = true;
    wanted.scrollIntoView();
  }
}
