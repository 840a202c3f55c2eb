import type { JSX } from 'preact';
import { money } from '../core/format.js';
import { Confirm } from '../ui/parts.js';

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
      title={`Spend up to ${money(daily)} a day?`}
      action={`Yes, ${money(daily)} a day`}
      onYes={onYes}
      onClose={onClose}
    >
      <p>
        That is up to {money(daily * 30)} in thirty days. It can be changed or paused at any time;
        what was spent until then is billed.
      </p>
    </Confirm>
  );
}
