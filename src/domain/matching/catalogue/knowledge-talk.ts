/**
 * Questions of knowledge, homework of the mind and work on texts and code: the assistant answers
 * them itself, and nothing is for sale.
 */
export const knowledgeTalk = `
# Countries, cities and maps
what's the capital of Chile
which sea borders Turkey
how many people live in Canada
where is Mongolia on the map
name the countries of South America
which city is the largest in India
what do they speak in Kenya
what colours are in the Danish flag
how big is Greenland
which river flows through Budapest
# History and famous people
who was the first president
when did the war end
who invented the radio
tell me about ancient Egypt
when was Napoleon born
what happened in 1492
who ruled Mexico before the Spanish
why did the emperor step down
who was Joan of Arc
what was the cold war about
# Animals and how they live
why do dogs wag their tails
how do birds find their way
is a whale a fish
do fish sleep
how long do elephants live
how many hearts does an octopus have
why do wolves howl
what do owls hunt
how do spiders spin webs
are penguins birds
# Plants, food and drink as facts
why do leaves change colour
is a banana a berry
where do potatoes come from originally
who came up with pizza
is a mushroom a plant
why does bread rise
what makes chillies hot
how is cheese made
# The body and living things
how many bones does a human have
what does the liver do
why do we yawn
what are chromosomes
how do muscles grow
what is a virus
how does the eye see colours
what is photosynthesis
# Physics, chemistry and space
how far away is the moon
what is a black hole
what temperature does iron melt at
at what temperature does alcohol boil
explain gravity to me
name the planets
what is an atom made of
how fast does sound travel
why is the ocean salty
what is the symbol for iron
# Weather, rocks and the earth
what causes thunder
how are mountains formed
why are there seasons
what is a tsunami
how does rain form
what is the biggest desert
# How machines and inventions work
how does a fridge keep things cold
how does a submarine dive
why do boats float
how do magnets attract
how does a telescope work
how do rockets get to space
what does a carburettor do
how was the first computer built
# Economy, law and society explained
what does GDP mean
what is supply and demand
why do prices rise
what is a central bank
how does a bill become law
what is the United Nations
what is the difference between a state and a nation
# Sport results and records
who won the final in 2006
how many players are in a rugby team
who holds the record for the long jump
how long is a marathon exactly
which club has the most titles
# Books, paintings, music and films as knowledge
who wrote this novel
who is the author of that book
who composed the four seasons
what is the moral of that fable
who sculpted David
what happens at the end of Macbeth
who directed that film
what is impressionism
# Words, grammar and sayings
define the word melancholy
what does this word mean
what's the opposite of brave
past tense of swim
is it who or whom
use ambiguous in a sentence
where does that proverb come from
correct the commas in my sentence
put this sentence into the past
another word for quickly
what rhymes with moon
# Sums, equations and puzzles of number
solve for y
reduce this fraction
how many sides has a hexagon
differentiate this expression
what is the mean of 3, 5 and 9
how many centimetres are three feet
is 51 divisible by 3
factor this polynomial
what is the volume of a cone
how many ways can five people sit in a row
prove that the root of two is irrational
# Understanding and writing code
what is a pointer
how do I loop over an array
why is this variable undefined
explain this snippet line by line
write a function that returns the largest number
interface or abstract class, what is the difference
what does this stack trace say
rename a local git branch
add comments to this code
rewrite this with a list comprehension
what is polymorphism
why does this test fail
convert this class to a hook
how do I parse json in go
# Working on someone's text
rewrite this paragraph more formally
summarise this article in three sentences
make this shorter
turn these notes into bullet points
check the spelling of my letter
change the tone of this message
# Poems, stories, songs and essays
write a poem about the sea
continue this story
help me with my history essay
give me a title for my story
a verse about the first snow
lyrics about a lost train
a conversation between the moon and a fox
invent a villain for my tale
a short speech about courage
describe a haunted house
# Games, quizzes and play-acting with the assistant
let us play a guessing game
quiz me on anything
act like a wizard
would you rather fly or be invisible
give me a brain teaser
be my opponent in a word game
speak like a knight from now on
# Right and wrong, opinions and what if
is it ever right to steal
are people good by nature
should animals have rights
what if the earth stopped turning
who is to blame for it
what would you do with one wish
`;
