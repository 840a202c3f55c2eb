/**
 * Steps on the way to a conversion: reported, but not what an advertiser pays for unless asked to.
 */
const steps = new Set(['addtocart', 'initiatecheckout']);

/**
 * Whether a campaign billed per conversion pays for this one: its own conversion type, or anything
 * but a mere step when it names none.
 */
export function isChargedConversion(eventName: string, conversionType: string | null): boolean {
  const name = eventName.trim().toLowerCase();
  if (conversionType !== null && conversionType.trim() !== '')
    return name === conversionType.trim().toLowerCase();
  return !steps.has(name);
}
