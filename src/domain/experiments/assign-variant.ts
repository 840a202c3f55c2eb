import { createHmac } from 'node:crypto';

/** One arm of an experiment; of all weights together its own is the share of people in it. */
export interface Variant {
  readonly name: string;
  readonly weight: number;
}

const whole = 2 ** 48;

/**
 * Which arm somebody is in: always the same for the same experiment and person, independent between
 * experiments, and nothing anybody could know or choose without the secret.
 */
export function assignVariant(
  secret: string,
  experimentId: string,
  unit: string,
  variants: readonly Variant[],
): string | null {
  const sum = variants.reduce((total, { weight }) => total + weight, 0);
  if (sum <= 0) return null;
  const digest = createHmac('sha256', secret).update(`${experimentId}\n${unit}`).digest();
  let left = (digest.readUIntBE(0, 6) / whole) * sum;
  for (const { name, weight } of variants) {
    if (left < weight) return name;
    left -= weight;
  }
  return variants.at(-1)?.name ?? null;
}
