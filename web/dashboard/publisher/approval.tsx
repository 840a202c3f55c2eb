import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ApiError, call } from '../core/api.js';
import { useApp } from '../core/boot.js';
import { rich, t } from '../core/language.js';
import { AdPreview, type PreviewedAd } from '../ui/ads/ad-preview.js';
import { Dialog } from '../ui/parts.js';

/** Told on every page of a publisher that may not serve yet, or not any more. */
export function ApprovalNotice(): JSX.Element | null {
  const { session, say, reboot } = useApp();
  const isWaiting = session?.role === 'publisher' && session.account_status === 'pending';
  // Somebody else ends the wait, while this page stands open.
  useEffect(() => {
    if (!isWaiting) return;
    const ask = (): unknown => document.visibilityState === 'visible' && reboot();
    const timer = setInterval(ask, 10_000);
    return () => clearInterval(timer);
  }, [isWaiting, reboot]);
  const [ad, setAd] = useState<PreviewedAd | null>(null);
  const [busy, setBusy] = useState(false);
  if (session?.role !== 'publisher') return null;
  if (session.account_status === 'approved' || session.account_status === null) return null;
  if (session.account_status === 'blocked')
    return (
      <p class="notice bad" role="note">
        {rich('{yourAccount} No ads are served to it. Ask the operator.', {
          yourAccount: <b>{t('Your account is blocked.')}</b>,
        })}
      </p>
    );
  const test = async (): Promise<void> => {
    setBusy(true);
    try {
      setAd(
        (await call<{ ads: PreviewedAd[] }>('/session/test-ad', { method: 'POST' })).ads[0] ?? null,
      );
    } catch (error) {
      say(error instanceof ApiError ? error.message : t('No test ad was returned.'), 'bad');
    }
    setBusy(false);
  };
  return (
    <div class="notice wait" role="note">
      <p>
        {rich(
          '{yourAccount} Until then your key gets test ads only ({testAdTrue}): they always fill, work end to end, and earn nothing.',
          {
            yourAccount: <b>{t('Your account is not approved yet.')}</b>,
            testAdTrue: <code>testAd: true</code>,
          },
        )}
      </p>
      <div class="actions">
        <button type="button" class="button small" disabled={busy} onClick={() => void test()}>
          {t('Show me a test ad')}
        </button>
      </div>
      {ad !== null && (
        <Dialog title={t('A test ad')} onClose={() => setAd(null)}>
          <div class="stack">
            <AdPreview ad={ad} />
            <p class="hint">{t('Requested with your account. It was not counted.')}</p>
          </div>
        </Dialog>
      )}
    </div>
  );
}
