import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { openBenchApp } from '../support/open-bench-app.js';
import { amongOthers, insertOffers, tradeOffers, unrelatedOffers } from './bench-offers.js';
import { type Case, type JudgedSet, withSlips } from './judged-sets.js';

export type Stated = { relevance: number; helpful: boolean };

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};
const share = (part: number, whole: number): string =>
  whole === 0 ? '   –' : (part / whole).toFixed(3);

const variants = ['as it is', 'one slip', '+1,000 offers'];

/**
 * Every set through the HTTP door, as it is, with slips of the pen, and with more offers: each in a
 * process of its own, because the native part of the model cannot be loaded again for ever.
 */
export async function judgeSets(sets: readonly JudgedSet[]): Promise<Stated[]> {
  const stated: Stated[] = [];
  print('set             variant         kind         cases  served  right  precision');
  for (const { name } of sets)
    for (const variant of variants) stated.push(...(await judgeApart(name, variant)));
  return stated;
}

function judgeApart(set: string, variant: string): Promise<Stated[]> {
  const bench = fileURLToPath(new URL('../../../scripts/bench.mjs', import.meta.url));
  const child = fork(bench, ['matching', 'judge', set, variant]);
  let stated: Stated[] = [];
  child.on('message', (message) => {
    stated = message as Stated[]; // Sent by judgeVariant alone.
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) =>
      code === 0 ? resolve(stated) : reject(new Error(`${set}, ${variant}: ended with ${code}`)),
    );
  });
}

/** One set in one way; hands back how helpful the offers of the plain way were said to be. */
export async function judgeVariant(set: JudgedSet, variant: string): Promise<void> {
  const stated: Stated[] = [];
  const cases = variant === 'one slip' ? withSlips(set.cases) : set.cases;
  const more = variant === '+1,000 offers' ? 1000 : 0;
  await judgeSet({ ...set, cases }, variant, more, variant === 'as it is' ? stated : null);
  await new Promise<void>((resolve) => {
    if (process.send === undefined) resolve();
    else process.send(stated, () => resolve());
  });
}

async function judgeSet(
  set: JudgedSet,
  variant: string,
  more: number,
  stated: Stated[] | null,
): Promise<void> {
  process.env['MATCHING'] = 'semantic';
  const { app, db, publisher, advertiser } = await openBenchApp();
  try {
    const { reader } = app.services;
    await reader.ready;
    const offers = [
      ...(await amongOthers(reader, set.offers, tradeOffers())),
      ...unrelatedOffers(more),
    ];
    const offerOf = await insertOffers(db, advertiser.id, offers);
    await app.serving.inventory.refresh(null);
    await app.serving.matcher.settled();
    await app.serving.balance();
    const got: (string | null)[] = [];
    for (const [at, each] of set.cases.entries()) {
      const answer = await app.http.inject({
        method: 'POST',
        url: '/api/v1/ad',
        headers: { authorization: `Bearer ${publisher.apiKey}` },
        payload: {
          messages: each.messages,
          sessionId: `bench-${at}`,
          placements: [{ placement: 'below_response', placement_id: 'main' }],
        },
      });
      const [ad] = answer.statusCode === 200 ? (answer.json() as { campaignId: string }[]) : [];
      got.push(ad === undefined ? null : (offerOf.get(ad.campaignId) ?? 'unknown'));
      if (stated !== null) {
        const query = await app.serving.matcher.read(each.messages, []);
        const [best] = app.serving.matcher.match(query, 1);
        const offer = best === undefined ? undefined : app.serving.inventory.offer(best.slot);
        if (best !== undefined && offer !== undefined)
          stated.push({
            relevance: best.relevance,
            helpful: isRight(each, offerOf.get(offer.campaign.id) ?? ''),
          });
      }
    }
    report(set, variant, got);
  } finally {
    await app.close();
  }
}

function isRight({ want }: Case, got: string): boolean {
  return want === null || want.includes(got);
}

function report(set: JudgedSet, variant: string, got: readonly (string | null)[]): void {
  const kinds = [...new Set(set.cases.map(({ kind }) => kind))];
  for (const kind of [...kinds, ...(kinds.length > 1 ? ['all'] : [])]) {
    const places = set.cases.flatMap((each, at) =>
      kind === 'all' || each.kind === kind ? [at] : [],
    );
    const served = places.filter((at) => got[at] !== null);
    const right = served.filter((at) => isRight(set.cases[at]!, got[at]!));
    const wanted = places.filter((at) => set.cases[at]!.want?.length !== 0);
    print(
      [
        set.name.padEnd(15),
        variant.padEnd(15),
        kind.padEnd(12),
        String(places.length).padStart(5),
        share(served.length, places.length).padStart(7),
        share(right.length, wanted.length).padStart(6),
        share(right.length, served.length).padStart(10),
      ].join(' '),
    );
    if (process.env['MISTAKES'] === kind || process.env['MISTAKES'] === set.name)
      for (const at of places) {
        const each = set.cases[at]!;
        const isWrong = got[at] === null ? each.want?.length !== 0 : !isRight(each, got[at]!);
        if (isWrong)
          print(
            `    ${each.want?.join(' or ') ?? 'any'} ← ${got[at] ?? 'nothing'}: ${each.messages.at(-1)?.content.slice(0, 150).replaceAll('\n', ' ')}`,
          );
      }
  }
}

/** Of the ads stated as about so helpful, how many were. */
export function reliability(stated: readonly Stated[]): void {
  print('\nstated relevance   offers   were helpful');
  for (let from = 0; from < 1; from += 0.1) {
    const bin = stated.filter(({ relevance }) => relevance >= from && relevance < from + 0.1);
    const helpful = bin.filter(({ helpful: was }) => was).length;
    const bar = '#'.repeat(bin.length === 0 ? 0 : Math.round((helpful / bin.length) * 40));
    print(
      `${from.toFixed(1)} – ${(from + 0.1).toFixed(1)}        ${String(bin.length).padStart(6)}   ${share(helpful, bin.length)} ${bar}`,
    );
  }
}
