import { readFileSync } from 'node:fs';
import { createHistogram, monitorEventLoopDelay } from 'node:perf_hooks';

/**
 * How long the event loop kept others waiting, in milliseconds: in all, and by its own work. On a
 * busy machine the rest is waiting for a core.
 */
export interface LoopWatch {
  delayP99(): number;
  ownP99(): number;
  reset(): void;
}

const resolutionMs = 1;

export function watchLoop(): LoopWatch {
  const delay = monitorEventLoopDelay({ resolution: resolutionMs });
  const own = createHistogram();
  let last = ownCpuNanoseconds();
  const look = (): void => {
    const now = ownCpuNanoseconds();
    own.record(Math.max(1, Math.round(now - last)));
    last = now;
  };
  delay.enable();
  setInterval(look, resolutionMs).unref();
  return {
    // It records the time between two looks: the pause it asked for is no delay.
    delayP99: () => delay.percentile(99) / 1e6 - resolutionMs,
    ownP99: () => own.percentile(99) / 1e6,
    reset() {
      delay.reset();
      own.reset();
    },
  };
}

/** CPU time of the main thread so far; of all threads where the system does not tell. */
function ownCpuNanoseconds(): number {
  try {
    return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]);
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) * 1000;
  }
}
