import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ApiError, call } from '../../core/api.js';
import { useApp, type Session } from '../../core/boot.js';
import { rich, t } from '../../core/language.js';
import { Link, navigate } from '../../core/router.js';
import { TextField } from '../../ui/forms/fields.js';
import { LanguageChoice } from '../../ui/forms/language-choice.js';
import { Card, Page } from '../../ui/parts.js';
import { Problem } from '../../ui/states.js';

export function SignInPage({ next }: { next: string | null }): JSX.Element {
  const { reboot, playground, sign_up, unclaimed } = useApp();
  const signIn = useSignIn(reboot, next);
  return (
    <div class="sign-in">
      <Page title={t('Sign in')}>
        {unclaimed && <Unclaimed />}
        <Card>
          <form class="form" onSubmit={(event) => void signIn.submit(event)}>
            {signIn.problem !== null && <Problem message={signIn.problem} />}
            <TextField
              label={t('E-mail')}
              type="email"
              value={signIn.email}
              onInput={signIn.setEmail}
              required
              autoComplete="username"
            />
            <TextField
              label={t('Password')}
              type="password"
              value={signIn.password}
              onInput={signIn.setPassword}
              required
              autoComplete="current-password"
            />
            {signIn.code !== null && (
              <TextField
                label={t('Code')}
                value={signIn.code}
                onInput={signIn.setCode}
                required
                autoFocus
                autoComplete="one-time-code"
                hint={t('Six digits from your authenticator app, or a recovery code.')}
              />
            )}
            <button class="button primary" disabled={signIn.busy}>
              {signIn.busy ? t('Signing in…') : t('Sign in')}
            </button>
            <SignInHints sign_up={sign_up} playground={playground} />
          </form>
        </Card>
        <div class="language">
          <LanguageChoice />
        </div>
      </Page>
    </div>
  );
}

/** Until it has an operator nobody can sign in for good: the one who started it can. */
function Unclaimed(): JSX.Element {
  return (
    <div class="notice wait" role="note">
      <p>
        {rich(
          '{noOperator} When it starts, its log shows a link that makes whoever opens it the operator. Or run {command} on its machine.',
          {
            noOperator: <b>{t('This server has no operator yet.')}</b>,
            command: <code>sidelight accounts create operator</code>,
          },
        )}
      </p>
    </div>
  );
}

function SignInHints({
  sign_up,
  playground,
}: {
  sign_up: 'open' | 'invitation' | 'off';
  playground: {
    available: boolean;
    is_demo: boolean;
    publisher_name: string | null;
    advertiser: boolean;
  };
}): JSX.Element {
  return (
    <>
      <p class="hint">
        <Link to="/app/forgot">{t('Forgot your password?')}</Link>
        {sign_up === 'open' && (
          <>
            {' '}
            · <Link to="/app/sign-up">{t('Open an account')}</Link>
          </>
        )}
      </p>
      {playground.available && (
        <p class="hint">
          {t(
            'Demo logins are printed when the server starts and saved in demo.json in its data folder.',
          )}
        </p>
      )}
    </>
  );
}

interface SignIn {
  email: string;
  setEmail: (value: string) => void;
  password: string;
  setPassword: (value: string) => void;
  code: string | null;
  setCode: (value: string | null) => void;
  problem: string | null;
  busy: boolean;
  submit: (event: Event) => Promise<void>;
}

function useSignIn(reboot: () => Promise<void>, next: string | null): SignIn {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  /** Null until the server asks for one. */
  const [code, setCode] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    try {
      const session = await call<Session>('/session', {
        method: 'POST',
        body: { email, password, ...(code === null ? {} : { code }) },
      });
      await reboot();
      // Only paths of this app: an address from outside must not send people elsewhere.
      navigate(
        next !== null && /^\/app\/[a-z0-9/-]*(\?[^#]*)?$/.test(next)
          ? next
          : `/app/${session.role}`,
      );
    } catch (error) {
      const asksForCode = error instanceof ApiError && error.code === 'second_factor_required';
      if (asksForCode && code === null) setCode('');
      else if (asksForCode) setProblem(t('That code is wrong or was already used.'));
      else setProblem(error instanceof ApiError ? error.message : t('Signing in failed.'));
      setBusy(false);
    }
  };
  return { email, setEmail, password, setPassword, code, setCode, problem, busy, submit };
}
