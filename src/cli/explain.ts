import { isUuid, uuidDay } from '../domain/uuid.js';
import { explainRequest } from '../surfaces/operators/explain-request.js';
import { type Command, CommandFailure, UsageError } from './command.js';

export const explainCommand: Command = {
  help: 'Usage: sidelight explain REQUEST_ID\n\nThe id is in the x-ad-request-id header of the ad response.',
  async run({ args, openStore, print }) {
    const [id] = args;
    if (!isUuid(id)) throw new UsageError('say which request: sidelight explain REQUEST_ID');
    const store = await openStore();
    try {
      await store.settle(print);
      const found = await explainRequest(store.db, id, uuidDay(id));
      if (found === null) throw new CommandFailure(`there is no request ${id}`);
      print(JSON.stringify(found, null, 2));
      return 0;
    } finally {
      await store.close();
    }
  },
};
