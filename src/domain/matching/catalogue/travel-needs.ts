/**
 * Each heading is an offer in the words of those who make it; the lines below are how people ask
 * for it.
 */
export const travelNeeds = `
# Airline tickets and flight booking
find me a ticket to Rome leaving on Thursday
what does it cost to fly to Sydney in March
are there direct planes from Boston to Dublin
I want the cheapest seat home for Thanksgiving
which airline has the most legroom across the Atlantic
change my outbound to the morning departure
when does my plane leave
is the departure on time
look up round trips to Cancun
has the plane from Dallas landed
from which gate do we board
has her flight left yet
# Hotels, guesthouses and places to stay
we need a bed for two nights in Vienna
is there an inn close to the beach
get me a suite downtown for the fifth
where do families stay at the lake
any all inclusive resorts with availability in May
our host cancelled on us at the last minute
check me in to a place by the park
book somewhere quiet to sleep
may I come before three in the afternoon
I've nowhere to spend the night
is breakfast included at the inn
do they take dogs at that resort
cancel my booking for the suite
# Car rental and vehicle hire
I need wheels when I land in Phoenix
reserve an suv from Friday to Monday
how old must I be to hire a convertible
drop the vehicle off in another city
a minivan for a week in Florida
# Travel insurance for trips and cancellations
what if I get sick before we leave on holiday
will anyone refund me when the airline strands us
hospital costs while overseas, who pays
cover for a safari with expensive camera gear
my connection was missed because of a storm
I had to call off my vacation, can I get money back
am I insured on a ski trip
# Passports, visas and entry requirements
which papers do I need to enter Brazil
how long can a tourist stay in Indonesia
renew my passport before summer
do Canadians have to apply for an entry permit to India
is an electronic travel authorisation required
am I allowed into the country without a visa
how do I apply for a visa at the embassy
# Luggage, suitcases and travel bags
the wheel of my trolley case came off
what size of bag fits in the overhead bin
the airline never delivered my checked bags
how heavy may hand baggage be
a light backpack for city breaks
my suitcase never showed up at baggage claim
how many bags can I bring on the plane
# Cruises, tours and holiday packages
a week on a ship around Greece
guided walks through the old town
what is there to see in Kyoto in two days
book a tour of the vineyards
things to do with kids in San Diego
plan our honeymoon somewhere warm
what should I see in Prague
fun things to do downtown
where should we go for spring break
day trips from Barcelona
what do visitors do there on a rainy day
# Travel safety, vaccinations and health advice for travellers
is it dangerous to visit that country right now
which shots do I need before Kenya
any warnings for tourists in the capital
malaria pills for a trip
do I have to be vaccinated to go there
travel alerts for Egypt
# Mobile data, SIM cards and phone plans
my phone contract is too expensive
how do I get online when I'm in Turkey
unlimited data for two lines
port my number to another carrier
roaming charges shocked me last time
a cheap line for my kid
no signal at my house
# Plug adapters, chargers and power banks
will my charger fit the sockets in Ireland
what voltage do they use in Peru
my battery dies by noon
a cable that charges quickly
can I use my hair dryer abroad
# Currency exchange and foreign money
how many yen do I get for a hundred dollars
where can I swap pounds for euros
is the peso weak at the moment
what's the rate between francs and dollars
convert two hundred euros
should I take cash with me
what is thirty dollars in pounds
# Train and bus tickets, public transport passes
when does the next train to the coast leave
get me a seat on the coach to Leeds
is a rail pass worth it
which metro line goes to the stadium
is there a coach from here to Madison
how do I reach the mall by subway
book a sleeper to Vienna
monthly ticket for commuters
# Taxi, ride hailing and airport transfer
I need a ride to the airport at five
get me a cab home
how much is a lift across town
send a driver to pick me up
how long until my driver gets here
I had a few drinks and need to get home
a cab for six in the morning
how much is an uber to the station
order a car to take us home
# GPS navigation, maps and directions with live traffic
what's the quickest route to my sister's place
how far is it from here to Cleveland
is the highway jammed this morning
how many minutes until I arrive
walk me to the museum
where's the closest pharmacy
take me around the accident on the bridge
how do I get to the town hall on foot
how long is the drive to the coast
is there a supermarket nearby
what's the traffic like downtown
show me the way to the airport
which bus stop is closest to me
how long will it take to get to Denver
where am I right now
share my location with Ben
# Weather forecasts
do I need an umbrella tomorrow
how cold will it get tonight
will it snow at the weekend
is it raining in Seattle
what's the forecast for Sunday
how warm is it out there
how strong is the wind in Denver
should I wear a coat
is there a storm on the way
# Parking
where can I leave the car downtown
how much is parking at the stadium
park near the stadium
a space at the airport for ten days
I got a ticket for where I left the car
# Immigration and relocation services
move to Canada for work
get a green card
bring my wife to this country
# Museums, attractions and theme parks
tickets for the aquarium
is the castle open on Mondays
`;
