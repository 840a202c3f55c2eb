import type { BilledEvent } from '../../domain/billing/billing-models.js';
import type { Db } from '../db/db.js';
import type { EventKind, EventRecord } from './event.js';
import { eventFacts } from './event-facts.js';
import { ingestEvents } from './ingest-events.js';

/** An event as it was counted. */
export interface CountedEvent {
  id: string;
  kind: BilledEvent;
  at: Date;
  publisherId: string | null;
  advertiserId: string | null;
  campaignId: string | null;
  adGroupId: string | null;
  adId: string | null;
  placement: string | null;
  device: string | null;
  country: string | null;
  userId: string | null;
  attribution: 'click' | 'view' | null;
  spendMicros: number;
  revenueMicros: number;
  valueMicros: number;
  budgetDay: string | null;
  /** Of a conversion: what it is counted under. */
  eventType: string | null;
}

/**
 * Over events `e` of some days: what counts, and was not reversed before; of views those that were
 * paid for, of a conversion's value what was not given back yet.
 */
export const countedEvents = (days: (column: string) => string): string => `
  select e.id, e.kind, e.at, e.publisher_id as "publisherId", e.advertiser_id as "advertiserId",
    e.campaign_id as "campaignId", e.ad_group_id as "adGroupId", e.ad_id as "adId", e.placement,
    e.device, e.country, e.user_id as "userId", e.attribution, e.spend_micros as "spendMicros",
    e.revenue_micros as "revenueMicros",
    e.value_micros - coalesce(
      (
        select c.refunded_value_micros
        from conversions c
        where e.kind = 'conversion' and c.advertiser_id = e.advertiser_id and c.id = e.id
      ), 0
    ) as "valueMicros", e.budget_day as "budgetDay", e.data ->> 'event_type' as "eventType"
  from ${eventFacts(days)} e
  where (
      e.kind in ('impression', 'click', 'conversion')
      or e.kind = 'viewable' and e.spend_micros <> 0
    )
    and e.invalid is null and not e.test
    and not exists (
      select 1
      from events r
      where r.day = e.day and r.id = e.id and r.kind = e.kind || '_reversal'
    )`;

/**
 * Takes events back: each gets a reversal at its own time, so every report of that day is restated
 * and the money returns.
 * Nothing is edited; reversing twice changes nothing. Returns those reversed now.
 */
export async function reverseEvents(
  tx: Db,
  events: readonly CountedEvent[],
  reason: string,
): Promise<CountedEvent[]> {
  const stored = new Set(
    (
      await ingestEvents(
        tx,
        events.map((event) => reversalOf(event, reason)),
      )
    ).map((event) => `${event.kind}:${event.id}`),
  );
  return events.filter((event) => stored.has(`${event.kind}_reversal:${event.id}`));
}

/**
 * Takes back a part of a conversion's value at the conversion's own time; count and cost stay. The
 * id is that of the refund, stored under the
 * conversion's day, so that repeating it changes nothing. Returns whether it was new.
 */
export async function lowerValue(
  tx: Db,
  event: CountedEvent,
  adjustment: { id: string; byMicros: number; reason: string },
): Promise<boolean> {
  const { eventType: _eventType, budgetDay: _budgetDay, ...facts } = event;
  const data = { reason: adjustment.reason, conversion_id: event.id };
  return (
    (
      await ingestEvents(tx, [
        {
          ...facts,
          id: adjustment.id,
          kind: 'conversion_adjustment',
          at: event.at.getTime(),
          spendMicros: 0,
          revenueMicros: 0,
          valueMicros: -adjustment.byMicros,
          data,
        },
      ])
    ).length > 0
  );
}

function reversalOf({ eventType, ...event }: CountedEvent, reason: string): EventRecord {
  const kind: EventKind = `${event.kind}_reversal`;
  return {
    ...event,
    kind,
    at: event.at.getTime(),
    spendMicros: -event.spendMicros,
    revenueMicros: -event.revenueMicros,
    valueMicros: -event.valueMicros,
    data: eventType === null ? { reason } : { reason, event_type: eventType },
  };
}
