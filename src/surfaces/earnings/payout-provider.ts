/** Who sends publishers their money. */
export interface PayoutProvider {
  readonly name: string;
  /** An account with the provider for this publisher. Safe to repeat. */
  open(publisher: { id: string; name: string }): Promise<string>;
  /** Where the publisher tells the provider who they are and where the money goes. */
  onboard(reference: string, returnUrl: string): Promise<string>;
  /** Whether money can be sent there, and what is still asked for. */
  look(reference: string): Promise<{ isReady: boolean; missing: string[] }>;
  /**
   * Sends once however often it is asked for the same payout; a refusal is a `PayoutRefused`, and
   * the next try has another number.
   */
  send(
    payout: { id: string; amountMicros: number; through: string; attempt: number },
    to: string,
  ): Promise<string>;
}

/** The provider answered, and said no. */
export class PayoutRefused extends Error {}

/** Cents: what providers count in. The rest stays payable. */
export const centMicros = 10_000;
