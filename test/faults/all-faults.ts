import { backupFaults } from './backup-kinds.js';
import { clockFaults } from './clock-kinds.js';
import { databaseFaults } from './database-kinds.js';
import { diskFaults } from './disk-kinds.js';
import type { Fault } from './fault.js';
import { processFaults } from './process-kinds.js';
import { releaseFaults } from './release-kinds.js';
import { startFaults } from './start-kinds.js';
import { workerFaults } from './worker-kinds.js';

export function allFaults(earlier: { main: string; name: string } | null): readonly Fault[] {
  return [
    ...processFaults,
    ...workerFaults,
    ...backupFaults,
    ...databaseFaults,
    ...diskFaults,
    ...clockFaults,
    ...startFaults,
    ...releaseFaults(earlier),
  ];
}
