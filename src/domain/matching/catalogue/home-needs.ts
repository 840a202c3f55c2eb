/**
 * Each heading is an offer in the words of those who make it; the lines below are how people ask
 * for it.
 */
export const homeNeeds = `
# Smart home devices, lights, thermostats and locks
switch off the lamp in the bedroom
make it warmer in here
did I lock the front door
dim the kitchen
how hot is it inside the house
start the vacuum
turn on the air conditioning
turn on the porch light
lock every door
set the heating to seventy
what temperature is the ac at
turn off the fan
# Real estate: buying, selling and renting homes
flats to let in the centre
what's our house worth
a quiet area for a family
we want to sell our apartment
find a buyer for our home
rent a studio
move to a smaller place
# Moving, removals and storage
we move out at the end of the month
who can carry a sofa
store my stuff for half a year
hire a van and two helpers
get everything out of the flat by the first
what do removers charge for three rooms
how do I get a wardrobe down four floors
boxes and tape for packing
we're relocating to another state
a van for the weekend
# Furniture and home decor
a sofa for a small room
which rug goes with oak floors
a desk I can stand at
shelves for my books
curtains for the bedroom
# Mattresses, beds and bedding
I wake up with a stiff back
our bed is too soft
a pillow for side sleepers
a duvet for summer
I sleep badly on this old thing
how hard should it be for my weight
# Kitchen appliances and cookware
my fridge stopped cooling
a pan that doesn't stick
is an air fryer worth it
a quiet dishwasher
sharpen my knives
# Cleaning, laundry and housekeeping
get red wine out of the carpet
someone to clean my flat
the washing machine smells
a stain on my shirt
my whites turned grey
get limescale off the shower
the place looks terrible and I have visitors
what does a cleaner take an hour
# Plumbing, heating and boilers
the tap drips
no hot water
the drain is blocked
the toilet keeps running
a radiator stays cold
water under the sink
a plumber who comes today
the pipes are frozen
# Electricians, builders and home renovation
redo our bathroom
the socket sparks
paint the hallway
who can fix my roof
a damp patch on the wall
knock through to the kitchen
# Garden, plants and outdoor living
my lawn is turning brown
plants for a dark room
a grill for the terrace
when do I prune roses
something eats my tomatoes
someone to mow for me
weeds all over the yard
# Pest control
there are ants in the kitchen
I saw a mouse
wasps under the roof
moths in the wardrobe
something is living in our loft
little beetles in the flour
# Home security, alarms and cameras
see who rings while I'm away
somebody tried to break in
a doorbell with video
is my home safe when we travel
# Solar panels and energy providers
cut my power bill
panels for the roof
pay my electric bill
switch electricity supplier
store the sun's energy
our power costs twice as much as last year
does it pay off to make my own electricity
how big a system does a family need
we had no power for a day
# Alarm clocks and watches
a clock that wakes me gently
a smartwatch for swimming
# Construction tools and hardware stores
a drill for concrete
what screws do I need
put up a shelf
# Swimming pools, saunas and hot tubs
the pool water is green
how much chlorine do I add
clean the filter of the pool
# Air purifiers, heating and cooling
the air in here is dusty
a fan for the bedroom
it's too hot in my flat
# Water filters and bottles
our tap water tastes odd
# Windows, doors and insulation
there's a draught in the bedroom
# Lighting and lamps
a lamp for reading
brighter bulbs
# Dry cleaning, ironing and clothing repair
have my suit cleaned
someone to iron my shirts
fix a zip on a jacket
can this be washed at thirty degrees
# Roofing, gutters and chimneys
tiles blew off in the storm
water comes in through the attic
clean out the gutters
# Houseplants, seeds and flowers for the garden
the leaves of my orchid are drooping
how much water does a cactus want
a plant that doesn't need much light
what grows well in a pot on the terrace
my basil is dying
when do tulips come up
bugs in the soil of my fern
something green for the window sill
`;
