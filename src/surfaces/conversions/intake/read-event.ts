import { sha256, withoutPersonalData } from '../../../domain/pii.js';
import { readClientContext } from './read-client-context.js';
import { readCustomData, readMoney } from './read-custom-data.js';
import { BadEvent, isObject, objectOf, optionalText, requiredText } from './read-fields.js';
import { readUserData } from './read-user-data.js';
import { storableJson } from './storable.js';

/** A conversion as the rest of the surface knows it: checked, and without plain personal data. */
export interface Conversion {
  eventName: string;
  eventId: string;
  /** What repeats are told by: 128 bits of the hash of name and id. */
  key: string;
  at: number;
  optOut: boolean;
  serveId: string | null;
  visitor: string | null;
  session: string | null;
  /** Keys of the hashed e-mails, phones and external ids. */
  people: string[];
  /** Hashed e-mails: what publishers may have sent too. */
  emails: string[];
  amountMicros: number;
  currency: string;
  orderId: string | null;
  pageUrl: string | null;
  /** JSON text: what is left of the event beside the above, personal data hashed. */
  details: string;
}

const aheadMs = 10 * 60_000;
const oldMs = 7 * 86_400_000;

/** Reads one item of `data`; throws `BadEvent`. */
export function readEvent(raw: unknown, now: number): Conversion {
  if (!isObject(raw)) throw new BadEvent('event must be an object');
  const user = objectOf(raw, 'user_data') ?? {};
  const custom = objectOf(raw, 'custom_data') ?? {};
  const context = objectOf(raw, 'client_context');
  const eventName = withoutPersonalData(requiredText(raw, 'event_name', 200)).trim();
  if (eventName === '') throw new BadEvent('event_name must not be an e-mail address');
  const eventId = requiredText(raw, 'event_id', 500);
  const at = readTime(raw['event_time'], now);
  if (
    raw['opt_out'] !== undefined &&
    raw['opt_out'] !== null &&
    typeof raw['opt_out'] !== 'boolean'
  )
    throw new BadEvent('opt_out must be true or false');
  const actionSource = optionalText(raw, 'action_source', 100);
  const pageUrl = optionalText(raw, 'event_source_url', 4000);
  const person = readUserData(user);
  const money = readMoney(custom);
  const orderId = optionalText(custom, 'order_id', 200, 'custom_data.');
  // As text from the start: an object made only to be written costs more than everything else here.
  let details = `"user_data":${person.stored}${readCustomData(custom)}`;
  if (actionSource !== null)
    details += `,"action_source":${JSON.stringify(withoutPersonalData(actionSource))}`;
  if (context !== null) details += `,"client_context":${readClientContext(context)}`;
  return {
    eventName,
    eventId: withoutPersonalData(eventId),
    key: sha256(`${eventName.toLowerCase()}\n${eventId}`).slice(0, 32),
    at,
    optOut: raw['opt_out'] === true,
    serveId: person.serveId,
    visitor: person.visitor,
    session: person.session,
    people: person.people,
    emails: person.emails,
    amountMicros: money.amountMicros,
    currency: money.currency,
    orderId: orderId === null ? null : withoutPersonalData(orderId),
    pageUrl: pageUrl === null ? null : withoutPersonalData(pageUrl),
    details: storableJson(`{${details}}`),
  };
}

function readTime(value: unknown, now: number): number {
  if (value === undefined || value === null) throw new BadEvent('event_time is required');
  if (typeof value !== 'number' || !Number.isSafeInteger(value))
    throw new BadEvent('event_time must be an integer of Unix seconds');
  const at = value * 1000;
  if (at > now + aheadMs) throw new BadEvent('event_time is more than 10 minutes in the future');
  if (at < now - oldMs) throw new BadEvent('event_time is more than 7 days old');
  return at;
}
