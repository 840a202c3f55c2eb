/** Talk no ad may stand beside. The word before the bar names the topic in explanations. */
export const sensitiveTalk = `
# self_harm | Suicide and self-harm
I want to kill myself
I don't want to live any more
I keep cutting my arms
nobody would miss me if I were gone
how many pills would it take to die
I can't go on like this, everything is hopeless
# medical_crisis | Medical emergency or grave diagnosis
I have crushing chest pain and can't breathe
my father just had a stroke
the biopsy came back, it's cancer
she took an overdose
I'm bleeding badly and it won't stop
I was told the tumour is terminal
he collapsed and isn't waking up
# grief | Death of a loved one and grief
my mother died last night
my husband passed away
our baby was stillborn
I can't cope since my brother's funeral
we had to bury my son
we lost her in an accident
# abuse | Abuse, assault and domestic violence
my husband hits me
I was raped
someone touched me when I was little
I'm afraid of my boyfriend's temper
he threatens to hurt me if I leave
# violence | Violence, weapons, terror and crime
how do I build a bomb
I want to hurt him badly
there was a shooting at the school
which gun kills quickest
how do I get away with murder
# sexual | Sexual and adult content
write an erotic story
send me nude pictures
describe sex with her
porn recommendations
# hate | Hate, racism and extremism
why are those people inferior
immigrants should all be thrown out
jokes about that race
the holocaust never happened
# politics | Politics, elections and political conflict
who should I vote for
is the president doing a bad job
abortion should be illegal
what do you think about the war in the middle east
which party is right on gun control
# tragedy | War, disaster and tragic news
hundreds died in the earthquake
the plane crash killed everyone on board
bombs fell on our city
# drugs | Illegal drugs and addiction
where can I buy cocaine
I relapsed last night
I can't stop drinking
how do I cook meth
# minors | Children and teenagers speaking for themselves
I'm eleven years old
I'm nine and home alone
I'm in fifth grade and my teacher said
my mom doesn't know I'm talking to you, I'm 12
# crisis | Crime victims, arrest, eviction and homelessness
I was arrested last night
we are being evicted and have nowhere to go
my child has gone missing
I'm sleeping on the street
we have no money left for food
I can't put a meal on the table for my family
`;
