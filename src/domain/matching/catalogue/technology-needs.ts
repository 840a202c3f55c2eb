/** Each heading is an offer in the words of those who make it; the lines below are how people ask for it. */
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
# Music streaming, speakers and headphones
play something relaxing
what song is this
headphones that block out noise
add this track to my playlist
skip to the next song
who sings this
add this to my workout mix
a speaker for the garden
# Games, consoles and gaming gear
a game to play with my brother
my controller drifts
when is the sequel out
stuck on a level
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
# VPN, antivirus and online privacy
I think I have a virus
hide my location online
is public wifi safe
stop sites from tracking me
a site is blocked in my country
# Password managers and account security
I can't remember my login
is my password strong
share logins with my team
I was locked out of my account
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
# Wearables and fitness trackers
count my steps
measure my sleep
my heart rate during runs
# Tablets, e-ink and note taking devices
a tablet for drawing
`;
