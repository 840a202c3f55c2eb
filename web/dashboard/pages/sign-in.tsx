import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ApiError, call } from '../core/api.js';
import { useApp, type Session } from '../core/boot.js';
import { Link, navigate } from '../core/router.js';
import { TextField } from '../ui/fields.js';
import { Card, Page } from '../ui/parts.js';
import { Problem } from '../ui/states.js';

export function SignInPage({ next }: { next: string | null }): JSX.Element {
  const { reboot, playground, sign_up } = useApp();
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
      else if (asksForCode) setProblem('That code is not right, or was used before.');
      else setProblem(error instanceof ApiError ? error.message : 'Signing in failed.');
      setBusy(false);
    }
  };
  return (
    <div class="sign-in">
      <Page title="Sign in">
        <Card>
          <form class="form" onSubmit={(event) => void submit(event)}>
            {problem !== null && <Problem message={problem} />}
            <TextField
              label="E-mail"
              type="email"
              value={email}
              onInput={setEmail}
              required
              autoComplete="username"
            />
            <TextField
              label="Password"
              type="password"
              value={password}
              onInput={setPassword}
              required
              autoComplete="current-password"
            />
            {code !== null && (
              <TextField
                label="Code"
                value={code}
                onInput={setCode}
                required
                autoFocus
                autoComplete="one-time-code"
                hint="Six digits from your authenticator app, or a recovery code."
              />
            )}
            <button class="button primary" disabled={busy}>
              {busy ? 'Signing in…' : 'Sign in'}
            </button>
            <p class="hint">
              <Link to="/app/forgot">Forgot your password?</Link>
              {sign_up === 'open' && (
                <>
                  {' '}
                  · <Link to="/app/sign-up">Open an account</Link>
                </>
              )}
            </p>
            {playground.available && (
              <p class="hint">
                Demo logins are printed when the server starts, and stand in demo.json of its data
                folder.
              </p>
            )}
          </form>
        </Card>
      </Page>
    </div>
  );
}
