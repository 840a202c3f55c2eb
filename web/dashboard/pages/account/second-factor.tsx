import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ApiError, call } from '../../core/api.js';
import { useApp } from '../../core/boot.js';
import { rich, t } from '../../core/language.js';
import { useLoad } from '../../core/hooks/use-load.js';
import { TextField } from '../../ui/forms/fields.js';
import { Badge, Card, Code, Dialog } from '../../ui/parts.js';
import { Problem, Shown } from '../../ui/states.js';

interface Offer {
  secret: string;
  qr: { size: number; path: string };
}

type Step =
  | { name: 'password'; why: 'add' | 'codes' | 'remove' }
  | { name: 'scan'; offer: Offer }
  | { name: 'codes'; codes: string[] };

export function SecondFactorCard(): JSX.Element {
  const state = useLoad<{ enabled: boolean; recovery_codes_left: number }>(
    '/session/second-factor',
  );
  const [step, setStep] = useState<Step | null>(null);
  const close = (): void => {
    setStep(null);
    state.reload();
  };
  const begin = (why: 'add' | 'codes' | 'remove') => () => setStep({ name: 'password', why });
  return (
    <Card title={t('Second factor')}>
      <Shown load={state}>
        {(data) =>
          data.enabled ? (
            <>
              <p>
                <Badge value="active" />{' '}
                {rich(
                  'Signing in asks for a code from your authenticator app. {recovery_codes_left} recovery codes are left.',
                  { recovery_codes_left: data.recovery_codes_left },
                )}
              </p>
              <div class="actions">
                <button type="button" class="button" onClick={begin('codes')}>
                  {t('New recovery codes')}
                </button>
                <button type="button" class="button danger" onClick={begin('remove')}>
                  {t('Remove')}
                </button>
              </div>
            </>
          ) : (
            <>
              <p>
                {t(
                  'With an authenticator app, a stolen password is not enough to get in. Set it up once; signing in then asks for six digits.',
                )}
              </p>
              <div class="actions">
                <button type="button" class="button primary" onClick={begin('add')}>
                  {t('Set up')}
                </button>
              </div>
            </>
          )
        }
      </Shown>
      {step?.name === 'password' && <Prove why={step.why} onNext={setStep} onClose={close} />}
      {step?.name === 'scan' && <Scan offer={step.offer} onNext={setStep} onClose={close} />}
      {step?.name === 'codes' && <RecoveryCodes close={close} step={step} />}
    </Card>
  );
}

function RecoveryCodes({
  close,
  step,
}: {
  close: () => void;
  step: { name: 'codes'; codes: string[] };
}): JSX.Element {
  return (
    <Dialog title={t('Recovery codes')} onClose={close}>
      <p>
        {t(
          'Keep them somewhere safe: each one opens your account once if you lose your phone. They will not be shown again.',
        )}
      </p>
      <Code label={t('Recovery codes')} text={step.codes.join('\n')} />
    </Dialog>
  );
}

const titles = {
  add: t('Set up a second factor'),
  codes: t('New recovery codes'),
  remove: t('Remove the second factor'),
};

function Prove({
  why,
  onNext,
  onClose,
}: {
  why: 'add' | 'codes' | 'remove';
  onNext: (step: Step | null) => void;
  onClose: () => void;
}): JSX.Element {
  const proof = useProof(why, onNext, onClose);
  return (
    <Dialog title={titles[why]} onClose={onClose}>
      <form class="form" onSubmit={(event) => (event.preventDefault(), void proof.submit())}>
        {proof.problem !== null && Object.keys(proof.problem.fields).length === 0 && (
          <Problem message={proof.problem.message} />
        )}
        <TextField
          label={t('Your password')}
          type="password"
          value={proof.password}
          onInput={proof.setPassword}
          required
          autoComplete="current-password"
          error={proof.problem?.fields['password']}
        />
        {why !== 'add' && (
          <TextField
            label={t('Code')}
            value={proof.code}
            onInput={proof.setCode}
            required
            autoComplete="one-time-code"
            hint={t('Six digits from the app, or a recovery code.')}
            error={proof.problem?.fields['code']}
          />
        )}
        <div class="actions">
          <button class={why === 'remove' ? 'button danger' : 'button primary'}>
            {why === 'remove' ? t('Remove') : t('Go on')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

interface Proof {
  password: string;
  setPassword: (value: string) => void;
  code: string;
  setCode: (value: string) => void;
  problem: ApiError | null;
  submit: () => Promise<void>;
}

function useProof(
  why: 'add' | 'codes' | 'remove',
  onNext: (step: Step | null) => void,
  onClose: () => void,
): Proof {
  const { say } = useApp();
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState<ApiError | null>(null);
  const submit = async (): Promise<void> => {
    setProblem(null);
    try {
      if (why === 'add')
        onNext({
          name: 'scan',
          offer: await call<Offer>('/session/second-factor', {
            method: 'POST',
            body: { password },
          }),
        });
      else if (why === 'codes') {
        const { recovery_codes: codes } = await call<{ recovery_codes: string[] }>(
          '/session/second-factor/recovery-codes',
          { method: 'POST', body: { password, code } },
        );
        onNext({ name: 'codes', codes });
      } else {
        await call('/session/second-factor/remove', { method: 'POST', body: { password, code } });
        say(t('Signing in now only asks for your password.'));
        onClose();
      }
    } catch (error) {
      setProblem(error instanceof ApiError ? error : new ApiError(0, t('That did not work.')));
    }
  };
  return { password, setPassword, code, setCode, problem, submit };
}

function Scan({
  offer,
  onNext,
  onClose,
}: {
  offer: Offer;
  onNext: (step: Step) => void;
  onClose: () => void;
}): JSX.Element {
  const { reboot } = useApp();
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const submit = async (): Promise<void> => {
    try {
      const { recovery_codes: codes } = await call<{ recovery_codes: string[] }>(
        '/session/second-factor/confirm',
        { method: 'POST', body: { code } },
      );
      await reboot();
      onNext({ name: 'codes', codes });
    } catch (error) {
      setProblem(
        error instanceof ApiError
          ? (error.fields['code'] ?? error.message)
          : t('That did not work. Try again.'),
      );
    }
  };

  return (
    <Dialog title={t('Scan it with your app')} onClose={onClose}>
      <QrCode offer={offer} />
      <p>
        {rich('Or type this key into the app: {secret}', {
          secret: <code class="break">{offer.secret}</code>,
        })}
      </p>
      <form class="form" onSubmit={(event) => (event.preventDefault(), void submit())}>
        <TextField
          label={t('Code the app shows')}
          value={code}
          onInput={setCode}
          required
          inputMode="numeric"
          autoComplete="one-time-code"
          error={problem}
        />
        <div class="actions">
          <button class="button primary">{t('Turn on')}</button>
        </div>
      </form>
    </Dialog>
  );
}

function QrCode({ offer }: { offer: Offer }): JSX.Element {
  const { size, path } = offer.qr;
  return (
    <svg
      class="qr"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={t('QR code with the key')}
    >
      <path d={path} />
    </svg>
  );
}
