import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { call } from '../core/api.js';
import { useApp } from '../core/boot.js';
import { Link, navigate, useLocation } from '../core/router.js';
import type { Palette } from './palette.js';
import { applyTheme, chosenTheme, type Theme } from '../core/theme.js';

const menus: Record<string, readonly (readonly [path: string, title: string])[]> = {
  advertiser: [
    ['/app/advertiser', 'Overview'],
    ['/app/advertiser/campaigns', 'Campaigns'],
    ['/app/advertiser/reports', 'Reports'],
    ['/app/advertiser/conversions', 'Conversions'],
    ['/app/advertiser/pixel', 'Pixel'],
    ['/app/advertiser/server-side', 'Server-side events'],
    ['/app/advertiser/storefronts', 'Storefronts'],
    ['/app/advertiser/leads', 'Leads'],
    ['/app/advertiser/ad-units', 'Ad units'],
    ['/app/advertiser/alerts', 'Alerts'],
    ['/app/advertiser/exports', 'Raw events'],
    ['/app/advertiser/privacy', 'Privacy requests'],
    ['/app/advertiser/billing', 'Billing'],
    ['/app/keys', 'API keys'],
    ['/app/team', 'Team'],
    ['/app/security', 'Your sign-in'],
    ['/app/assistants', 'Assistants (MCP)'],
  ],
  publisher: [
    ['/app/publisher', 'Revenue'],
    ['/app/publisher/reports', 'Reports'],
    ['/app/publisher/earnings', 'Earnings'],
    ['/app/publisher/audience', 'Audience'],
    ['/app/publisher/users', 'Users'],
    ['/app/publisher/controls', 'Ad controls'],
    ['/app/publisher/feedback', 'Feedback'],
    ['/app/publisher/alerts', 'Alerts'],
    ['/app/publisher/exports', 'Raw events'],
    ['/app/publisher/privacy', 'Privacy requests'],
    ['/app/publisher/integrate', 'Integrate'],
    ['/app/keys', 'API keys'],
    ['/app/team', 'Team'],
    ['/app/security', 'Your sign-in'],
    ['/app/assistants', 'Assistants (MCP)'],
  ],
  operator: [
    ['/app/operator', 'Review queue'],
    ['/app/operator/reports', 'Reports'],
    ['/app/operator/accounts', 'Accounts'],
    ['/app/operator/traffic', 'Invalid traffic'],
    ['/app/operator/reading', 'Reading'],
    ['/app/operator/billing', 'Billing'],
    ['/app/operator/catalogue', 'Catalogue'],
    ['/app/operator/decisions', 'Decision explainer'],
    ['/app/operator/health', 'Health'],
    ['/app/operator/people', 'People'],
    ['/app/operator/privacy', 'Privacy requests'],
    ['/app/operator/audit', 'Audit trail'],
    ['/app/operator/settings', 'Settings'],
    ['/app/security', 'Your sign-in'],
  ],
};

export function Shell({
  notice,
  children,
}: {
  notice?: ComponentChildren;
  children: ComponentChildren;
}): JSX.Element {
  const { session, reboot } = useApp();
  const { path } = useLocation();
  const [open, setOpen] = useState(false);
  useEffect(() => setOpen(false), [path]);
  const menu = session === null ? [] : (menus[session.role] ?? []);
  const signOut = async (): Promise<void> => {
    await call('/session', { method: 'DELETE' }).catch(() => undefined);
    await reboot();
    navigate('/');
  };
  return (
    <div class={menu.length > 0 ? 'shell with-menu' : 'shell'}>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <header class="top">
        {menu.length > 0 && (
          <button
            type="button"
            class="menu-button"
            aria-expanded={open}
            aria-controls="menu"
            onClick={() => setOpen(!open)}
          >
            <span aria-hidden="true">☰</span>
            <span class="hidden">Menu</span>
          </button>
        )}
        <Link to="/" class="brand">
          <img src="/assets/icon.svg" alt="" width="24" height="24" /> Sidelight
        </Link>
        <nav aria-label="Main" class="top-links">
          <Link to="/app/playground" current={path === '/app/playground'}>
            Playground
          </Link>
          <a href="/docs">Docs</a>
          {session !== null && <PaletteButton menu={menu} />}
          <ThemeButton />
          {session === null ? (
            <Link to="/app/sign-in" class="button primary small">
              Sign in
            </Link>
          ) : (
            <>
              <span class="who" title={session.email}>
                {session.account_name ?? session.email}
              </span>
              <button type="button" class="button small" onClick={() => void signOut()}>
                Sign out
              </button>
            </>
          )}
        </nav>
      </header>
      {menu.length > 0 && (
        <nav id="menu" class={open ? 'menu open' : 'menu'} aria-label={session?.role ?? 'Account'}>
          <ul>
            {menu.map(([to, title]) => (
              <li key={to}>
                <Link
                  to={to}
                  current={path === to || (to.split('/').length > 3 && path.startsWith(`${to}/`))}
                  onGo={() => setOpen(false)}
                >
                  {title}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      )}
      <main id="main" tabIndex={-1}>
        {notice}
        {children}
      </main>
    </div>
  );
}

/** ⌘K or Ctrl+K, or the button; what it needs is loaded when it is first opened. */
function PaletteButton({
  menu,
}: {
  menu: readonly (readonly [path: string, title: string])[];
}): JSX.Element {
  const [View, setView] = useState<{ Palette: typeof Palette } | null>(null);
  const open = (): void => void import('./palette.js').then(setView, () => undefined);
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      open();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
  return (
    <>
      <button
        type="button"
        class="button small go-to"
        aria-keyshortcuts="Meta+K Control+K"
        onClick={open}
      >
        Go to…
      </button>
      {View !== null && (
        <View.Palette
          pages={menu.map(([to, title]) => ({ title, kind: 'Page', to }))}
          onClose={() => setView(null)}
        />
      )}
    </>
  );
}

const themes: readonly (readonly [Theme, string, string])[] = [
  ['system', '◐', 'as the system has it'],
  ['light', '☀', 'light'],
  ['dark', '☾', 'dark'],
];

/** Goes round: as the system has it, light, dark. */
function ThemeButton(): JSX.Element {
  const [theme, setTheme] = useState(chosenTheme);
  const at = themes.findIndex(([name]) => name === theme);
  const [, sign = '', name = ''] = themes[at] ?? [];
  return (
    <button
      type="button"
      class="button small"
      aria-label={`Theme: ${name}`}
      title={`Theme: ${name}`}
      onClick={() => {
        const next = themes[(at + 1) % themes.length]?.[0] ?? 'system';
        applyTheme(next);
        setTheme(next);
      }}
    >
      <span aria-hidden="true">{sign}</span>
    </button>
  );
}
