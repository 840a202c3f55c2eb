/**
 * Each heading is an offer in the words of those who make it; the lines below are how people ask
 * for it.
 */
export const technologyNeeds = `
# Television, streaming and home cinema
put the television on
where can I watch that series
a big screen for the living room
which service has the football
turn on the tv
change the channel
what should we watch tonight
a film for the family
something like that show I just finished
put on the next episode
a documentary on volcanoes
the latest season of my crime series
something good to binge
a funny film for the children
get rid of cable
a horror film for this evening
# Music streaming, speakers and headphones
play something relaxing
what song is this
headphones that block out noise
add this track to my playlist
skip to the next song
who sings this
add this to my workout mix
a speaker for the garden
play some blues
play the new record of Beyoncé
put on my favourite songs
who is the singer of this
play it once more
I like this one, save it
more bass please
songs for a long drive
switch on the radio
I'd like to listen to Ed Sheeran
# Games, consoles and gaming gear
a game to play with my brother
my controller drifts
when is the sequel out
stuck on a level
can I get the new console anywhere
when is the next Mario released
my game stutters
a role playing game with a big map
a headset for playing online
# Smartphones and phone accessories
I dropped my phone and the screen cracked
which phone takes the best pictures
my storage is full
find my phone
where did I leave my phone
a case for my new phone
my phone is dead and won't charge
# Laptops, computers and computer parts
my computer is slow
a laptop for video editing
upgrade my graphics card
my notebook overheats
a computer for school
how much memory do I need
a monitor for my desk
# Printers, cameras and electronics
the printer won't connect
a camera for travel
a drone for beginners
a lens for portraits
# Internet providers and home broadband
my wifi keeps dropping
faster internet for gaming
set up the router
no connection since yesterday
video calls break up
how fast is my line
can I get fibre in my street
# VPN, antivirus and online privacy
I think I have a virus
hide my location online
is public wifi safe
stop sites from tracking me
a site is blocked in my country
does my employer see which pages I visit
see films that are not shown in my country
surf without being watched
is the hotel's network secure
# Password managers and account security
I can't remember my login
is my password strong
share logins with my team
I was locked out of my account
I use one word for all my logins
# Website builders, hosting and domains
I want a page for my business
my site is down
get a domain name
where do I host a blog
# Data backup and file storage
my hard drive died
keep my photos safe
share a large file
I lost all my pictures
a copy of everything in case the disk fails
more room for my videos
# Phone calls, texting and messaging apps
text my wife that I'm late
call the office
make a call to Dana
call my brother
send Ann a message
# Wearables and fitness trackers
count my steps
measure my sleep
my heart rate during runs
# Tablets, e-ink and note taking devices
a tablet for drawing
# Phone and tablet repair
the display is broken
my phone fell into the water
it doesn't charge any more
the battery is empty after a few hours
the camera takes blurred pictures
no sound from my phone's speaker
who can repair my tablet
# Spam call blocking and caller ID
whose number is this
strangers ring me about insurance all day
block this caller
those recorded voices call me every evening
is it safe to call this number back
junk messages with links
# Trackers for keys, phones and wallets
where did I put my keys
make my phone ring so I can find it
I left my rucksack on the train
my purse is gone
where is my dog right now
# Printers, ink, toner and scanners
the ink is running out
there are stripes on every page
it says paper jam
which cartridge fits my canon
scan a letter
the colours come out pale
`;
