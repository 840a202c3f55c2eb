import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ApiError, call } from '../core/api.js';
import { useApp } from '../core/boot.js';
import { AdPreview, type PreviewedAd } from '../ui/ad-preview.js';
import { Dialog } from '../ui/parts.js';

/** Told on every page of a publisher that may not serve yet, or not any more. */
export function ApprovalNotice(): JSX.Element | null {
  const { session, say } = useApp();
  const [ad, setAd] = useState<PreviewedAd | null>(null);
  const [busy, setBusy] = useState(false);
  if (session?.role !== 'publisher') return null;
  if (session.account_status === 'approved' || session.account_status === null) return null;
  if (session.account_status === 'blocked')
    return (
      <p class="notice bad" role="note">
        <b>Your account is blocked.</b> No ads are served to it. Ask the operator.
      </p>
    );
  const test = async (): Promise<void> => {
    setBusy(true);
    try {
      setAd(
        (await call<{ ads: PreviewedAd[] }>('/session/test-ad', { method: 'POST' })).ads[0] ?? null,
      );
    } catch (error) {
      say(error instanceof ApiError ? error.message : 'No test ad came.', 'bad');
    }
    setBusy(false);
  };
  return (
    <div class="notice wait" role="note">
      <p>
        <b>Your account is not approved yet.</b> Until then your key gets test ads only (
        <code>testAd: true</code>): they always fill, work end to end, and earn nothing.
      </p>
      <div class="actions">
        <button type="button" class="button small" disabled={busy} onClick={() => void test()}>
          Show me a test ad
        </button>
      </div>
      {ad !== null && (
        <Dialog title="A test ad" onClose={() => setAd(null)}>
          <div class="stack">
            <AdPreview ad={ad} />
            <p class="hint">Asked for as your account. It was not counted.</p>
          </div>
        </Dialog>
      )}
    </div>
  );
}
