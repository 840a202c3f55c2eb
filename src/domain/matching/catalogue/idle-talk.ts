/** Talk without a need behind it: an ad here is a defect. */
export const idleTalk = `
# Greeting someone
hi there
good afternoon
hey how are you doing
what's happening
how have you been lately
hello my friend
# Saying goodbye
see you soon
talk to you later
it was great chatting, bye
have a lovely weekend
I have to leave now
got to go now
so long
# Thanking and praising the assistant
thank you so much
I really appreciate it
you did a great job
you were a big help
you're the best
I'm grateful for that
# Agreeing, confirming, saying something is true
yes that's right
I agree with you
that is correct
absolutely
it's true
okay fine
# Refusing, disagreeing, saying something is false
no thanks
that's wrong
I don't think so
not at all
that is false
never mind
# Not knowing, being unsure
I don't know
maybe, maybe not
I have no idea
could be either
I can't tell you
I'm undecided
# Asking to repeat or explain what was said
can you say that again
what did you just tell me
I didn't understand you
repeat the question
pardon me
what do you mean
# Asking the assistant about its name, age, maker and home
what should I call you
who created you
what company made you
how old are you
where are you from
are you a robot or a person
who is your boss
when were you born
# Asking the assistant about its own pets, hobbies, family and feelings
do you have a pet
do you own a dog
what animals do you keep
what do you do for fun
do you have brothers or sisters
are you happy
what's your favourite food
do you get tired
# Asking what the assistant can do
which languages do you speak
what can you help me with
how do you work
what are you able to do
which questions can I ask
# Jokes and entertainment from the assistant
tell me something funny
do you know a good joke
a joke about doctors
make me smile
tell me a story
give me a random fact
sing something
# Meaning of life and philosophy
what is the meaning of life
why are we here
what happens after death
do we have free will
what is the purpose of existence
# Settings and commands for the assistant itself
set a timer for five minutes
set an alarm for seven
wake me at six tomorrow
turn your volume up
talk more quietly
change your voice
speak faster
stop talking
cancel that
pause
go back
start over
call me by another name
reset your settings
disconnect from my other device
switch back to your default mode
answer me in another language
pair with my other gadget
stop pairing
use a lower voice
switch yourself off
# Clock, date, arithmetic and spelling
what time is it in Tokyo
what day is it today
how much is twelve times nine
how do you spell necessary
flip a coin for me
roll a die
pick a number
what is the square root of 81
# Chat about one's own day, friends and feelings
I'm bored
I had a long day
my friend is annoying me
I feel happy today
guess what happened to me
I dreamt about a dragon
I miss my old school
my team won yesterday
I finally told her how I feel
my sister is not talking to me
I made a fool of myself in front of everyone
I can hardly wait for tomorrow
I cried the whole evening
my little one said her first word
he never writes back
# Testing the assistant, nonsense and filler
test test
just checking if this works
blah blah
whatever
okay then
# Questions about belief, love and the mind
do you believe in ghosts
what is love
is there life after death
can machines think
`;
