import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import {
  type CampaignEvent,
  type CampaignState,
  campaignStatuses,
  deploymentOf,
  newCampaign,
  nextState,
  reviewStatuses,
} from './review-state.js';

const events: CampaignEvent[] = [
  ...campaignStatuses.map((status): CampaignEvent => ({ kind: 'set_status', status })),
  { kind: 'edit', keep: false },
  { kind: 'edit', keep: true },
  { kind: 'toggle_archive' },
  { kind: 'approve' },
  { kind: 'reject', keep: false },
  { kind: 'reject', keep: true },
];
/** Only at creation. */
const born: CampaignEvent = { kind: 'set_status', status: 'active', isActive: false };

/** Every state that can be reached, with every step out of it. */
function explore(): {
  states: CampaignState[];
  steps: {
    from: CampaignState;
    event: CampaignEvent;
    to: CampaignState | null;
    submitted: boolean;
  }[];
} {
  const known = new Map<string, CampaignState>([[JSON.stringify(newCampaign), newCampaign]]);
  const steps = [];
  for (const from of known.values()) {
    for (const event of from === newCampaign ? [...events, born] : events) {
      const move = nextState(from, event);
      steps.push({ from, event, to: move?.state ?? null, submitted: move?.submitted ?? false });
      if (move !== null) known.set(JSON.stringify(move.state), move.state);
    }
  }
  return { states: [...known.values()], steps };
}

const nameOf = (event: CampaignEvent): string =>
  event.kind === 'set_status' ? event.status : event.kind;

describe('the states of a campaign', () => {
  const { states, steps } = explore();

  it('are few and consistent wherever they are reached from', () => {
    assert.equal(states.length, 29);
    for (const state of states) {
      assert.equal(state.deploymentStatus, deploymentOf(state));
      if (state.status === 'draft') assert.equal(state.reviewStatus, 'not_submitted');
      if (state.isActive) assert.ok(state.status === 'active' && !state.isArchived);
      if (state.deploymentStatus === 'deployed')
        assert.ok(state.isActive && state.reviewStatus === 'approved');
    }
  });

  it('nothing is shown without an approval of what is shown', () => {
    for (const { from, event, to } of steps) {
      if (to?.deploymentStatus !== 'deployed' || from.reviewStatus === 'approved') continue;
      assert.equal(event.kind, 'approve');
    }
    for (const { event, to } of steps)
      if (event.kind === 'edit') assert.notEqual(to?.deploymentStatus, 'deployed');
  });

  it('what was approved is shown beside a newer version only where that was asked for', () => {
    for (const state of states)
      if (state.showsApproved)
        assert.ok(['pending_review', 'rejected'].includes(state.reviewStatus));
    for (const { from, event, to } of steps) {
      if (to?.showsApproved !== true || from.showsApproved) continue;
      assert.ok(event.kind === 'edit' && event.keep && from.reviewStatus === 'approved');
    }
    for (const { event, to } of steps)
      if ((event.kind === 'edit' || event.kind === 'reject') && !event.keep)
        assert.notEqual(to?.showsApproved, true);
  });

  it('only what was handed in can be judged', () => {
    for (const { from, event, to } of steps) {
      if (event.kind !== 'approve' && event.kind !== 'reject') assert.notEqual(to, null);
      else assert.equal(to === null, from.reviewStatus === 'not_submitted');
    }
  });

  it('a step counts as handing in exactly when it leads into review, or an edit happens there', () => {
    for (const { from, event, to, submitted } of steps) {
      const enters =
        to?.reviewStatus === 'pending_review' && from.reviewStatus !== 'pending_review';
      assert.equal(
        submitted,
        enters || (event.kind === 'edit' && from.reviewStatus === 'pending_review'),
        JSON.stringify({ from, event }),
      );
    }
  });

  it('archiving pauses; neither way touches the review', () => {
    for (const { from, event, to } of steps) {
      if (event.kind !== 'toggle_archive' || to === null) continue;
      assert.equal(to.isArchived, !from.isArchived);
      assert.equal(to.reviewStatus, from.reviewStatus);
      if (to.isArchived) assert.deepEqual([to.isActive, to.status], [false, 'paused']);
    }
  });

  it('are drawn in the documentation exactly as they are', () => {
    const drawn = readFileSync(
      new URL('../../../../docs/review-states.md', import.meta.url),
      'utf8',
    );
    const arrows = (section: string): Set<string> => {
      const [, chart = ''] =
        new RegExp(`## ${section}[\\s\\S]*?\`\`\`mermaid\\n([\\s\\S]*?)\`\`\``).exec(drawn) ?? [];
      const lines = chart.matchAll(/^\s*(\w+) --> (\w+): (.+)$/gm);
      return new Set(
        [...lines].flatMap(([, from, to, labels = '']) =>
          labels.split(',').map((label) => `${from} ${label.trim()} ${to}`),
        ),
      );
    };
    const real = (field: 'reviewStatus' | 'deploymentStatus'): Set<string> =>
      new Set(
        steps.flatMap(({ from, event, to }) =>
          to === null || to[field] === from[field]
            ? []
            : [`${from[field]} ${nameOf(event)} ${to[field]}`],
        ),
      );
    assert.deepEqual([...arrows('review_status')].sort(), [...real('reviewStatus')].sort());
    assert.deepEqual([...arrows('deployment_status')].sort(), [...real('deploymentStatus')].sort());
    assert.deepEqual(new Set(states.map((state) => state.reviewStatus)), new Set(reviewStatuses));
  });
});
