/**
 * Each heading is an offer in the words of those who make it; the lines below are how people ask
 * for it.
 */
export const leisureNeeds = `
# Sports gear and sportswear
a racket for beginners
cleats for my son
leggings that don't slip
where can I buy a basketball
weights for home
# Running shoes and sneakers
my feet hurt when I jog
replace my worn out trainers
shoes for flat feet
footwear for a marathon
# Outdoor, camping and hiking equipment
we're sleeping in the woods for a week
boots that keep the water out
a stove for the trail
a pack for a week long trek
stay warm in a tent
# Clothes and fashion
what do I wear to a summer wedding
jeans for short legs
a warm coat that looks smart
how do I style a denim jacket
a dress for a gala
thermal underwear
# Jewellery and watches
I'm going to propose
resize my ring
a gold necklace for my wife
earrings for sensitive ears
# Movie, theatre, concert and event tickets
what's on at the cinema tonight
seats for the show on Saturday
is the band coming to my city
which musicals are playing
when is Coldplay in Berlin
I'd love to go to a musical
who is on stage this Friday
a comedian to see live
something with live bands at the weekend
is that gig already full
what time does the film start
# Skiing, surfing and water sports
learn to surf
skis for powder
a wetsuit for cold water
# Golf and tennis
fix my slice
new clubs
book a court
# Fishing and hunting
bait for bass
a rod for the sea
# Bags, wallets and accessories
a leather bag for work
sunglasses for driving
# Suits, uniforms and tailoring
a suit for an interview
take up my trousers
# Second hand, thrift and marketplaces
sell my old sofa
used furniture near me
get rid of clothes I don't wear
# Sports tickets, betting and fantasy leagues
tickets for the match
who is favourite tonight
pick players for my fantasy team
when do the Celtics play at home
seats behind the goal
where is the next game
# Water sports and diving
a diving course
`;
