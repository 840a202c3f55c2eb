import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { call } from '../../core/api.js';
import { t } from '../../core/language.js';
import { useAct } from '../../core/hooks/use-act.js';
import { Check, Choice, TextField } from '../../ui/forms/fields.js';
import { Card } from '../../ui/parts.js';

/** Opens an account and invites its owner. */
export function NewAccountCard({
  onOpened,
}: {
  onOpened: (link: string | null) => void;
}): JSX.Element {
  const draft = useNewAccount(onOpened);
  return (
    <Card title={t('New account')}>
      <form class="row" onSubmit={(event) => void draft.submit(event)}>
        <Choice
          label={t('Kind')}
          value={draft.kind}
          onChange={draft.setKind}
          options={[
            ['advertiser', t('Advertiser')],
            ['publisher', t('Publisher')],
            ['operator', t('Operator')],
          ]}
        />
        {draft.kind !== 'operator' && (
          <TextField
            label={t('Name')}
            value={draft.name}
            onInput={draft.setName}
            required
            maxLength={200}
          />
        )}
        <TextField
          label={t('E-mail of its owner')}
          type="email"
          value={draft.email}
          onInput={draft.setEmail}
          required
        />
        {draft.kind !== 'operator' && (
          <Check
            label={draft.kind === 'advertiser' ? t('Billing enabled') : t('Approved')}
            checked={draft.ready}
            onChange={draft.setReady}
          />
        )}
        <button class="button primary" disabled={draft.busy}>
          {t('Open and invite')}
        </button>
      </form>
    </Card>
  );
}

interface NewAccount {
  busy: boolean;
  kind: string;
  setKind: (value: string) => void;
  name: string;
  setName: (value: string) => void;
  email: string;
  setEmail: (value: string) => void;
  ready: boolean;
  setReady: (value: boolean) => void;
  submit: (event: Event) => Promise<void>;
}

function useNewAccount(onOpened: (link: string | null) => void): NewAccount {
  const { act, busy } = useAct();
  const [kind, setKind] = useState('advertiser');
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [ready, setReady] = useState(false);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    await act(async () => {
      const { link } = await call<{ link: string | null }>('/operator/accounts', {
        method: 'POST',
        body: {
          kind,
          email,
          ...(kind === 'operator' ? {} : { name }),
          ...(kind === 'advertiser' ? { billing_enabled: ready } : {}),
          ...(kind === 'publisher' ? { approved: ready } : {}),
        },
      });
      setName('');
      setEmail('');
      onOpened(link);
      return link === null ? t('An invitation is on its way to {email}.', { email }) : undefined;
    });
  };
  return { busy, kind, setKind, name, setName, email, setEmail, ready, setReady, submit };
}
