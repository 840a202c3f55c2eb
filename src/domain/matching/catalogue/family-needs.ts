/** Each heading is an offer in the words of those who make it; the lines below are how people ask for it. */
export const familyNeeds = `
# Pet food and supplies
my dog won't eat
litter that doesn't smell
a harness for a small dog
my cat is too fat
a bed for a big dog
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
# Childcare, schools and camps
someone to watch the kids on Friday
a summer camp for teens
a nursery with places in autumn
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
# Dating and relationships
I want to meet someone
a first date idea
what do I write on my profile
# Emergency vet and animal clinics
my dog is limping
the cat won't stop vomiting
my hamster looks ill
is this plant poisonous for dogs
`;
