/**
 * Each heading is an offer in the words of those who make it; the lines below are how people ask
 * for it.
 */
export const vehicleNeeds = `
# Bicycles and electric bikes
a bike for riding to the office
my chain keeps slipping
how far does a pedelec go
get to work without sweating
a child's bike
which frame suits someone of six foot
a bike that folds
cycle uphill without effort
my bike was stolen
# Oil changes, motor oil and car fluids
is it time for fresh oil in my truck
the oil light came on
which viscosity does my engine take
change the oil myself
how often do I need new oil
what are the steps to drain the oil
# Car repair, maintenance and tyres
my engine makes a rattling noise
the warning light on the dash is on
when was my vehicle last serviced
book my car in for a check
there's a nail in my tyre
the brakes squeal
what pressure should the tyres have
make an appointment with the mechanic
get my tires rotated
when did I last bring the car in
my check engine light is on
how do I change a flat
how do I put air in my tires
# Petrol stations, fuel and gas cards
how much is left in the tank
will I make it to Austin on what I've got
where can I fill up cheaply
premium or regular for my engine
how many miles per gallon does it get
what kind of gas does my car take
how full is my tank
do I have enough fuel for the trip
# Electric cars and charging
where can I charge near the mall
how long does it take to charge at home
is an electric car cheaper to run
install a wallbox in my garage
# Buying and selling cars
what's my old Honda worth
a family car under fifteen thousand
should I lease or buy
new or used
trade in my pickup
is this model reliable
what would a dealer give me for it
a used estate with low mileage
it's too old to repair, I want another
# Roadside assistance and towing
my battery is flat
I'm stuck on the motorway
how do I jump start it
locked my keys in the car
my car won't start
I broke down in the middle of nowhere
the tank is empty and I'm on the road
no spare wheel and a puncture
I need a tow
# Boats, motorcycles and campers
rent a motorhome
a helmet for my scooter
buy a used motorcycle
# Driving lessons and driving schools
I want to learn to drive
practise for my road test
I failed the driving exam
lessons for a nervous driver
# Tyres, wheels and tyre fitting
the tread is worn down
which size fits my golf
snow tyres before the mountains
a new set for the front
it skids when the road is wet
# Windscreens and car glass
a stone chipped the windscreen
the side window was broken
the glass is cracked right across
the window of the rear door is stuck
`;
