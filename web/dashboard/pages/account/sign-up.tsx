import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ApiError, call } from '../../core/api.js';
import { useApp } from '../../core/boot.js';
import { rich, t } from '../../core/language.js';
import { Link } from '../../core/router.js';
import { Choice, TextField } from '../../ui/forms/fields.js';
import { Card, Page } from '../../ui/parts.js';
import { Problem } from '../../ui/states.js';

export function SignUpPage(): JSX.Element {
  const { sign_up } = useApp();
  const request = useSignUp();
  if (sign_up !== 'open') return <ClosedNote />;
  return (
    <div class="sign-in">
      <Page title={t('Open an account')}>
        <Card>
          {request.state === 'sent' ? (
            <SentNote request={request} />
          ) : (
            <SignUpForm request={request} />
          )}
        </Card>
      </Page>
    </div>
  );
}

function ClosedNote(): JSX.Element {
  return (
    <div class="sign-in">
      <Page title={t('Open an account')}>
        <Card>
          <p>
            {t(
              'Accounts are opened by invitation here. Ask whoever runs this server, then follow the link you get.',
            )}
          </p>
          <p class="hint">
            <Link to="/app/sign-in">{t('I have an account')}</Link>
          </p>
        </Card>
      </Page>
    </div>
  );
}

function SentNote({ request }: { request: SignUp }): JSX.Element {
  return (
    <div role="status">
      <p>
        {rich('A link to choose your password is on its way to {email}.', {
          email: <strong>{request.email}</strong>,
        })}
      </p>
      <p class="hint">
        {t(
          'Nothing there? Check your spam folder. If no mail server is set up here, the operator has the link.',
        )}
      </p>
    </div>
  );
}

function SignUpForm({ request }: { request: SignUp }): JSX.Element {
  return (
    <form class="form" onSubmit={(event) => void request.submit(event)}>
      {request.problem !== null && Object.keys(request.problem.fields).length === 0 && (
        <Problem message={request.problem.message} />
      )}
      <Choice
        label={t('I want to')}
        value={request.kind}
        onChange={request.setKind}
        options={[
          ['advertiser', t('show my ads in assistants')],
          ['publisher', t('earn with my assistant')],
        ]}
      />
      <TextField
        label={t('Company or product')}
        value={request.name}
        onInput={request.setName}
        required
        maxLength={200}
        autoComplete="organization"
        error={request.problem?.fields['name']}
      />
      <TextField
        label={t('E-mail')}
        type="email"
        value={request.email}
        onInput={request.setEmail}
        required
        autoComplete="email"
        error={request.problem?.fields['email']}
      />
      {request.kind === 'publisher' && (
        <TextField
          label={t('Address of the assistant')}
          type="url"
          value={request.url}
          onInput={request.setUrl}
          placeholder="https://"
          error={request.problem?.fields['url']}
        />
      )}
      <button class="button primary" disabled={request.state === 'busy'}>
        {request.state === 'busy' ? t('Sending…') : t('Send me a link')}
      </button>
      <p class="hint">
        <Link to="/app/sign-in">{t('I have an account')}</Link>
      </p>
    </form>
  );
}

interface SignUp {
  kind: string;
  setKind: (value: string) => void;
  name: string;
  setName: (value: string) => void;
  email: string;
  setEmail: (value: string) => void;
  url: string;
  setUrl: (value: string) => void;
  problem: ApiError | null;
  state: 'asking' | 'busy' | 'sent';
  submit: (event: Event) => Promise<void>;
}

function useSignUp(): SignUp {
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
  return { kind, setKind, name, setName, email, setEmail, url, setUrl, problem, state, submit };
}
