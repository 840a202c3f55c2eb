import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { call } from '../core/api.js';
import { useApp } from '../core/boot.js';
import { Link, navigate, useLocation } from '../core/router.js';

const menus: Record<string, readonly (readonly [path: string, title: string])[]> = {
  advertiser: [
    ['/app/advertiser', 'Overview'],
    ['/app/advertiser/campaigns', 'Campaigns'],
    ['/app/advertiser/conversions', 'Conversions'],
    ['/app/advertiser/pixel', 'Pixel'],
    ['/app/advertiser/server-side', 'Server-side events'],
    ['/app/advertiser/storefronts', 'Storefronts'],
    ['/app/advertiser/leads', 'Leads'],
    ['/app/advertiser/ad-units', 'Ad units'],
    ['/app/advertiser/alerts', 'Alerts'],
    ['/app/advertiser/exports', 'Raw events'],
    ['/app/advertiser/billing', 'Billing'],
    ['/app/keys', 'API keys'],
    ['/app/team', 'Team'],
    ['/app/security', 'Your sign-in'],
    ['/app/assistants', 'Assistants (MCP)'],
  ],
  publisher: [
    ['/app/publisher', 'Revenue'],
    ['/app/publisher/earnings', 'Earnings'],
    ['/app/publisher/audience', 'Audience'],
    ['/app/publisher/users', 'Users'],
    ['/app/publisher/controls', 'Ad controls'],
    ['/app/publisher/feedback', 'Feedback'],
    ['/app/publisher/alerts', 'Alerts'],
    ['/app/publisher/exports', 'Raw events'],
    ['/app/publisher/integrate', 'Integrate'],
    ['/app/keys', 'API keys'],
    ['/app/team', 'Team'],
    ['/app/security', 'Your sign-in'],
    ['/app/assistants', 'Assistants (MCP)'],
  ],
  operator: [
    ['/app/operator', 'Review queue'],
    ['/app/operator/accounts', 'Accounts'],
    ['/app/operator/traffic', 'Invalid traffic'],
    ['/app/operator/reading', 'Reading'],
    ['/app/operator/billing', 'Billing'],
    ['/app/operator/catalogue', 'Catalogue'],
    ['/app/operator/decisions', 'Decision explainer'],
    ['/app/operator/health', 'Health'],
    ['/app/operator/people', 'People'],
    ['/app/operator/audit', 'Audit trail'],
    ['/app/security', 'Your sign-in'],
  ],
};

export function Shell({ children }: { children: ComponentChildren }): JSX.Element {
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
        {children}
      </main>
    </div>
  );
}
