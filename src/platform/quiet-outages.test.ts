import assert from 'node:assert/strict';
import { it } from 'node:test';
import { UnreachableDatabase } from './db/unreachable-database.js';
import { errorFields, silentLog } from './log.js';
import { quietOutages } from './quiet-outages.js';

it('each kind of try that fails is told once until the database is known to be away, then none', () => {
  const lines: string[] = [];
  const note = (_fields: object, message: string): void => void lines.push(message);
  const contact = { isAway: false, heardAt: 1 };
  const { log, leftOut } = quietOutages({ ...silentLog, warn: note, error: note }, contact);
  const lost = errorFields(new UnreachableDatabase('cannot reach the database'));
  const told = (): string[] => lines.splice(0);

  for (let tries = 0; tries < 3; tries += 1) log.warn(lost, 'not balanced');
  log.error({ err: { name: 'UnreachableDatabase' } }, 'request failed');
  assert.deepEqual(told(), ['not balanced', 'request failed']);

  contact.isAway = true;
  log.warn(lost, 'not paced');
  log.warn(errorFields(new Error('a row is missing')), 'not paced');
  assert.deepEqual(told(), ['not paced']);
  assert.deepEqual([leftOut(), leftOut()], [3, 0]);

  Object.assign(contact, { isAway: false, heardAt: 2 });
  log.warn(lost, 'not balanced');
  assert.deepEqual(told(), ['not balanced']);
});
