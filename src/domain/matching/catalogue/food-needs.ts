/**
 * Each heading is an offer in the words of those who make it; the lines below are how people ask
 * for it.
 */
export const foodNeeds = `
# Restaurants and places to eat out
we're hungry, what's good around here
has that burger joint got decent reviews
a table for four on Saturday evening
where do locals go for noodles
do they take reservations at the steakhouse
which bistro has vegan options
is the lasagne any good at that place
what do people think of the new diner
best sushi in town
how is the food there
cancel our table for tonight
how busy is the cafe on Fridays
do they still have a booking under my name
how long do you wait for a table there
have they got room for six tonight
reserve for brunch on Sunday
# Food delivery and takeaway
I don't feel like cooking tonight
get a large pepperoni brought to my door
who delivers curry this late
order lunch for the office
is there a chinese place that delivers
I'm so hungry
which kitchens are still open
have burgers sent to us
how much do they take to bring it
# Recipes, cooking and meal kits
how do I cook a pork roast
what goes into a carbonara
I have eggs and spinach, what can I prepare
how long does rice need on the stove
an easy weeknight supper for two
can I swap butter for oil in a cake
what could we have for lunch
teach me to bake bread
which ingredients do I need for gumbo
what temperature should the oven be
how many minutes do I boil an egg
suggest an Indian dish
recommend a Vietnamese meal to make
what can I use instead of buttermilk
how do you prepare lentils
is cream all right in place of milk
# Grocery shopping and supermarket delivery
add milk to the things I must buy
where can I get ripe avocados
have my weekly shop brought home
which store has eggs on offer
what's on my shopping list
order more paper towels
we're out of eggs and bread
we have no more soap
what does a dozen eggs cost
take butter off the list
is there cheese on my list
# Nutrition, calories and diet plans
how many calories are in a bagel
is oatmeal good for losing weight
I want to eat fewer carbs
how much protein is in tofu
a diet for high cholesterol
is white bread unhealthy
how much salt is in instant noodles
is honey healthier than sugar
are grapes good for me
what is in a candy bar
write down what I had for breakfast
I overate at the holidays
how much fibre does a pear have
lose weight by eating better
nutrition facts of a granola bar
what is the nutritional value of an orange
are eggs bad for you
how good is tuna for you
how many calories does a beer have
# Vitamins and food supplements
should I take magnesium for cramps
which protein powder tastes best
low on iron, what can I take
do omega 3 pills work
I'm always tired, is it a deficiency
something for my joints
how much vitamin C a day
something herbal for sleeping
brittle nails and hair
# Coffee, tea and espresso machines
my latte never tastes like the cafe's
beans for a moka pot
descale the espresso machine
a grinder that isn't loud
which roast is least bitter
green tea from Japan
# Wine, beer and spirits
which red goes with lamb
a nice bottle for my boss
low alcohol beer that tastes real
what do I need for an old fashioned
something sparkling for a toast
pair a wine with fish
a fruity red that isn't expensive
# Vegan, organic and special foods
gluten free bread
snacks without sugar
cheese without milk
I can't eat wheat
# Baking and desserts
a cake for her party
order cupcakes
my dough doesn't rise
icing for a birthday cake
# Food storage and leftovers
is this chicken still safe to eat
how long does cooked rice keep in the fridge
can I freeze soup
has this milk gone off
how long are strawberries good for
`;
