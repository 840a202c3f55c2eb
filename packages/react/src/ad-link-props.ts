'use client';
import type { Ad } from '@sidelight/sdk/browser';
import type { AnchorHTMLAttributes, MouseEvent } from 'react';

/**
 * What a link to an ad needs when you draw the ad yourself. A click URL that is not http(s) becomes
 * no link at all.
 *
 * @example
 * <a {...adLinkProps(ad)}>{ad.title}</a>
 */
export function adLinkProps(
  ad: Ad,
  onClick?: (ad: Ad, event: MouseEvent<HTMLAnchorElement>) => void,
): AnchorHTMLAttributes<HTMLAnchorElement> {
  const onPress = (event: MouseEvent<HTMLAnchorElement>): void => {
    if (event.button <= 1) onClick?.(ad, event);
  };
  return {
    ...(/^https?:\/\//i.test(ad.clickUrl) ? { href: ad.clickUrl } : {}),
    target: '_blank',
    rel: 'sponsored noopener',
    onClick: onPress,
    onAuxClick: onPress,
  };
}
