// The market simulator, shortened: the same bounds as the full run.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { learnClicks } from './market/learn-clicks.js';
import { spendBudgets } from './market/spend-budgets.js';

test('budgets are never passed, used up and spread over the day, on four nodes with late beacons and a dying node', () => {
  const spend = spendBudgets({
    seed: 1,
    campaigns: 12,
    topics: 6,
    requestsPerDay: 25_000,
    days: 3,
    nodes: 4,
    holdMs: { cpm: 300_000, cpc: 30_000 },
    supply: { least: 1.5, most: 3 },
  });
  assert.ok(spend.campaignDays >= 8);
  assert.ok(spend.billed > 10_000 && spend.billedLate > 100);
  assert.equal(spend.overspendMicros, 0);
  assert.ok(spend.use >= 0.98, `use ${spend.use}`);
  assert.ok(spend.smoothness <= 0.02, `smoothness ${spend.smoothness}`);
});

test('the click model finds the better ads, is never worse than bid times relevance, and is calibrated', () => {
  const reports = learnClicks({ seed: 2, ads: 100, topics: 10, checkpoints: [20_000, 100_000] });
  for (const { impressions, regret, baselineRegret, calibration } of reports) {
    assert.ok(
      regret <= baselineRegret,
      `at ${impressions}: ${regret} is worse than ${baselineRegret}`,
    );
    assert.ok(
      calibration >= 0.95 && calibration <= 1.05,
      `at ${impressions}: calibration ${calibration}`,
    );
  }
  assert.ok((reports[1]?.regret ?? 1) <= 0.1, `regret ${reports[1]?.regret}`);
});

test('the same seed gives the same market', () => {
  const once = () => learnClicks({ seed: 5, ads: 20, topics: 4, checkpoints: [2000] });
  assert.deepEqual(once(), once());
});
