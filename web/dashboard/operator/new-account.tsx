import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { call } from '../core/api.js';
import { useAct } from '../core/use-act.js';
import { Check, Choice, TextField } from '../ui/fields.js';
import { Card } from '../ui/parts.js';

/** Opens an account and invites its owner. */
export function NewAccountCard({
  onOpened,
}: {
  onOpened: (link: string | null) => void;
}): JSX.Element {
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
      return link === null ? `An invitation is on its way to ${email}.` : undefined;
    });
  };
  return (
    <Card title="New account">
      <form class="row" onSubmit={(event) => void submit(event)}>
        <Choice
          label="Kind"
          value={kind}
          onChange={setKind}
          options={[
            ['advertiser', 'Advertiser'],
            ['publisher', 'Publisher'],
            ['operator', 'Operator'],
          ]}
        />
        {kind !== 'operator' && (
          <TextField label="Name" value={name} onInput={setName} required maxLength={200} />
        )}
        <TextField
          label="E-mail of its owner"
          type="email"
          value={email}
          onInput={setEmail}
          required
        />
        {kind !== 'operator' && (
          <Check
            label={kind === 'advertiser' ? 'Billing enabled' : 'Approved'}
            checked={ready}
            onChange={setReady}
          />
        )}
        <button class="button primary" disabled={busy}>
          Open and invite
        </button>
      </form>
    </Card>
  );
}
