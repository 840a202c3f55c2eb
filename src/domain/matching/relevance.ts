/** What is known about one ad group for one conversation. */
export type MatchSignals = {
  /** Nearness in meaning, or null while either side has no vector. */
  cosine: number | null;
  /**
   * How far it is ahead of the best imaginable offer for this need; negative when some other trade
   * would answer it better.
   */
  ahead: number;
  /** Share of the telling words of the conversation that the ad group holds. */
  lexical: number;
  /**
   * How far it stays behind the best ad group. Nothing for the best, so equal competitors do not
   * hurt each other.
   */
  behind: number;
  /** How much of the talk is about a need at all. */
  need: number;
  /** Said in the form of a question of knowledge. */
  asksToKnow: boolean;
  /** Its brand was named. */
  branded: boolean;
};

/**
 * Fitted by logistic regression on conversations with and without a fitting ad group, on the cosine
 * scale of the embedded model; the
 * weights of need and form set afterwards on questions of knowledge, poems and code, which an ad
 * must not answer. The constant lies a little
 * below the fitted one: where nobody offers what is asked for, a sixth fewer ads are shown for one
 * right one in a hundred.
 */
const byMeaning = {
  constant: -6.85,
  cosine: 8.9,
  ahead: 4.2,
  lexical: 0.6,
  behind: -8.2,
  need: 5,
  asksToKnow: -1.6,
};
const byWords = { constant: -1.1, lexical: 3.2, behind: -4.3, asksToKnow: -0.8 };
/** The form says less the surer the meaning is a need: "how many calories are in a bagel". */
const doubt = 1 / 8;
const brandedAtLeast = 0.95;

/**
 * The chance that someone who looks at it calls the ad right for the conversation: 0.5 means as
 * likely as not, for every publisher.
 */
export function relevanceOf({
  cosine,
  ahead,
  lexical,
  behind,
  need,
  asksToKnow,
  branded,
}: MatchSignals): number {
  const evidence =
    cosine === null
      ? byWords.constant +
        byWords.lexical * lexical +
        byWords.behind * behind +
        (asksToKnow ? byWords.asksToKnow : 0)
      : byMeaning.constant +
        byMeaning.cosine * cosine +
        byMeaning.ahead * ahead +
        byMeaning.lexical * lexical +
        byMeaning.behind * behind +
        byMeaning.need * need +
        (asksToKnow ? byMeaning.asksToKnow * Math.min(1, (1 - need) / doubt) : 0);
  const chance = 1 / (1 + Math.exp(-evidence));
  return branded ? Math.max(chance, brandedAtLeast) : chance;
}
