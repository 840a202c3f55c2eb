import { readSignals } from '../../../domain/privacy/read-signals.js';
import type { ConsentReader } from '../../../platform/consent/consent-reader.js';
import { isObject } from './read-fields.js';
import type { ConversionRequest } from '../schema.js';

/**
 * Events of people who may not be matched count as opted out: those whose own `regs` or `consent`
 * say so, and all of them where the request or its headers do.
 */
export async function withinSignals(
  consent: Pick<ConsentReader, 'judge'>,
  { data, regs, consent: given }: ConversionRequest,
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Promise<{ events: readonly unknown[]; problems: string[] }> {
  const problems = new Set<string>();
  const isAllowed = async (places: readonly unknown[], user: unknown): Promise<boolean> => {
    const said = readSignals({ places, user: { consent: user }, headers });
    if (said === null) return true;
    const decision = await consent.judge(said);
    for (const problem of decision.problems) problems.add(problem);
    return decision.permissions.conversion_matching;
  };
  const isBatchAllowed = await isAllowed([regs], given);
  const isSilent = isBatchAllowed && !data.some(hasSignals);
  const events = isSilent
    ? data
    : await Promise.all(
        data.map(async (event) => {
          if (!isObject(event)) return event;
          const allowed =
            isBatchAllowed &&
            (!hasSignals(event) || (await isAllowed([event['regs']], event['consent'])));
          return allowed ? event : { ...event, opt_out: true };
        }),
      );
  return { events, problems: [...problems] };
}

function hasSignals(event: unknown): boolean {
  return isObject(event) && (event['regs'] !== undefined || event['consent'] !== undefined);
}
