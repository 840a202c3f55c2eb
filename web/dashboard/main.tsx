import { type ComponentType, type JSX, render } from 'preact';
import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import type { Boot } from '../../src/surfaces/dashboards/schema.js';
import { ApiError, call, sessionEnded, useCsrfToken, whenSignedOut } from './core/api.js';
import { AppContext, type AppState } from './core/boot.js';
import { loadTexts, type Part, t } from './core/language.js';
import { Link, navigate, useLocation } from './core/router.js';
import { applyTheme, chosenTheme } from './core/theme.js';
import { LandingPage } from './pages/landing.js';
import { SignInPage } from './pages/account/sign-in.js';
import { ApprovalNotice } from './publisher/approval.js';
import { NotLoaded } from './ui/later.js';
import { Page } from './ui/parts.js';
import { Shell } from './ui/shell/shell.js';
import { Loading, Problem } from './ui/states.js';

type Section = ComponentType<{ path: string; search: URLSearchParams }>;

/** Each role is a part of its own, loaded when it is first opened. */
const sections: readonly {
  start: string;
  role: string | null;
  texts?: readonly Part[];
  load: () => Promise<Section>;
}[] = [
  {
    start: '/app/playground',
    role: null,
    texts: ['playground'],
    load: async () => (await import('./playground/playground.js')).PlaygroundPage,
  },
  {
    start: '/app/advertiser',
    role: 'advertiser',
    texts: ['advertiser', 'reports'],
    load: async () => (await import('./advertiser/advertiser.js')).AdvertiserSection,
  },
  {
    start: '/app/publisher',
    role: 'publisher',
    texts: ['publisher', 'reports'],
    load: async () => (await import('./publisher/publisher.js')).PublisherSection,
  },
  {
    start: '/app/operator',
    role: 'operator',
    texts: ['operator', 'reports', 'playground'],
    load: async () => (await import('./operator/operator.js')).OperatorSection,
  },
  {
    start: '/app/keys',
    role: 'any',
    texts: ['reports'],
    load: async () => (await import('./pages/account/keys.js')).KeysPage,
  },
  {
    start: '/app/security',
    role: 'any',
    load: async () => (await import('./pages/account/security.js')).SecurityPage,
  },
  {
    start: '/app/team',
    role: 'any',
    load: async () => (await import('./pages/account/team.js')).TeamPage,
  },
  {
    start: '/app/sign-up',
    role: null,
    load: async () => (await import('./pages/account/sign-up.js')).SignUpPage,
  },
  {
    start: '/app/forgot',
    role: null,
    load: async () => (await import('./pages/account/forgot.js')).ForgotPage,
  },
  {
    start: '/app/link',
    role: null,
    load: async () => (await import('./pages/account/link.js')).LinkPage,
  },
  {
    start: '/app/assistants',
    role: 'any',
    load: async () => (await import('./pages/assistants.js')).AssistantsPage,
  },
];

const sectionOf = (path: string): (typeof sections)[number] | undefined =>
  sections.find(({ start }) => path === start || path.startsWith(`${start}/`));

/** Its texts first: some are read while its script loads. */
const open = async (section: (typeof sections)[number]): Promise<Section> => {
  await loadTexts(...(section.texts ?? []));
  return section.load();
};

// Fetched while the server is asked who this is; should it fail, the page asks again and says so.
const first = sectionOf(location.pathname);
if (first !== undefined) void open(first).catch(() => undefined);

function useZone(): [string, (zone: string) => void] {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';
  const [zone, setZone] = useState(() => localStorage.getItem('zone') ?? own);
  return [
    zone,
    (next) => {
      localStorage.setItem('zone', next);
      setZone(next);
    },
  ];
}

function App(): JSX.Element {
  const [boot, setBoot] = useState<Boot | null>(null);
  const [failed, setFailed] = useState<string | null>(null);
  const [note, setNote] = useState<{ message: string; kind: 'good' | 'bad' } | null>(null);
  const [zone, setZone] = useZone();
  const reboot = useCallback(async () => {
    try {
      const next = await call<Boot>('/dashboard/boot');
      useCsrfToken(next.session?.csrf_token ?? '');
      setBoot(next);
      setFailed(null);
    } catch (error) {
      setFailed(error instanceof ApiError ? error.message : t('The page could not start.'));
    }
  }, []);
  useEffect(() => void reboot(), [reboot]);
  const say = useCallback(
    (message: string, kind: 'good' | 'bad' = 'good') => setNote({ message, kind }),
    [],
  );
  useEffect(() => {
    if (note === null) return;
    const timer = setTimeout(() => setNote(null), note.kind === 'bad' ? 8000 : 4000);
    return () => clearTimeout(timer);
  }, [note]);
  useSignedOut(setBoot, say);
  const state = useMemo<AppState | null>(
    () => (boot === null ? null : { ...boot, zone, setZone, reboot, say }),
    [boot, zone, reboot, say],
  );
  if (state === null)
    return failed === null ? (
      <Loading />
    ) : (
      <main id="main">
        <Problem message={failed} retry={() => void reboot()} />
      </main>
    );
  return (
    <AppContext.Provider value={state}>
      <Shell notice={<ApprovalNotice />}>
        <Routed state={state} />
      </Shell>
      <div class="notes" role="status" aria-live="polite">
        {note !== null && <div class={`note ${note.kind}`}>{note.message}</div>}
      </div>
    </AppContext.Provider>
  );
}

function useSignedOut(
  setBoot: (value: Boot | null) => void,
  say: (message: string, kind?: 'good' | 'bad') => void,
): void {
  // Asked once more who this is: a refusal may have another reason, such as a wrong password.
  useEffect(
    () =>
      whenSignedOut(() => {
        void call<Boot>('/dashboard/boot').then(
          (next) => {
            if (next.session !== null) return;
            useCsrfToken('');
            setBoot(next);
            say(sessionEnded, 'bad');
          },
          () => undefined,
        );
      }),
    [say],
  );
}

function Routed({ state }: { state: AppState }): JSX.Element {
  const { path, search } = useLocation();
  const { session } = state;
  if (path === '/') return <LandingPage />;
  if (path === '/app/sign-in') return <SignInPage next={search.get('next')} />;
  if (path === '/app' || path === '/app/')
    return <Redirect to={session === null ? '/app/sign-in' : `/app/${session.role}`} />;
  const section = sectionOf(path);
  if (section === undefined)
    return (
      <Page title={t('There is no such page.')}>
        <p>
          <Link to="/">{t('Go to the start')}</Link>
        </p>
      </Page>
    );
  if (section.role !== null && session === null)
    return (
      <Redirect
        to={`/app/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`}
      />
    );
  if (section.role !== null && section.role !== 'any' && session?.role !== section.role)
    return (
      <Page title={t('Your account has no access to this page.')}>
        <p>
          <Link to={`/app/${session?.role ?? 'sign-in'}`}>{t('Go to your dashboard')}</Link>
        </p>
      </Page>
    );
  return <SectionView key={section.start} section={section} path={path} search={search} />;
}

function Redirect({ to }: { to: string }): JSX.Element {
  useEffect(() => navigate(to, { replace: true }), [to]);
  return <Loading />;
}

function SectionView({
  section: wanted,
  path,
  search,
}: {
  section: (typeof sections)[number];
  path: string;
  search: URLSearchParams;
}): JSX.Element {
  const [section, setSection] = useState<{ View: Section } | null>(null);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    open(wanted).then(
      (View) => setSection({ View }),
      () => setFailed(true),
    );
  }, [wanted]);
  if (failed) return <NotLoaded />;
  return section === null ? <Loading /> : <section.View path={path} search={search} />;
}

applyTheme(chosenTheme());
const root = document.querySelector('#app');
if (root !== null) render(<App />, root);
