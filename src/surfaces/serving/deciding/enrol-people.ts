import { assignVariant } from '../../../domain/experiments/assign-variant.js';
import type { Candidate, Experiment } from '../../../domain/decision/candidate.js';
import { createBoundedCache } from '../../../platform/bounded-cache.js';
import type { Decision } from './decide-ads.js';

export interface Enrolled {
  experimentId: string;
  unit: string;
  variant: string;
  at: number;
  viewer: string | null;
}

/** Puts people into arms, and tells of each the first time a campaign could have been shown. */
export function createEnrolment(secret: string) {
  const known = createBoundedCache<string, true>(200_000);
  return {
    /** The arm of one person in each experiment, worked out once a request. */
    armsOf(unit: string): (experiment: Experiment) => string | null {
      // Most are asked about no experiment at all.
      let arms: Map<string, string | null> | null = null;
      return ({ id, variants }) => {
        const arm = arms?.get(id);
        if (arm !== undefined) return arm;
        const assigned = assignVariant(secret, id, unit, variants);
        (arms ??= new Map()).set(id, assigned);
        return assigned;
      };
    },
    /** Of campaigns that ran, or would have but for the arm. */
    newOf(
      { hasExperiments, candidates, rejected }: Decision,
      person: { unit: string; viewerOf: (advertiserId: string) => string | null },
      armOf: (experiment: Experiment) => string | null,
      at: number,
    ): Enrolled[] {
      const found: Enrolled[] = [];
      if (!hasExperiments) return found;
      const enrol = ({ experiment, advertiserId }: Candidate): void => {
        const variant = experiment === null ? null : armOf(experiment);
        if (experiment === null || variant === null) return;
        const key = `${experiment.id} ${person.unit}`;
        if (known.get(key) === true) return;
        known.set(key, true);
        found.push({
          experimentId: experiment.id,
          unit: person.unit,
          variant,
          at,
          viewer: person.viewerOf(advertiserId),
        });
      };
      for (const candidate of candidates) enrol(candidate);
      for (const { candidate, reason } of rejected) if (reason === 'experiment') enrol(candidate);
      return found;
    },
  };
}
