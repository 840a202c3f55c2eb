import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ApiError, call } from '../../core/api.js';
import { keepFocus } from '../../core/keep-focus.js';
import { rich, t } from '../../core/language.js';
import type { Loaded } from '../../core/hooks/use-load.js';
import { InlineEdit } from '../../ui/forms/inline-edit.js';
import { Confirm } from '../../ui/parts.js';

export interface Account {
  kind: 'advertiser' | 'publisher';
  id: string;
  name: string;
  status: string;
  status_before_block: string | null;
  url: string | null;
  email: string | null;
  billing_enabled: boolean | null;
  revenue_share_bps: number | null;
  is_demo: boolean;
  created_at: string;
}

export function AccountActions({
  account,
  change,
  before,
  open,
  setAsking,
}: {
  account: Account;
  change: (account: Account, fields: Partial<Account>) => Promise<void>;
  before: string;
  open: 'active' | 'approved';
  setAsking: (value: { account: Account; fields: Partial<Account> } | null) => void;
}): JSX.Element {
  return (
    <span class="row">
      {account.status === 'blocked' ? (
        <button
          type="button"
          class="button small"
          aria-label={t('Unblock {name}', { name: account.name })}
          onClick={() => void change(account, { status: before })}
        >
          {t('Unblock')}
        </button>
      ) : (
        account.status !== open && (
          <button
            type="button"
            class="button small"
            aria-label={t('Approve {name}', { name: account.name })}
            onClick={() => void change(account, { status: open })}
          >
            {t('Approve')}
          </button>
        )
      )}
      {account.status !== 'blocked' && (
        <button
          type="button"
          class="button small danger"
          aria-label={t('Block {name}', { name: account.name })}
          onClick={() => setAsking({ account, fields: { status: 'blocked' } })}
        >
          {t('Block')}
        </button>
      )}
      {account.kind === 'advertiser' && (
        <TermsButton account={account} setAsking={setAsking} change={change} />
      )}
    </span>
  );
}

function TermsButton({
  account,
  setAsking,
  change,
}: {
  account: Account;
  setAsking: (value: { account: Account; fields: Partial<Account> } | null) => void;
  change: (account: Account, fields: Partial<Account>) => Promise<void>;
}): JSX.Element {
  return (
    <button
      type="button"
      class="button small"
      aria-label={t('{billing_enabled} for {name}', {
        billing_enabled: account.billing_enabled === true ? t('Billing off') : t('Billing on'),
        name: account.name,
      })}
      onClick={() =>
        account.billing_enabled === true
          ? setAsking({ account, fields: { billing_enabled: false } })
          : void change(account, { billing_enabled: true })
      }
    >
      {account.billing_enabled === true ? t('Billing off') : t('Billing on')}
    </button>
  );
}

export function useAccountChange(
  accounts: Loaded<{ accounts: Account[] }>,
  say: (message: string, kind?: 'good' | 'bad') => void,
): (account: Account, fields: Partial<Account>) => Promise<void> {
  const change = async (account: Account, fields: Partial<Account>): Promise<void> => {
    const apply = (values: Partial<Account>): void =>
      accounts.put((data) => ({
        accounts: data.accounts.map((one) => (one.id === account.id ? { ...one, ...values } : one)),
      }));
    const refocus = keepFocus();
    // Nobody is approved by being unblocked.
    apply(
      fields.status === 'blocked' ? { ...fields, status_before_block: account.status } : fields,
    );
    refocus();
    try {
      await call(`/operator/${account.kind}s/${account.id}`, { method: 'PATCH', body: fields });
      say(t('{name} updated.', { name: account.name }));
    } catch (error) {
      apply({
        status: account.status,
        status_before_block: account.status_before_block,
        billing_enabled: account.billing_enabled,
        revenue_share_bps: account.revenue_share_bps,
      });
      say(error instanceof ApiError ? error.message : t('The change was not saved.'), 'bad');
    }
  };
  return change;
}

/** What blocking or switching billing off does to the people behind the account. */
export function AskFirst({
  account,
  fields,
  onYes,
  onClose,
}: {
  account: Account;
  fields: Partial<Account>;
  onYes: () => void;
  onClose: () => void;
}): JSX.Element {
  const blocks = fields.status === 'blocked';
  return (
    <Confirm
      title={
        blocks
          ? t('Block {name}?', { name: account.name })
          : t('Switch billing off for {name}?', { name: account.name })
      }
      action={blocks ? t('Block') : t('Switch billing off')}
      danger
      onYes={onYes}
      onClose={onClose}
    >
      <p>
        {!blocks
          ? t('Its campaigns stop within seconds unless it has credit left.')
          : account.kind === 'advertiser'
            ? t('Its campaigns stop within seconds, and its keys are refused.')
            : t('It will get no more ads, and its keys will be refused.')}{' '}
        {blocks && t('Unblocking restores its current state.')}
      </p>
    </Confirm>
  );
}

/** The publisher's part of what advertisers pay, changed where it stands. */
export function ShareEdit({
  account,
  onSave,
}: {
  account: Account;
  onSave: (bps: number) => void;
}): JSX.Element {
  const [draft, setDraft] = useState<string | null>(null);
  const share = ((account.revenue_share_bps ?? 0) / 100).toString();
  if (draft === null)
    return (
      <button
        type="button"
        class="sort"
        aria-label={t('{share}% share of {name}, edit', { share, name: account.name })}
        onClick={() => setDraft(share)}
      >
        {rich('{share}% share', { share })} <span aria-hidden="true">✎</span>
      </button>
    );
  const next = Math.round(Number(draft) * 100);
  return (
    <InlineEdit
      label={t('Share of {name} in per cent', { name: account.name })}
      draft={draft}
      isValid={draft.trim() !== '' && next >= 0 && next <= 10_000}
      setDraft={setDraft}
      onSave={() => {
        setDraft(null);
        if (next !== account.revenue_share_bps) onSave(next);
      }}
    />
  );
}
