/** How the traffic of one kind of publisher behaves. Rates are of views. */
export interface PublisherKind {
  name: string;
  isHonest: boolean;
  publishers: number;
  /** Clicks of a view: drawn once a publisher, between these. */
  clickRate: readonly [least: number, most: number];
  /** Milliseconds from seeing to clicking, spread evenly on a logarithmic scale. */
  delayMs: readonly [least: number, most: number];
  /** Purchases of a click that the advertiser's own server tells of: drawn once a publisher. */
  conversionRate: readonly [least: number, most: number];
  /** Purchases of a click told by an anonymous request to the pixel. */
  fakeConversions: number;
  /** Addresses its traffic comes from; 0: one for each person. */
  addresses: number;
  /** Share of views whose country is not what the publisher says. */
  displaced: number;
  agents: 'people' | 'machines';
  /** Whether ads are shown before they are clicked. */
  shows: boolean;
  /** Of how many views others have. */
  volume?: number;
  /** Share of its clicks that are made up; the rest is people's, whose money is its own. */
  madeUp?: number;
  /** Share of its clicks on ads of its own shop, which tells of a purchase each time. */
  ownShop?: number;
}

const person = {
  clickRate: [0.02, 0.04],
  delayMs: [1200, 40_000],
  conversionRate: [0.1, 0.14],
  fakeConversions: 0,
  addresses: 0,
  displaced: 0.015,
  agents: 'people',
  shows: true,
} as const;

const honest: PublisherKind = { ...person, name: 'honest', isHonest: true, publishers: 8 };
/** The same people, of audiences that click and buy up to four times as much as others. */
const unlike: PublisherKind = {
  ...honest,
  name: 'honest, fourfold unlike',
  clickRate: [0.015, 0.06],
  conversionRate: [0.06, 0.24],
};

const dishonest: readonly PublisherKind[] = [
  {
    ...person,
    name: 'bots that only look',
    isHonest: false,
    publishers: 1,
    clickRate: [0.0001, 0.0001],
    conversionRate: [0, 0],
  },
  {
    ...person,
    name: 'scripts that click',
    isHonest: false,
    publishers: 1,
    clickRate: [0.3, 0.6],
    conversionRate: [0, 0],
    agents: 'machines',
  },
  {
    ...person,
    name: 'a click farm behind few addresses',
    isHonest: false,
    publishers: 1,
    clickRate: [0.5, 0.8],
    conversionRate: [0, 0],
    addresses: 12,
  },
  {
    ...person,
    name: 'hijacked browsers, many clicks',
    isHonest: false,
    publishers: 1,
    clickRate: [0.15, 0.3],
    conversionRate: [0, 0],
  },
  {
    ...person,
    name: 'hijacked browsers, few quick clicks',
    isHonest: false,
    publishers: 1,
    clickRate: [0.05, 0.08],
    delayMs: [120, 900],
    conversionRate: [0.02, 0.02],
  },
  {
    ...person,
    name: 'few clicks that never buy',
    isHonest: false,
    publishers: 1,
    clickRate: [0.06, 0.09],
    conversionRate: [0, 0],
  },
  {
    ...person,
    name: 'own clicks and invented purchases',
    isHonest: false,
    publishers: 1,
    clickRate: [0.06, 0.09],
    conversionRate: [0, 0],
    fakeConversions: 1,
  },
  {
    ...person,
    name: 'foreign views sold as domestic',
    isHonest: false,
    publishers: 1,
    displaced: 0.8,
    conversionRate: [0.02, 0.02],
  },
  {
    ...person,
    name: 'clicks on ads never shown',
    isHonest: false,
    publishers: 1,
    clickRate: [0.3, 0.5],
    conversionRate: [0, 0],
    shows: false,
  },
];

/** Harder to tell from people: they mix, take their time, or have a shop of their own. */
const harder: readonly PublisherKind[] = [
  {
    ...person,
    name: 'a tenth of the clicks made up',
    isHonest: false,
    publishers: 1,
    clickRate: [0.022, 0.044],
    conversionRate: [0.09, 0.126],
    madeUp: 0.1,
  },
  {
    ...person,
    name: 'half of the clicks made up',
    isHonest: false,
    publishers: 1,
    clickRate: [0.04, 0.08],
    conversionRate: [0.05, 0.07],
    madeUp: 0.5,
  },
  {
    ...person,
    name: 'a farm in people’s homes',
    isHonest: false,
    publishers: 1,
    conversionRate: [0, 0],
  },
  {
    ...person,
    name: 'a slow drip',
    isHonest: false,
    publishers: 1,
    clickRate: [0.03, 0.05],
    conversionRate: [0, 0],
    volume: 0.1,
  },
  {
    ...person,
    name: 'clicks for others, purchases for itself',
    isHonest: false,
    publishers: 1,
    clickRate: [0.03, 0.06],
    conversionRate: [0, 0],
    ownShop: 0.15,
  },
];

/** Every kind of dishonest publisher beside honest ones that are alike, or that differ. */
export function publisherKinds(differ: boolean, areHard: boolean): readonly PublisherKind[] {
  return [differ ? unlike : honest, ...dishonest, ...(areHard ? harder : [])];
}
