import { PackedVectors } from './packed-vectors.js';
import { topicCatalogue } from './topic-catalogue.js';
import type { Topic } from './topic-catalogue.js';
import { addScaled, dot, normalise } from './vectors.js';

/** Where a text lies among the topics. */
export type Placement = {
  /** The text's own vector, before topics pulled at it. */
  own: Float32Array;
  /**
   * Pulled towards what is offered for such needs: "my flight got cancelled" comes nearer to
   * insurance. Compared with ad groups.
   */
  vector: Float32Array;
  /**
   * How near the best imaginable offer is, on the common scale: an ad group far behind it answers
   * some other need.
   */
  nearestOffer: number;
  /** How much of the talk is about something an ad can answer, 0 to 1. */
  need: number;
  /** How much of it is about something no ad may stand beside, 0 to 1. */
  sensitive: number;
  /** The nearest topic, for explanations. */
  topic: Topic;
  /**
   * A cosine with `vector`, brought to the scale of the embedded model, for which everything was
   * calibrated.
   */
  scale: CosineScale;
  /** How near another text is to this one, on the common scale. */
  nearnessTo(vector: Float32Array): number;
};

export type CosineScale = (cosine: number) => number;

export type TopicSpace = {
  place(vector: Float32Array): Placement;
  /** A vector as the others here are, for comparisons with ad groups. */
  adapt(vector: Float32Array): Float32Array;
  /** The vector to store for an ad group: pulled towards how people ask for such an offer. */
  placeOffer(vector: Float32Array): Float32Array;
};

// Chosen on groups and utterances the catalogue was not written for; quality is flat around all of
// them.
const sharpness = 20;
const descriptionShare = 0.4;
const pullOfTopics = 0.6;
const pullOfExamples = 0.3;
const negligible = 0.004;

/**
 * People ask in other words than sellers offer, and the model puts the two far apart. The catalogue
 * is the bridge: each topic holds both.
 * `given` are the vectors of `topicTexts`, in that order.
 */
export function createTopicSpace(
  given: readonly Float32Array[],
  topics: readonly Topic[] = topicCatalogue,
): TopicSpace {
  const adapt = adapterFor(given);
  const vectors = given.map(adapt);
  const bounds = [0];
  for (const topic of topics) bounds.push(bounds.at(-1)! + topic.examples.length + 1);
  if (topics.length === 0 || bounds.at(-1) !== vectors.length)
    throw new Error('the vectors do not belong to these topics');
  const nearnessToTexts = comparer(vectors);
  const descriptions = topics.map((_, at) => vectors[bounds[at]!]!);
  const examples = topics.map((_, at) => vectors.slice(bounds[at]! + 1, bounds[at + 1]!));
  const exampleMeans = examples.map((each, at) =>
    meanOf(each.length === 0 ? [descriptions[at]!] : each),
  );
  const nearnessToDescriptions = comparer(descriptions);
  const scale = scaleOf(descriptions, examples);

  function sharesOf(vector: Float32Array): Float64Array {
    const near = nearnessToTexts(vector);
    const nearness = new Float64Array(topics.length);
    for (let at = 0; at < nearness.length; at++) {
      const [from, to] = [bounds[at]!, bounds[at + 1]!];
      const described = near[from]!;
      let asked = to === from + 1 ? described : -1;
      for (let text = from + 1; text < to; text++) asked = Math.max(asked, near[text]!);
      nearness[at] = scale(descriptionShare * described + (1 - descriptionShare) * asked);
    }
    return softmax(nearness);
  }

  function pullToExamples(vector: Float32Array): Float32Array {
    const near = nearnessToDescriptions(vector);
    const shares = softmax(
      Float64Array.from(topics, (topic, at) => (topic.kind === 'need' ? scale(near[at]!) : -1)),
    );
    const pulled = vector.slice();
    topics.forEach((_, at) => {
      if (shares[at]! > negligible)
        addScaled(pulled, exampleMeans[at]!, pullOfExamples * shares[at]!);
    });
    return normalise(pulled);
  }

  const nearnessToOffers = comparer(
    descriptions.filter((_, at) => topics[at]!.kind === 'need').map(pullToExamples),
  );
  return {
    place(text) {
      const own = adapt(text);
      const shares = sharesOf(own);
      const vector = own.slice();
      let [need, sensitive, nearest] = [0, 0, 0];
      for (let at = 0; at < shares.length; at++) {
        const share = shares[at]!;
        const { kind } = topics[at]!;
        if (kind === 'need') need += share;
        else if (kind === 'sensitive') sensitive += share;
        if (share > shares[nearest]!) nearest = at;
        if (kind === 'need' && share > negligible)
          addScaled(vector, descriptions[at]!, pullOfTopics * share);
      }
      normalise(vector);
      const nearestOffer = scale(Math.max(-1, mostOf(nearnessToOffers(vector))));
      return {
        own,
        vector,
        nearestOffer,
        need,
        sensitive,
        topic: topics[nearest]!,
        scale,
        nearnessTo: (other) => scale(dot(own, adapt(other))),
      };
    },
    adapt,
    placeOffer: (vector) => pullToExamples(adapt(vector)),
  };
}

function comparer(vectors: readonly Float32Array[]): (vector: Float32Array) => Float32Array {
  const packed = new PackedVectors(vectors[0]?.length ?? 0);
  vectors.forEach((vector, at) => packed.set(at, vector));
  const all = vectors.map((_, at) => at);
  return (vector) => packed.products(all, vector);
}

/** Length of the mean of the catalogue's vectors in the embedded model. */
const referenceMean = 0.268;
/** The mean of a few vectors is long whatever the model. */
const enoughForMean = 200;

/**
 * Some models put all texts into one corner: what they have in common is taken out as far as the
 * embedded model has less of it.
 */
function adapterFor(vectors: readonly Float32Array[]): (vector: Float32Array) => Float32Array {
  if (vectors.length < enoughForMean) return (vector) => vector;
  const mean = meanOf(vectors);
  const length = Math.sqrt(dot(mean, mean));
  if (length < referenceMean * 1.1) return (vector) => vector;
  return (vector) => {
    const adapted = vector.slice();
    addScaled(adapted, mean, referenceMean / length - 1);
    return normalise(adapted);
  };
}

/**
 * Mean cosine of an example with its own description, and with another one, in the embedded model.
 */
const reference = { own: 0.305, other: 0.123 };

function scaleOf(
  descriptions: readonly Float32Array[],
  examples: readonly (readonly Float32Array[])[],
): CosineScale {
  let [own, other, count] = [0, 0, 0];
  examples.forEach((each, at) => {
    for (const example of each) {
      own += dot(example, descriptions[at]!);
      other += dot(example, descriptions[(at + 1) % descriptions.length]!);
      count++;
    }
  });
  if (count === 0 || own <= other) return (cosine) => cosine;
  const times = (reference.own - reference.other) / ((own - other) / count);
  const plus = reference.own - (own / count) * times;
  return Math.abs(times - 1) + Math.abs(plus) < 0.05
    ? (cosine) => cosine
    : (cosine) => cosine * times + plus;
}

function meanOf(vectors: readonly Float32Array[]): Float32Array {
  const mean = new Float32Array(vectors[0]!.length);
  for (const vector of vectors) addScaled(mean, vector, 1 / vectors.length);
  return mean;
}

/**
 * In place, and by plain loops like everything a conversation passes through: this is done for each
 * new one.
 */
function softmax(nearness: Float64Array): Float64Array {
  const most = mostOf(nearness);
  let sum = 0;
  for (let at = 0; at < nearness.length; at++)
    sum += nearness[at] = Math.exp((nearness[at]! - most) * sharpness);
  for (let at = 0; at < nearness.length; at++) nearness[at] = nearness[at]! / sum;
  return nearness;
}

function mostOf(values: Float32Array | Float64Array): number {
  let most = -Infinity;
  for (let at = 0; at < values.length; at++) most = Math.max(most, values[at]!);
  return most;
}
