import type { JSX } from 'preact';
import { money } from '../../core/format.js';
import { rich, t } from '../../core/language.js';
import { Confirm } from '../../ui/parts.js';

const much = 10_000;

/** A slip of the finger costs money: large amounts, and ten times what it was, are asked about. */
export const isSurprising = (daily: number, before?: number): boolean =>
  daily >= much || (before !== undefined && daily >= 100 && daily >= before * 10);

export function AskBudget({
  daily,
  onYes,
  onClose,
}: {
  daily: number;
  onYes: () => void;
  onClose: () => void;
}): JSX.Element {
  return (
    <Confirm
      title={t('Spend up to {daily} a day?', { daily: money(daily) })}
      action={t('Yes, {daily} a day', { daily: money(daily) })}
      onYes={onYes}
      onClose={onClose}
    >
      <p>
        {rich(
          'That is up to {daily} over thirty days. You can change or pause it at any time; anything spent by then is billed.',
          { daily: money(daily * 30) },
        )}
      </p>
    </Confirm>
  );
}
