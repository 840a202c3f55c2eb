import type { App } from '../../app.js';
import { createRandom } from '../../domain/decision/seeded-random.js';
import { grclidOf } from '../../domain/grclid.js';
import { createConversionRecorder } from '../../surfaces/conversions/record-conversions.js';
import { dayMs, utcDay, utcMidnight } from '../../domain/time/utc-day.js';

const daysAReport = 6;
/** Each report costs the first start a moment. */
const days = 18;
const names = [
  'Purchase',
  'Purchase',
  'Purchase',
  'Lead',
  'CompleteRegistration',
  'AddToCart',
  'StartTrial',
] as const;

/**
 * Some of the advertiser's demo clicks convert, through the same intake as any conversion, reported
 * within the week as stores do.
 */
export async function seedConversions(
  { services }: Pick<App, 'services'>,
  advertiserId: string,
  clicks: readonly { id: string; at: number; advertiserId: string }[],
): Promise<void> {
  const random = createRandom(77);
  const today = utcMidnight(services.clock());
  const batches = new Map<number, Record<string, unknown>[]>();
  for (const click of clicks) {
    if (random() > 0.3 || click.advertiserId !== advertiserId || click.at < today - days * dayMs)
      continue;
    const at = Math.min(click.at + Math.floor(random() * 3 * 3_600_000), today - 1000);
    const name = names[Math.floor(random() * names.length)] ?? 'Purchase';
    const reportedAt =
      today - 1 - Math.floor((today - 1 - at) / (daysAReport * dayMs)) * daysAReport * dayMs;
    const batch = batches.get(reportedAt) ?? [];
    batches.set(reportedAt, batch);
    batch.push({
      event_name: name,
      event_time: Math.floor(at / 1000),
      event_id: `demo-${click.id}`,
      action_source: 'website',
      event_source_url: 'https://shop.demo.example/thanks',
      user_data: { click_id: grclidOf(click.id) },
      custom_data:
        name === 'Purchase'
          ? {
              value: Math.round((15 + random() * 120) * 100) / 100,
              currency: 'USD',
              order_id: `D${batches.size}${100 + batch.length}`,
            }
          : {},
    });
  }
  for (const [reportedAt, events] of [...batches].sort(([a], [b]) => a - b)) {
    const record = createConversionRecorder({
      ...services,
      clock: () => reportedAt,
      windows: { clickMs: 30 * dayMs, viewMs: dayMs },
      shareBpsOf: () => 7000,
      isPublisherBlocked: () => false,
      budgetDay: (_advertiser, at) => utcDay(at),
    });
    await record(advertiserId, events, { source: 'capi', isDemo: true });
  }
}
