const centMicros = 10_000;

/** Credits pay first; of the rest whole cents are due, and less than a cent is let go. */
export function splitInvoice(
  totalMicros: number,
  creditMicros: number,
): { creditsMicros: number; roundingMicros: number; dueMicros: number } {
  const creditsMicros = Math.min(totalMicros, Math.max(0, creditMicros));
  const roundingMicros = (totalMicros - creditsMicros) % centMicros;
  return { creditsMicros, roundingMicros, dueMicros: totalMicros - creditsMicros - roundingMicros };
}

const thresholdMicros = 500_000_000;

/** An invoice is written when a month is over, or sooner when much has come together. */
export function isInvoiceTime(
  unbilled: { totalMicros: number; firstDay: string },
  today: string,
): boolean {
  return (
    unbilled.totalMicros >= thresholdMicros || unbilled.firstDay.slice(0, 7) < today.slice(0, 7)
  );
}
