/**
 * Each heading is an offer in the words of those who make it; the lines below are how people ask
 * for it.
 */
export const workNeeds = `
# Payroll, wages and direct deposit
when does my salary arrive
my wages didn't show up
get paid straight into my bank
how do I pay my staff
where can I see my payslip
how much did I earn last month
when is payday
set up deposit of my paycheck
# Human resources, time off and staff benefits software
how many vacation days have I got left
ask for next Friday off
manage leave for a team of twenty
what does my health plan at work cover
was my holiday request approved
how many sick days have I used
when is the next public holiday
change my benefits enrolment
book a week of leave
has my boss agreed to my days off
how much leave did I take
how much PTO have I got
put in PTO for Monday
# Meeting scheduling, calendars and conference rooms
put a call with Priya in for Tuesday at two
am I free on Thursday afternoon
find a time that suits everybody
get us a room for ten people
what have I got on today
move my two o'clock
schedule a meeting with the team
do I have any appointments tomorrow
reserve the boardroom for nine
when is my next meeting
add an event to my calendar
have I got time at three
empty my Friday
note the school concert on the tenth
what's happening this weekend for me
# To do lists, reminders and task manager apps
what's left for me to do today
note down that I have to call the plumber
tick off the laundry
remind me to water the plants
clear everything on my list
did I write down feed the cat
add mow the lawn to my list
read out my tasks
what are my reminders
is paint the fence on my list
what do I need to get done
# Project management and team collaboration software
who is working on what
plan our product launch
our team loses files in chat
see deadlines for the whole team
assign work to people
# Notes, documents and office software
merge two pdf files
sign a contract online
make slides for a talk
turn this into a spreadsheet
edit a document together
# Jobs, résumés and careers
I hate my job
improve my cv
prepare me for an interview
who is hiring near me
ask for more pay
I was let go
a career change at forty
part time work
my position was cut
I've finished college and don't know what's next
what does a welder earn
what will they ask me at the interview
work I can do from home
I've been out of work since spring
write an application letter
# Hiring and recruiting
we need two more engineers
write a job advert
screen applicants
find a good accountant to employ
# Legal services and contracts
my landlord won't return the deposit
do I need a will
start a limited company
fight a parking ticket
my employer hasn't paid me
check a contract before I sign
can I take them to court
I was dismissed without notice
put my wishes for my estate in writing
# Office supplies and equipment
chairs for our office
we ran out of toner
a desk that goes up and down
my wrists hurt from typing
an ergonomic chair for back pain
# Notary, documents and government services
renew my driving licence
get a copy of my birth certificate
where do I get this document stamped
# Divorce, family and personal injury lawyers
we're separating
I was hurt in an accident
custody of our children
# Team building, corporate events and company outings
something fun for our whole department
a day out with colleagues
speakers for our conference
# Document translation and interpreters
have my diploma translated officially
a certified copy in English
an interpreter for court
`;
