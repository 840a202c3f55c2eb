import { businessNeeds } from './catalogue/business-needs.js';
import { familyNeeds } from './catalogue/family-needs.js';
import { foodNeeds } from './catalogue/food-needs.js';
import { healthNeeds } from './catalogue/health-needs.js';
import { homeNeeds } from './catalogue/home-needs.js';
import { idleTalk } from './catalogue/idle-talk.js';
import { knowledgeTalk } from './catalogue/knowledge-talk.js';
import { learningNeeds } from './catalogue/learning-needs.js';
import { leisureNeeds } from './catalogue/leisure-needs.js';
import { moneyNeeds } from './catalogue/money-needs.js';
import { sensitiveTalk } from './catalogue/sensitive-talk.js';
import { technologyNeeds } from './catalogue/technology-needs.js';
import { travelNeeds } from './catalogue/travel-needs.js';
import { vehicleNeeds } from './catalogue/vehicle-needs.js';
import { workNeeds } from './catalogue/work-needs.js';

/**
 * What a conversation can be about: a need an ad can answer, talk without one, or talk no ad may
 * stand beside.
 */
export type TopicKind = 'need' | 'idle' | 'sensitive';

export type Topic = {
  kind: TopicKind;
  /** How an explanation names it. */
  id: string;
  /** In the words of someone who offers it. */
  description: string;
  /** In the words of people who ask. */
  examples: readonly string[];
};

const sources: readonly (readonly [TopicKind, string])[] = [
  ...[
    travelNeeds,
    foodNeeds,
    moneyNeeds,
    workNeeds,
    businessNeeds,
    healthNeeds,
    vehicleNeeds,
    homeNeeds,
    technologyNeeds,
    learningNeeds,
    familyNeeds,
    leisureNeeds,
  ].map((text) => ['need', text] as const),
  ['idle', idleTalk],
  ['idle', knowledgeTalk],
  ['sensitive', sensitiveTalk],
];

function readTopics(kind: TopicKind, text: string): Topic[] {
  return text
    .split(/^# /m)
    .slice(1)
    .map((block) => {
      const [heading = '', ...lines] = block.trim().split('\n');
      const [id = '', description = id] = heading.split(' | ');
      return { kind, id, description, examples: lines };
    });
}

/** The topics in a fixed order, which is also the order of their vectors. */
export const topicCatalogue: readonly Topic[] = sources.flatMap(([kind, text]) =>
  readTopics(kind, text),
);

/** Every text of the catalogue: the description and then the examples of each topic. */
export const topicTexts: readonly string[] = topicCatalogue.flatMap((topic) => [
  topic.description,
  ...topic.examples,
]);
