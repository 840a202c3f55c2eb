'use client';
import { guardLabel, LABEL_MARK, labelText, type Ad, type AdLabels } from '@sidelight/sdk/browser';
import type { ReactElement } from 'react';

/**
 * The label an ad must carry, for ads you draw yourself. Whether people could read it is measured
 * and reported with the time in view.
 *
 * @example
 * <aside ref={ref}><AdLabel ad={ad} /> <a {...adLinkProps(ad)}>{ad.title}</a></aside>
 */
export function AdLabel({
  ad,
  labels,
}: {
  ad: Pick<Ad, 'disclosure'>;
  labels?: Partial<AdLabels> | undefined;
}): ReactElement {
  const { disclosure } = ad;
  return (
    <span
      ref={guardLabel}
      data-sl="label"
      title={disclosure == null ? undefined : `${disclosure.why} ${disclosure.paid_by}`}
      {...{ [LABEL_MARK]: '' }}
    >
      {labelText(ad, labels)}
    </span>
  );
}
