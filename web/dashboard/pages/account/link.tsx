import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ApiError, call } from '../../core/api.js';
import { useApp, type Session } from '../../core/boot.js';
import { named, rich, t } from '../../core/language.js';
import { Link, navigate } from '../../core/router.js';
import { TextField } from '../../ui/forms/fields.js';
import { Card, Page } from '../../ui/parts.js';
import { Loading, Problem } from '../../ui/states.js';

interface Opened {
  purpose: 'operator' | 'sign_up' | 'invitation' | 'reset';
  email: string;
  team_role: string | null;
  account_name: string | null;
}

const titles: Record<Opened['purpose'], string> = {
  operator: t('Become the operator'),
  sign_up: t('Open your account'),
  invitation: t('Join the team'),
  reset: t('Choose a new password'),
};

/** Where links from mails, invitations and the first start lead: choose a password, be in. */
export function LinkPage(): JSX.Element {
  const [token] = useState(() => location.hash.slice(1));
  const [link, setLink] = useState<Opened | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    call<Opened>('/links/open', { method: 'POST', body: { token } }).then(setLink, (error) =>
      setProblem(error instanceof ApiError && error.status !== 422 ? error.message : ended),
    );
  }, [token]);
  return (
    <div class="sign-in">
      <Page title={link === null ? t('Your link') : titles[link.purpose]}>
        <Card>
          {problem !== null ? (
            <>
              <Problem message={problem} />
              <p>
                <Link to="/app/forgot">{t('Ask for a new password')}</Link> ·{' '}
                <Link to="/app/sign-in">{t('Sign in')}</Link>
              </p>
            </>
          ) : link === null ? (
            <Loading />
          ) : (
            <ChoosePassword token={token} link={link} />
          )}
        </Card>
      </Page>
    </div>
  );
}

const ended = t('This link has expired or was already used. Ask for a new one.');

function ChoosePassword({ token, link }: { token: string; link: Opened }): JSX.Element {
  const choice = useChosenPassword(link, token);
  return (
    <form class="form" onSubmit={(event) => void choice.submit(event)}>
      {choice.problem !== null && Object.keys(choice.problem.fields).length === 0 && (
        <Problem message={choice.problem.message} />
      )}
      {link.account_name !== null && <JoinNote link={link} />}
      <TextField
        label={t('E-mail')}
        type="email"
        value={choice.email}
        onInput={choice.setEmail}
        readOnly={link.purpose !== 'operator'}
        required
        autoComplete="username"
        error={choice.problem?.fields['email']}
      />
      <TextField
        label={t('Password')}
        type="password"
        value={choice.password}
        onInput={choice.setPassword}
        required
        minLength={12}
        autoComplete="new-password"
        hint={t('At least 12 characters. A few words in a row are easy to remember.')}
        error={choice.problem?.fields['password']}
      />
      <TextField
        label={t('Password again')}
        type="password"
        value={choice.again}
        onInput={choice.setAgain}
        required
        autoComplete="new-password"
        error={choice.differs ? t('The two passwords do not match.') : undefined}
      />
      <button class="button primary" disabled={choice.busy || choice.differs}>
        {choice.busy ? t('One moment…') : t('Set password and sign in')}
      </button>
    </form>
  );
}

function JoinNote({ link }: { link: Opened }): JSX.Element {
  return (
    <p>
      {link.purpose === 'invitation' ? (
        <>
          {rich('You join {account_name} as {team_role}.', {
            account_name: <strong>{link.account_name}</strong>,
            team_role: named(link.team_role ?? ''),
          })}
        </>
      ) : (
        <strong>{link.account_name}</strong>
      )}
    </p>
  );
}

interface PasswordChoice {
  email: string;
  setEmail: (value: string) => void;
  password: string;
  setPassword: (value: string) => void;
  again: string;
  setAgain: (value: string) => void;
  problem: ApiError | null;
  busy: boolean;
  differs: boolean;
  submit: (event: Event) => Promise<void>;
}

function useChosenPassword(link: Opened, token: string): PasswordChoice {
  const { reboot, say } = useApp();
  const [email, setEmail] = useState(link.email);
  const [password, setPassword] = useState('');
  const [again, setAgain] = useState('');
  const [problem, setProblem] = useState<ApiError | null>(null);
  const [busy, setBusy] = useState(false);
  const differs = again !== '' && again !== password;
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (password !== again) return;
    setBusy(true);
    setProblem(null);
    try {
      const body = { token, password, ...(link.purpose === 'operator' ? { email } : {}) };
      await call('/links/use', { method: 'POST', body });
    } catch (error) {
      setProblem(error instanceof ApiError ? error : new ApiError(0, t('That did not work.')));
      setBusy(false);
      return;
    }
    try {
      const session = await call<Session>('/session', {
        method: 'POST',
        body: { email, password },
      });
      await reboot();
      navigate(`/app/${session.role}`, { replace: true });
    } catch {
      // The password is set; a second factor is asked for where one signs in.
      say(t('Your password is set. Sign in with it.'));
      navigate('/app/sign-in', { replace: true });
    }
  };
  return {
    email,
    setEmail,
    password,
    setPassword,
    again,
    setAgain,
    problem,
    busy,
    differs,
    submit,
  };
}
