import type { RequestListener } from 'node:http';
import { hasBody, isProbe } from './admission.js';
import type { Front } from './create-http-app.js';

/** How long one round of the event loop may be spent on requests before others are looked at. */
const sliceMs = 5;
/** The same of what waits in line: short ones go together, for a round of the loop costs as much. */
const lineMs = 1;

/**
 * Lets work begin in turns. Everything that is ready when the event loop looks would else be done in
 * one go, and a probe that comes a moment later would wait for all of it: hundreds of requests of a
 * millisecond each. What finds the loop free begins at once; the rest waits in line, a millisecond's
 * worth a round, so that in between new connections are accepted, probes answered and what is too
 * much turned away.
 */
export interface WorkTurns {
  /** Calls at once or when it is its turn. */
  run(work: () => void): void;
}

export function createWorkTurns(
  now: () => number = () => performance.now(),
  nextRound: (work: () => void) => void = setImmediate,
): WorkTurns {
  const line: (() => void)[] = [];
  let first = 0;
  /** When this round of the loop began; null before anything happened in it. */
  let began: number | null = null;

  function round(): void {
    began = null;
    if (first === line.length) return;
    began = now();
    nextRound(round);
    do next()();
    while (first < line.length && now() - began < lineMs);
  }

  function next(): () => void {
    const work = line[first] ?? done;
    line[first] = done;
    first += 1;
    // The line is cut now and then: taking its head off each time would move all the others.
    if (first === line.length || first >= 1024) {
      line.splice(0, first);
      first = 0;
    }
    return work;
  }

  return {
    run(work) {
      const at = now();
      if (began === null) {
        began = at;
        nextRound(round);
      }
      if (first === line.length && at - began < sliceMs) return work();
      line.push(work);
    },
  };
}

function done(): void {}

/**
 * Hands requests on in turns, but for probes, and for those whose body is still to be read: their
 * work begins when it is there.
 */
export function inTurns(
  turns: WorkTurns,
  before: readonly Front[],
  answer: RequestListener,
): RequestListener {
  return (request, response) => {
    if (before.some((refuses) => refuses(request, response))) return;
    if (isProbe(request) || hasBody(request)) return answer(request, response);
    turns.run(() => {
      // Who left meanwhile waits for nothing.
      if (!response.destroyed) answer(request, response);
    });
  };
}
