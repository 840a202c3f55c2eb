import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ApiError, call } from '../../core/api.js';
import { rich, t } from '../../core/language.js';
import { Link } from '../../core/router.js';
import { TextField } from '../../ui/forms/fields.js';
import { Card, Page } from '../../ui/parts.js';
import { Problem } from '../../ui/states.js';

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
      setProblem(error instanceof ApiError ? error.message : t('That did not work.'));
      setState('asking');
    }
  };
  return (
    <div class="sign-in">
      <Page title={t('Forgot your password?')}>
        <Card>
          {state === 'sent' ? (
            <div role="status">
              <p>
                {rich(
                  'If {email} has an account, a link to choose a new password is on its way. It works for an hour.',
                  { email: <strong>{email}</strong> },
                )}
              </p>
              <p class="hint">
                {t('If no mail server is set up here, the operator has the link.')}
              </p>
            </div>
          ) : (
            <form class="form" onSubmit={(event) => void submit(event)}>
              {problem !== null && <Problem message={problem} />}
              <TextField
                label={t('E-mail')}
                type="email"
                value={email}
                onInput={setEmail}
                required
                autoComplete="username"
              />
              <button class="button primary" disabled={state === 'busy'}>
                {state === 'busy' ? t('Sending…') : t('Send me a link')}
              </button>
              <p class="hint">
                <Link to="/app/sign-in">{t('Back to signing in')}</Link>
              </p>
            </form>
          )}
        </Card>
      </Page>
    </div>
  );
}
