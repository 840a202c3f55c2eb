import { type ComponentChildren, Fragment, type JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { call } from '../../core/api.js';
import { useApp, type Session } from '../../core/boot.js';
import { t } from '../../core/language.js';
import { words } from '../../core/format.js';
import { Link, navigate, useLocation } from '../../core/router.js';
import { Icon } from './icon.js';
import { menuIcon } from './menu-icons.js';
import type { Palette } from './palette.js';
import { applyTheme, chosenTheme, type Theme } from '../../core/theme.js';

type Entry = readonly [path: string, title: string];
/** Pages that belong together, under a word for them; those opened most often come first, without. */
type Group = readonly [title: string, pages: readonly Entry[]];

const menus: Record<string, readonly Group[]> = {
  advertiser: [
    [
      '',
      [
        ['/app/advertiser', t('Overview')],
        ['/app/advertiser/reports', t('Reports')],
        ['/app/advertiser/live', t('Live')],
      ],
    ],
    [
      t('Ads'),
      [
        ['/app/advertiser/campaigns', t('Campaigns')],
        ['/app/advertiser/ad-groups', t('Ad groups and ads')],
        ['/app/advertiser/ad-units', t('Ad units')],
        ['/app/advertiser/experiments', t('Experiments')],
      ],
    ],
    [
      t('Measuring'),
      [
        ['/app/advertiser/conversions', t('Conversions')],
        ['/app/advertiser/pixel', t('Pixel')],
        ['/app/advertiser/server-side', t('Server-side events')],
        ['/app/advertiser/storefronts', t('Storefronts')],
        ['/app/advertiser/leads', t('Leads')],
      ],
    ],
    [
      t('Account'),
      [
        ['/app/advertiser/billing', t('Billing')],
        ['/app/advertiser/alerts', t('Alerts')],
        ['/app/advertiser/exports', t('Raw events')],
        ['/app/advertiser/privacy', t('Privacy requests')],
        ['/app/keys', t('API keys')],
        ['/app/assistants', t('Assistants (MCP)')],
        ['/app/team', t('Team')],
        ['/app/security', t('Your sign-in')],
      ],
    ],
  ],
  publisher: [
    [
      '',
      [
        ['/app/publisher', t('Revenue')],
        ['/app/publisher/reports', t('Reports')],
        ['/app/publisher/live', t('Live')],
      ],
    ],
    [
      t('Your assistant'),
      [
        ['/app/publisher/integrate', t('Integrate')],
        ['/app/publisher/controls', t('Ad controls')],
        ['/app/publisher/audience', t('Audience')],
        ['/app/publisher/users', t('Users')],
        ['/app/publisher/feedback', t('Feedback')],
      ],
    ],
    [
      t('Account'),
      [
        ['/app/publisher/earnings', t('Earnings and payouts')],
        ['/app/publisher/alerts', t('Alerts')],
        ['/app/publisher/exports', t('Raw events')],
        ['/app/publisher/privacy', t('Privacy requests')],
        ['/app/keys', t('API keys')],
        ['/app/assistants', t('Assistants (MCP)')],
        ['/app/team', t('Team')],
        ['/app/security', t('Your sign-in')],
      ],
    ],
  ],
  operator: [
    [
      '',
      [
        ['/app/operator', t('Review queue')],
        ['/app/operator/overview', t('Network overview')],
        ['/app/operator/reports', t('Reports')],
        ['/app/operator/live', t('Live')],
      ],
    ],
    [
      t('Money'),
      [
        ['/app/operator/billing', t('Billing')],
        ['/app/operator/payouts', t('Payouts')],
        ['/app/operator/traffic', t('Invalid traffic')],
      ],
    ],
    [
      t('Matching'),
      [
        ['/app/operator/reading', t('Reading')],
        ['/app/operator/decisions', t('Decision explainer')],
        ['/app/operator/catalog', t('Catalog')],
      ],
    ],
    [
      t('Accounts and access'),
      [
        ['/app/operator/accounts', t('Accounts')],
        ['/app/operator/people', t('People')],
        ['/app/operator/privacy', t('Privacy requests')],
        ['/app/operator/audit', t('Audit trail')],
        ['/app/security', t('Your sign-in')],
      ],
    ],
    [
      t('Server'),
      [
        ['/app/operator/health', t('Health')],
        ['/app/operator/settings', t('Settings')],
      ],
    ],
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
        {t('Skip to content')}
      </a>
      <TopBar
        menu={menu}
        open={open}
        setOpen={setOpen}
        path={path}
        session={session}
        signOut={signOut}
      />
      {menu.length > 0 && (
        <Menu open={open} session={session} menu={menu} path={path} setOpen={setOpen} />
      )}
      <main id="main" tabIndex={-1}>
        {notice}
        {children}
      </main>
    </div>
  );
}

function TopBar({
  menu,
  open,
  setOpen,
  path,
  session,
  signOut,
}: {
  menu: readonly Group[];
  open: boolean;
  setOpen: (value: boolean) => void;
  path: string;
  session: Session | null;
  signOut: () => Promise<void>;
}): JSX.Element {
  const { playground } = useApp();
  return (
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
          <span class="hidden">{t('Menu')}</span>
        </button>
      )}
      <Link to="/" class="brand">
        <img src="/assets/icon.svg" alt="" width="24" height="24" /> Sidelight
      </Link>
      <nav aria-label={t('Main')} class="top-links">
        {playground.available && (
          <Link to="/app/playground" current={path === '/app/playground'}>
            {t('Playground')}
          </Link>
        )}
        <a href="/docs">{t('Docs')}</a>
        {session !== null && <PaletteButton menu={menu} />}
        <ThemeButton />
        {session === null ? (
          <Link to="/app/sign-in" class="button primary small">
            {t('Sign in')}
          </Link>
        ) : (
          <>
            <span class="who" title={session.email}>
              {session.account_name ?? session.email}
            </span>
            <button type="button" class="button small" onClick={() => void signOut()}>
              {t('Sign out')}
            </button>
          </>
        )}
      </nav>
    </header>
  );
}

function Menu({
  open,
  session,
  menu,
  path,
  setOpen,
}: {
  open: boolean;
  session: Session | null;
  menu: readonly Group[];
  path: string;
  setOpen: (value: boolean) => void;
}): JSX.Element {
  const { playground } = useApp();
  return (
    <nav
      id="menu"
      class={open ? 'menu open' : 'menu'}
      aria-label={session === null ? t('Account') : words(session.role)}
    >
      <div class="menu-body">
        {menu.map(([title, pages]) => (
          <Fragment key={title}>
            {title !== '' && <p class="menu-title">{title}</p>}
            <ul>
              {pages.map(([to, name]) => (
                <li key={to}>
                  <Link
                    to={to}
                    current={path === to || (to.split('/').length > 3 && path.startsWith(`${to}/`))}
                    onGo={() => setOpen(false)}
                  >
                    <Icon name={menuIcon(to)} /> {name}
                  </Link>
                </li>
              ))}
            </ul>
          </Fragment>
        ))}
        <ul class="on-phone">
          {playground.available && (
            <li>
              <Link to="/app/playground" onGo={() => setOpen(false)}>
                <Icon name="play" /> {t('Playground')}
              </Link>
            </li>
          )}
          <li>
            <a href="/docs">
              <Icon name="page" /> {t('Docs')}
            </a>
          </li>
        </ul>
      </div>
    </nav>
  );
}

/** ⌘K or Ctrl+K, or the button; what it needs is loaded when it is first opened. */
function PaletteButton({ menu }: { menu: readonly Group[] }): JSX.Element {
  const [View, setView] = useState<{ Palette: typeof Palette } | null>(null);
  // What is typed before it is there; null once it takes the keys itself.
  const early = useRef<string | null>(null);
  const close = (): void => setView(null);
  const open = (): void => {
    if (early.current !== null || View !== null) return;
    early.current = '';
    import('./palette.js').then(setView, () => (early.current = null));
  };
  // With the button, not after it is painted: who sees it may already press the keys.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (early.current !== null && isLetter(event)) {
        early.current += event.key;
        return event.preventDefault();
      }
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      if (View === null) open();
      else close();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [View]);
  return (
    <>
      <button
        type="button"
        class="button small go-to"
        aria-keyshortcuts="Meta+K Control+K"
        onClick={open}
      >
        <Icon name="search" />
        <span class="go-to-name">{t('Go to…')}</span>
      </button>
      {View !== null && (
        <View.Palette
          pages={menu.flatMap(([, pages]) =>
            pages.map(([to, title]) => ({ title, kind: t('Page'), to })),
          )}
          takeTyped={() => {
            const typed = early.current ?? '';
            early.current = null;
            return typed;
          }}
          onClose={close}
        />
      )}
    </>
  );
}

const isLetter = ({ key, metaKey, ctrlKey, altKey }: KeyboardEvent): boolean =>
  key.length === 1 && !metaKey && !ctrlKey && !altKey;

const themes: readonly (readonly [Theme, string, string])[] = [
  ['system', '◐', t('same as system')],
  ['light', '☀', t('light')],
  ['dark', '☾', t('dark')],
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
      aria-label={t('Theme: {name}', { name })}
      title={t('Theme: {name}', { name })}
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
