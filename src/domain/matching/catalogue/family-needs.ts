/**
 * Each heading is an offer in the words of those who make it; the lines below are how people ask
 * for it.
 */
export const familyNeeds = `
# Pet food and supplies
my dog won't eat
litter that doesn't smell
a harness for a small dog
my cat is too fat
a bed for a big dog
how much should a beagle eat
which food for a young cat
he scratches himself since we changed his food
treats without grain
my dog's food is nearly gone
# Dog training, sitting and grooming
who looks after my cat while I'm gone
my puppy bites
my dog pulls on the leash
clip a poodle
# Baby and toddler products
a buggy for travel
my baby won't sleep through
which car seat is safest
nappies for sensitive skin
a high chair
when can my child sit facing forward
our first child comes in May
what do I buy before the birth
# Childcare, schools and camps
someone to watch the kids on Friday
a summer camp for teens
a nursery with places in autumn
a sitter for tonight
who collects my daughter from school
a kindergarten for a four year old
what does a nanny cost
I return to the office when the baby is six months old
# Toys and gifts for children
a present for a six year old
building sets
something educational for a toddler
# Gifts, flowers and cards
I forgot her birthday
send something nice to my mother
a thank you present for a teacher
a bouquet for our anniversary
what do I give a man who has everything
# Weddings, parties and event planning
we're getting married next year
a venue for fifty guests
plan a surprise party
who does catering for sixty people
games for a hen party
he proposed to me
when do we send the invitations
who bakes the cake and does the flowers
a dress for the bride
how many people do we invite
a photographer for the ceremony
# Dating and relationships
I want to meet someone
a first date idea
what do I write on my profile
# Emergency vet and animal clinics
my dog is limping
the cat won't stop vomiting
my hamster looks ill
is this plant poisonous for dogs
he swallowed something poisonous
have my cat neutered
which jabs does a puppy need
`;
