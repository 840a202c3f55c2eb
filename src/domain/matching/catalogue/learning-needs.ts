/**
 * Each heading is an offer in the words of those who make it; the lines below are how people ask
 * for it.
 */
export const learningNeeds = `
# Books, audiobooks and e-readers
a thriller for the plane
read me chapter three
what should I read after Dune
a good biography
listen to novels while driving
# Programming courses and tech bootcamps
I'd like to become a developer
learn to code in my free time
practise algorithms
learn python from zero
# Language learning and translation
what's the word for bread in Portuguese
put this sentence into Korean
I'd like to speak German by summer
how would a local greet someone in Athens
how do you ask for the bill in Italian
how do I say thank you in Arabic
translate good night into French
what does bonjour mean
practise speaking Spanish
how do you say hello in Swahili
what's goodbye in Turkish
can you translate this for me
# Online courses, tutoring and school help
I'm failing chemistry
a tutor for my son
get a certificate in design
study for the entrance exam
help with fractions
my kid struggles with reading
revise for finals
I don't get trigonometry
I can't follow my statistics class
my biology test is on Monday
someone to teach me physics
how many points do I need to pass
her marks are getting worse
my boy can't do his homework alone
prepare for college admission tests
# Universities and degrees
where should I study law
how do I apply for a master's
what grades do I need to get in
# Photography and photo printing
someone to take our pictures
print an album
portraits of our newborn
# Arts, crafts and hobbies
start knitting
paint by numbers
make my own candles
# Musical instruments and lessons
learn the guitar
tune my piano
a keyboard for a beginner
strings for my violin
# Genealogy and DNA tests
where did my ancestors live
trace my family tree
find my great grandparents
where is my family from
# News and magazines
what happened in the world today
subscribe to a paper
follow the markets every morning
# Collectibles, antiques and art
what is this painting worth
sell my grandfather's coins
# Podcasts and radio
a podcast about money
# Comics, anime and fandom
where do I start with manga
# Astrology and horoscopes
what does my star sign say
# Sewing, knitting and fabric
hem my own trousers
the thread breaks all the time
a pattern for a skirt
wool for a scarf
# Board games and puzzles
a game for six grown ups
`;
