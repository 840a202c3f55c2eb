import type { ComponentChildren, JSX } from 'preact';
import { t } from '../../core/language.js';

export interface PreviewedAd {
  title: string;
  adText: string;
  cta: string;
  brandName: string;
  image?: string | null | undefined;
  disclosure?: { label: string; paid_by: string; why: string } | undefined;
}

/** Only pictures of our own origin: a dashboard must not tell strangers who is looking at what. */
export function ownImage(url: string | null | undefined): string | null {
  if (url === null || url === undefined || url === '') return null;
  try {
    return new URL(url, location.href).origin === location.origin ? url : null;
  } catch {
    return null;
  }
}

/** An ad the way a publisher's page shows it. */
export function AdPreview({
  ad,
  placement = 'below_response',
  href,
  onClick,
  children,
}: {
  ad: PreviewedAd;
  placement?: string;
  href?: string;
  onClick?: () => void;
  children?: ComponentChildren;
}): JSX.Element {
  const image = ownImage(ad.image);
  const label = ad.disclosure?.label ?? t('Sponsored');
  return (
    <aside class={`ad ${placement}`} aria-label={`${label}: ${ad.brandName}`}>
      <div class="ad-head">
        <span class="ad-mark" aria-hidden="true">
          {(ad.brandName.trim()[0] ?? '·').toUpperCase()}
        </span>
        <span class="ad-brand">{ad.brandName}</span>
        <span
          class="ad-label"
          title={
            ad.disclosure === undefined
              ? undefined
              : t('{why} Paid by {paid_by}.', {
                  why: ad.disclosure.why,
                  paid_by: ad.disclosure.paid_by,
                })
          }
        >
          {label}
        </span>
      </div>
      {image !== null && <img src={image} alt="" />}
      <p class="ad-title">{ad.title}</p>
      <p class="ad-text">{ad.adText}</p>
      <div class="ad-foot">
        {href === undefined ? (
          <span class="ad-cta">{ad.cta}</span>
        ) : (
          <a
            class="ad-cta"
            href={href}
            target="_blank"
            rel="sponsored noopener"
            onClick={onClick}
            onAuxClick={onClick}
          >
            {ad.cta}
          </a>
        )}
        {children}
      </div>
    </aside>
  );
}
