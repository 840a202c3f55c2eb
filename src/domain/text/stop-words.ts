// Words that say nothing about what someone needs. Tokens are folded and without apostrophes
// ("dont"), as `tokenize` gives them.

const words = `
a about above after again ago all almost alone along already also although always am among an and another any anybody anyhow anyone anything anyway
are arent around as ask asked at away
back be became because become been before being below between both but by
came can cannot cant come comes could couldnt
did didnt do does doesnt doing done dont down during
each either else enough etc even ever every everybody everyone everything
few for from further
get gets getting give given go goes going gone gonna got gotta
had hadnt has hasnt have havent having he hed hell help her here heres hers herself hes hey hi him himself his how however hows
i id idk if ill im in indeed instead into is isnt it itd itll its itself ive
just
keep kind know known
last later least less let lets like likely little look looking lot lots
made make makes many may maybe me mean might mine more most mostly much must my myself
near need needs neither never next no nobody none nor not nothing now
of off often oh ok okay on once one ones only onto or other others ought our ours ourselves out over own
per perhaps please possible probably put
quite
rather really right
said same saw say says see seem seems seen several shall she shes should shouldnt show since so some somebody someone something sometimes soon sort still such sure
take tell than thank thanks that thatd thats the their theirs them themselves then there theres these they theyd theyll theyre theyve thing things think this
those though through thus to together told too toward towards tried try trying
under until up upon us use used uses using
very via
want wanted wants was wasnt way we wed well went were werent weve what whatever whats when whenever where wheres whether which while who whoever whole whom whos
whose why will wish with within without wont would wouldnt
yeah yes yet you youd youll your youre yours yourself yourselves youve
`;

const stopWords: ReadonlySet<string> = new Set(words.split(/\s+/).filter((each) => each !== ''));

export function isStopWord(token: string): boolean {
  return stopWords.has(token);
}
