import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ApiError, call } from '../core/api.js';
import { useApp } from '../core/boot.js';
import { rich, t } from '../core/language.js';
import { Link } from '../core/router.js';
import { Choice, TextField } from '../ui/fields.js';
import { Card, Page } from '../ui/parts.js';
import { Problem } from '../ui/states.js';

export function SignUpPage(): JSX.Element {
  const { sign_up } = useApp();
  const [kind, setKind] = useState('advertiser');
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [url, setUrl] = useState('');
  const [problem, setProblem] = useState<ApiError | null>(null);
  const [state, setState] = useState<'asking' | 'busy' | 'sent'>('asking');
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    setState('busy');
    setProblem(null);
    try {
      const body = { kind, name, email, ...(kind === 'publisher' ? { url } : {}) };
      await call('/sign-up', { method: 'POST', body });
      setState('sent');
    } catch (error) {
      setProblem(error instanceof ApiError ? error : new ApiError(0, t('That did not work.')));
      setState('asking');
    }
  };
  if (sign_up !== 'open')
    return (
      <div class="sign-in">
        <Page title={t('Open an account')}>
          <Card>
            <p>
              {t(
                'Accounts are opened by invitation here. Ask whoever runs this server, then follow the link you get.',
              )}
            </p>
          </Card>
        </Page>
      </div>
    );
  return (
    <div class="sign-in">
      <Page title={t('Open an account')}>
        <Card>
          {state === 'sent' ? (
            <div role="status">
              <p>
                {rich('We sent a link to {email}. Follow it to choose a password.', {
                  email: <strong>{email}</strong>,
                })}
              </p>
              <p class="hint">
                {t(
                  'Nothing there? Check your spam folder. If no mail server is set up here, the operator has the link.',
                )}
              </p>
            </div>
          ) : (
            <form class="form" onSubmit={(event) => void submit(event)}>
              {problem !== null && Object.keys(problem.fields).length === 0 && (
                <Problem message={problem.message} />
              )}
              <Choice
                label={t('I want to')}
                value={kind}
                onChange={setKind}
                options={[
                  ['advertiser', t('show my ads in assistants')],
                  ['publisher', t('earn with my assistant')],
                ]}
              />
              <TextField
                label={t('Company or product')}
                value={name}
                onInput={setName}
                required
                maxLength={200}
                autoComplete="organization"
                error={problem?.fields['name']}
              />
              <TextField
                label={t('E-mail')}
                type="email"
                value={email}
                onInput={setEmail}
                required
                autoComplete="email"
                error={problem?.fields['email']}
              />
              {kind === 'publisher' && (
                <TextField
                  label={t('Address of the assistant')}
                  type="url"
                  value={url}
                  onInput={setUrl}
                  placeholder="https://"
                  error={problem?.fields['url']}
                />
              )}
              <button class="button primary" disabled={state === 'busy'}>
                {state === 'busy' ? t('Sending…') : t('Send me a link')}
              </button>
              <p class="hint">
                <Link to="/app/sign-in">{t('I have an account')}</Link>
              </p>
            </form>
          )}
        </Card>
      </Page>
    </div>
  );
}
