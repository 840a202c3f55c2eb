import { isUuid } from '../../domain/uuid.js';
import type { Clock } from '../../platform/clock.js';
import type { Db } from '../../platform/db/db.js';
import type { MintId } from '../../platform/ids.js';
import {
  type CheckoutProblem,
  type CheckoutState,
  type CheckoutStatus,
  disagreements,
  missingFacts,
  readCheckout,
  showCheckout,
} from './checkout.js';
import { findItem, insertCheckout, lockCheckout, updateCheckout } from './queries.js';
import type { StoreVersion } from './store-profile.js';
import { checkoutSchemas } from './tool-schemas.js';
import { isRecord } from '../../domain/is-record.js';

export interface StoreDeps {
  db: Db;
  clock: Clock;
  mintId: MintId;
  origin: () => string;
  /** The release of the protocol that is spoken. */
  version: StoreVersion;
  /** Tells the linked advertiser of an order; the same order may be told of again. */
  reportOrder: (order: CheckoutState & { orderId: string }) => Promise<void>;
}

/** A refusal below the protocol: it becomes a JSON-RPC error. */
export class ProtocolRefusal extends Error {
  readonly code: number;
  readonly reason: string;
  constructor(code: number, reason: string, message: string) {
    super(message);
    this.code = code;
    this.reason = reason;
  }
}

export const checkoutTools = [
  { name: 'create_checkout', description: 'Start a checkout for items of this shop' },
  { name: 'get_checkout', description: 'Read a checkout' },
  { name: 'update_checkout', description: 'Replace what a checkout holds' },
  {
    name: 'complete_checkout',
    description: 'Place the order. The payment is simulated: no money moves',
  },
  { name: 'cancel_checkout', description: 'Give a checkout up' },
].map((tool) => ({ ...tool, inputSchema: checkoutSchemas[tool.name] }));

export async function callCheckoutTool(
  deps: StoreDeps,
  name: string,
  args: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  checkAgent(args['meta']);
  switch (name) {
    case 'create_checkout':
      return create(deps, args);
    case 'get_checkout':
      return change(deps, args, async ({ row }) => row);
    case 'update_checkout':
      return change(deps, args, async ({ tx, row, now }) => {
        if (isClosed(row.status))
          return refused('invalid_state', '$.status', 'The checkout is closed');
        const { state, problems } = await readCheckout(
          args['checkout'],
          (itemId) => findItem(tx, itemId),
          now,
          row.state,
        );
        return problems.length > 0 ? { problems } : { ...row, state, status: statusOf(state) };
      });
    case 'complete_checkout':
      return placeOrder(deps, args);
    case 'cancel_checkout':
      return change(
        deps,
        args,
        async ({ row }) =>
          row.status === 'completed'
            ? refused('invalid_state', '$.status', 'The order is placed already')
            : { ...row, status: 'canceled' },
        true,
      );
    default:
      throw new ProtocolRefusal(-32602, 'unknown_tool', 'there is no such tool');
  }
}

async function placeOrder(
  deps: StoreDeps,
  args: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  let placed: CheckoutState | null = null;
  const shown = await change(
    deps,
    args,
    async ({ row, key, now }) => {
      const outcome = complete(deps, row, args, key, now);
      if ('state' in outcome) placed = outcome.state;
      return outcome;
    },
    true,
  );
  // Set in the callback above, which the compiler does not follow.
  const state = placed as CheckoutState | null;
  // After the commit: what is reported has been sold.
  if (state !== null && state.orderId !== null)
    await deps.reportOrder({ ...state, orderId: state.orderId });
  return shown;
}

export function checkAgent(meta: unknown): void {
  const agent = isRecord(meta) ? meta['ucp-agent'] : null;
  const profile = isRecord(agent) ? agent['profile'] : null;
  if (
    typeof profile !== 'string' ||
    !URL.canParse(profile) ||
    !/^https?:$/.test(new URL(profile).protocol)
  )
    throw new ProtocolRefusal(
      -32001,
      'invalid_profile_url',
      'meta["ucp-agent"].profile must be the address of the agent’s profile',
    );
}

interface Known {
  id: string;
  status: CheckoutStatus;
  state: CheckoutState;
  completedWith: string | null;
}

type Outcome = Known | { problems: CheckoutProblem[] };

const refused = (code: string, path: string, content: string): Outcome => ({
  problems: [{ code, path, content }],
});
const isClosed = (status: CheckoutStatus): boolean =>
  status === 'completed' || status === 'canceled';
const statusOf = (state: CheckoutState): CheckoutStatus =>
  missingFacts(state).length === 0 ? 'ready_for_complete' : 'requires_escalation';

async function create(
  deps: StoreDeps,
  args: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const now = deps.clock();
  const { state, problems } = await readCheckout(
    args['checkout'],
    (itemId) => findItem(deps.db, itemId),
    now,
  );
  if (problems.length > 0) return failure(deps, problems);
  const id = deps.mintId(now);
  await insertCheckout(deps.db, { id, status: statusOf(state), state, at: new Date(now) });
  return showCheckout(id, statusOf(state), state, shownBy(deps));
}

async function change(
  deps: StoreDeps,
  args: Record<string, unknown>,
  work: (input: { tx: Db; row: Known; key: string; now: number }) => Promise<Outcome>,
  needsKey = false,
): Promise<Record<string, unknown>> {
  const key = isRecord(args['meta']) ? args['meta']['idempotency-key'] : null;
  if (needsKey && !isUuid(key))
    throw new ProtocolRefusal(
      -32602,
      'missing_idempotency_key',
      'meta["idempotency-key"] must be a UUID',
    );
  const { id } = args;
  if (!isUuid(id))
    return failure(deps, [
      { code: 'not_found', path: '$.id', content: 'There is no such checkout' },
    ]);
  const now = deps.clock();
  return deps.db.transaction(async (tx) => {
    const found = await lockCheckout(tx, id);
    if (found === null)
      return failure(deps, [
        { code: 'not_found', path: '$.id', content: 'There is no such checkout' },
      ]);
    // Written by this file only.
    const row = found as Known;
    const outcome = await work({ tx, row, key: String(key), now });
    if ('problems' in outcome) return failure(deps, outcome.problems);
    if (outcome !== row) await updateCheckout(tx, { ...outcome, at: new Date(now) });
    return showCheckout(outcome.id, outcome.status, outcome.state, shownBy(deps));
  });
}

/**
 * Simulated: an instrument must be there, and one token is always declined so that agents can
 * practise.
 */
function complete(
  deps: StoreDeps,
  row: Known,
  args: Record<string, unknown>,
  key: string,
  now: number,
): Outcome {
  if (row.status === 'completed')
    return row.completedWith === key
      ? row
      : refused('invalid_state', '$.status', 'The order is placed already');
  if (row.status === 'canceled')
    return refused('invalid_state', '$.status', 'The checkout is canceled');
  const missing = missingFacts(row.state);
  if (missing.length > 0) return { problems: missing };
  const checkout = isRecord(args['checkout']) ? args['checkout'] : args;
  const unlike = disagreements(checkout, row.state);
  if (unlike.length > 0) return { problems: unlike };
  const payment = isRecord(checkout['payment']) ? checkout['payment'] : {};
  const instruments = Array.isArray(payment['instruments'])
    ? payment['instruments'].filter(isRecord)
    : [];
  const chosen =
    instruments.find((instrument) => instrument['selected'] === true) ?? instruments[0];
  if (chosen === undefined)
    return refused('missing', '$.payment', 'A payment instrument is needed');
  if (isRecord(chosen['credential']) && chosen['credential']['token'] === 'decline')
    return refused('payment_failed', '$.payment', 'The simulated payment was declined');
  return {
    ...row,
    status: 'completed',
    completedWith: key,
    state: { ...row.state, orderId: `demo-${deps.mintId(now).slice(-12)}` },
  };
}

function shownBy({ origin, version }: StoreDeps): { origin: string; version: StoreVersion } {
  return { origin: origin(), version };
}

function failure(
  { version }: StoreDeps,
  problems: readonly CheckoutProblem[],
): Record<string, unknown> {
  return {
    ucp: { version, status: 'error' },
    messages: problems.map((problem) => ({ type: 'error', severity: 'recoverable', ...problem })),
  };
}
