import type { Fault, Outcome } from './fault.js';
import { until } from './fault.js';
import type { Verdict } from './judge.js';
import { type Scene, Stage } from './scene.js';

export interface FaultRow {
  name: string;
  what: string;
  requests: number;
  failed: number;
  reasons: string;
  /** From the end of the fault to the first answered ad request of who was hit. */
  recoveredMs: number | null;
  verdict: Verdict;
  problems: string[];
  note: string;
  seconds: number;
}

/** Runs faults one after the other, each against servers of its own. */
export async function runFaults(
  faults: readonly Fault[],
  onRow: (row: FaultRow) => void,
): Promise<FaultRow[]> {
  const stage = new Stage();
  const rows: FaultRow[] = [];
  try {
    for (const fault of faults) {
      const row = await runFault(stage, fault).catch((error: unknown) => broken(fault, error));
      rows.push(row);
      onRow(row);
    }
  } finally {
    await stage.remove();
  }
  return rows;
}

async function runFault(stage: Stage, fault: Fault): Promise<FaultRow> {
  const started = performance.now();
  const scene = await stage.open(fault.scene);
  try {
    await until(() => scene.traffic.ads > 20, 60_000);
    const outcome = await fault.run(scene);
    const recoveredMs = await recovery(scene, outcome);
    const verdict = await stage.close(scene);
    return {
      name: fault.name,
      what: fault.what,
      requests: scene.traffic.sent,
      failed: scene.traffic.failed,
      reasons: [...scene.traffic.failures].map(([reason, n]) => `${reason} ${n}`).join(', '),
      recoveredMs,
      verdict,
      problems: [...outcome.problems, ...problemsOf(verdict, fault, scene, outcome, recoveredMs)],
      note: outcome.note ?? '',
      seconds: Math.round((performance.now() - started) / 1000),
    };
  } finally {
    await scene.traffic.stop();
    for (const node of scene.nodes) await node.kill();
  }
}

async function recovery({ traffic }: Scene, { over }: Outcome): Promise<number | null> {
  if (over === undefined) return null;
  const { at, node } = over;
  await until(() => traffic.firstAnswerAfter(node.address, at) !== null, 60_000);
  const answered = traffic.firstAnswerAfter(node.address, at);
  return answered === null ? null : answered - at;
}

function problemsOf(
  verdict: Verdict,
  fault: Fault,
  { traffic, nodes }: Scene,
  { over }: Outcome,
  recoveredMs: number | null,
): string[] {
  const problems = nodes.flatMap((node) => node.deaths.map((death) => `${node.name} ${death}`));
  if (traffic.ads === 0) problems.push('no ad was served at all');
  if (over !== undefined && recoveredMs === null) problems.push('did not come back in a minute');
  if (verdict.lost > 0 && fault.mayLose !== true)
    problems.push(`${verdict.lost} acknowledged and not stored`);
  if (verdict.twice > 0) problems.push(`${verdict.twice} stored twice`);
  if (verdict.overBudget > 0) problems.push(`${verdict.overBudget} budgets wrong`);
  if (!verdict.isVerified) problems.push('verify finds differences');
  return [...problems, ...verdict.differences];
}

function broken(fault: Fault, error: unknown): FaultRow {
  const nothing = { acknowledged: 0, stored: 0, lost: 0, twice: 0, overBudget: 0 };
  return {
    name: fault.name,
    what: fault.what,
    requests: 0,
    failed: 0,
    reasons: '',
    recoveredMs: null,
    verdict: { ...nothing, isVerified: false, differences: [] },
    problems: [error instanceof Error ? (error.stack ?? error.message) : String(error)],
    note: '',
    seconds: 0,
  };
}
