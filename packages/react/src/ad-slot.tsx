'use client';
import type { ReactElement, ReactNode } from 'react';
import { Ad, type AdProps } from './ad.js';
import { useAd, type AdSource } from './use-ad.js';

export interface AdSlotProps extends AdSource, Omit<AdProps, 'ad' | 'sessionId'> {
  /** Shown instead when there is no ad. */
  fallback?: ReactNode;
}

/**
 * A place for one ad: asks for it, keeps its height free meanwhile, shows it when it is there and
 * nothing otherwise.
 *
 * @example
 * <AdSlot endpoint="/api/sidelight" messages={messages} sessionId={sessionId}
 * feedback="/api/sidelight" />
 */
export function AdSlot(props: AdSlotProps): ReactElement | null {
  const {
    endpoint,
    messages,
    sessionId,
    regs,
    placement,
    placementId,
    ads,
    enabled,
    timeoutMs,
    fallback = null,
    ...rest
  } = props;
  const state = useAd({
    endpoint,
    messages,
    sessionId,
    regs,
    placement,
    placementId,
    ads,
    enabled,
    timeoutMs,
  });
  if (state.status === 'idle') return null;
  if (state.status === 'empty') return <>{fallback}</>;
  const busy = state.status === 'loading';
  return (
    <div
      data-sl="slot"
      className={rest.unstyled === true ? undefined : 'sl-slot'}
      aria-busy={busy || undefined}
    >
      {state.ad === null ? null : <Ad {...rest} ad={state.ad} sessionId={sessionId} />}
    </div>
  );
}
