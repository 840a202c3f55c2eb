import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ApiError, call } from '../core/api.js';
import { Link } from '../core/router.js';
import { TextField } from '../ui/fields.js';
import { Card, Page } from '../ui/parts.js';
import { Problem } from '../ui/states.js';

export function ForgotPage(): JSX.Element {
  const [email, setEmail] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [state, setState] = useState<'asking' | 'busy' | 'sent'>('asking');
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    setState('busy');
    setProblem(null);
    try {
      await call('/password-reset', { method: 'POST', body: { email } });
      setState('sent');
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : 'That did not work.');
      setState('asking');
    }
  };
  return (
    <div class="sign-in">
      <Page title="Forgot your password?">
        <Card>
          {state === 'sent' ? (
            <div role="status">
              <p>
                If <strong>{email}</strong> has an account, a link to choose a new password is on
                its way. It works for an hour.
              </p>
              <p class="hint">Where no mail is set up, the operator of this server has the link.</p>
            </div>
          ) : (
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
              <button class="button primary" disabled={state === 'busy'}>
                {state === 'busy' ? 'Sending…' : 'Send me a link'}
              </button>
              <p class="hint">
                <Link to="/app/sign-in">Back to signing in</Link>
              </p>
            </form>
          )}
        </Card>
      </Page>
    </div>
  );
}
