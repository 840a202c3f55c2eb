/** What is known about one ad group for one conversation. */
export type MatchSignals = {
  /** Nearness in meaning, or null while either side has no vector. */
  cosine: number | null;
  /** How far it is ahead of the best imaginable offer for this need; negative when some other trade would answer it better. */
  ahead: number;
  /** Share of the telling words of the conversation that the ad group holds. */
  lexical: number;
  /** How far it stays behind the best ad group. Nothing for the best, so equal competitors do not hurt each other. */
  behind: number;
  /** How much of the talk is about a need at all. */
  need: number;
  /** Its brand was named. */
  branded: boolean;
};

/** Fitted by logistic regression on conversations with and without a fitting ad group, on the cosine scale of the embedded model. */
const byMeaning = { constant: -5.5, cosine: 8.9, ahead: 4.2, lexical: 0.6, behind: -8.2, need: 3.3 };
const byWords = { constant: -1.1, lexical: 3.2, behind: -4.3 };
const brandedAtLeast = 0.95;

/** The chance that someone who looks at it calls the ad right for the conversation: 0.5 means as likely as not, for every publisher. */
export function relevanceOf({ cosine, ahead, lexical, behind, need, branded }: MatchSignals): number {
  const evidence = cosine === null
    ? byWords.constant + byWords.lexical * lexical + byWords.behind * behind
    : byMeaning.constant + byMeaning.cosine * cosine + byMeaning.ahead * ahead + byMeaning.lexical * lexical + byMeaning.behind * behind + byMeaning.need * need;
  const chance = 1 / (1 + Math.exp(-evidence));
  return branded ? Math.max(chance, brandedAtLeast) : chance;
}
