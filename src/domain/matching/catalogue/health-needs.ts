/**
 * Each heading is an offer in the words of those who make it; the lines below are how people ask
 * for it.
 */
export const healthNeeds = `
# Dentists and teeth
my tooth hurts when I drink something cold
how do I get whiter teeth
find someone who does braces
a filling fell out
my gums bleed
a piece of my tooth broke off
my wisdom teeth hurt
when was my last cleaning
# Doctors, clinics and online consultations
I need to see someone about a rash
book a check up
my back has hurt for a week
speak to a doctor by video
I've had a cough for two weeks
what could this mole be
# Pharmacy and prescriptions
refill my tablets
something for hay fever
where do I get this prescription filled
a remedy for a sore throat
tablets against heartburn
my nose is blocked
something for itchy eyes in spring
# Glasses, contact lenses and eye tests
everything far away looks blurry
my frames broke
daily lenses for sensitive eyes
I squint at the board
reading glasses
the small print is too small for me
I can't make out the signs when driving
my eyes burn from the monitor
an appointment for an eye test
# Hearing aids
I keep asking people to repeat themselves
the tv is too loud for everyone else
my dad can't follow conversations
people seem to speak unclearly
my aunt never hears the bell
a whistling in my ear
have my ears tested
I need subtitles and full volume
what did you say, my husband asks all day
# Mental wellness, meditation and sleep apps
I can't fall asleep
something to calm down before an exam
how do I stop overthinking
breathing exercises for stress
I lie awake for hours
my head won't switch off
I feel stressed all the time
# Gyms, fitness classes and workout apps
I want bigger arms
a routine I can do at home without equipment
join a studio near the office
how do I lose my belly
training plan for my first marathon
get fit after the winter
how many squats should I do
a club with weights and a sauna
climbing stairs leaves me breathless
what does a membership cost
someone who trains with me
which exercises for the legs
a cycling class tonight
# Skin care, cosmetics and make up
my skin is dry in winter
how do I get rid of pimples
a foundation for dark skin
sunscreen that isn't greasy
wrinkles around my eyes
a cream for redness
# Hair care, hairdressers and barbers
I'm losing hair on top
get my roots done
cut my fringe
a shampoo for dandruff
book a haircut
my hair is frizzy
which cut suits a long face
dye it darker
# Perfume and personal care
a scent that lasts all day
razor burn on my neck
a deodorant without aluminium
an electric shaver
# Birth control, pregnancy and fertility
we're trying for a baby
a test to find out if I'm pregnant
what should I eat while pregnant
# Physiotherapy, massage and pain relief
my shoulder is stiff
a massage near here
something for a pulled muscle
my neck is stiff from the office
exercises for a bad knee
# Elder care and mobility aids
a stair lift for my grandmother
someone to look in on my father
my mother needs help at home
a walker for my aunt
# Quitting smoking and vaping
I want to give up cigarettes
patches or gum to quit
# Yoga and pilates
a mat that doesn't slip
stretching class for beginners
poses for a tight back
# Spas and beauty salons
get my nails done
a facial for a friend
# Tattoos and piercings
cover up an old tattoo
`;
