/**
 * Each heading is an offer in the words of those who make it; the lines below are how people ask
 * for it.
 */
export const moneyNeeds = `
# Bank accounts and online banking
how do I open a checking account
what's the balance in my savings
my bank charges me every month
order a new book of checks
where do I find the routing number
why is my account blocked
what did I spend on groceries last month
show my last transactions
how do I change my pin
what interest does a savings account pay
tell my bank I'm going abroad
pay my water bill
how much do I still owe on my bill
when is the rent payment due
how much did I spend on eating out
I need checks
# Money transfers and payments between people and accounts
pay my roommate back for dinner
move three hundred from savings to checking
wire cash to my mother in Manila
how do I split a bill with friends
what does it cost to send euros to Ghana
send fifty dollars to Tom
transfer money out of my checking
make a transfer between my two banks
# Credit cards, rewards and fees
which card gives points for travel
raise my limit
when is my card payment due
am I charged for paying in another currency
my card was declined at the store
what's the annual fee
how do I cash in my points
apply for a new card
my card is damaged, send me another
is there a fee for using it overseas
when does my card expire
I lost my card
what rate do I pay on my balance
has my application been approved
how many points do I have
what's the APR
# Credit score, credit reports and credit repair
why did my score fall
what rating do I need to get approved
dispute an error on my report
how do I build credit from nothing
# Fraud alerts and identity theft protection
there is a purchase I never made
somebody opened an account in my name
I think my wallet was stolen and they're using my card
I got a strange text from my bank
was my data in the leak
report a suspicious charge
freeze my account, something is wrong
# Personal loans and debt relief
I need to borrow five thousand quickly
I can't keep up with my bills
merge all my debts into one payment
collectors keep calling me
consolidate what I owe
can I get a loan with bad credit
the APR on a loan
# Mortgages and home loans
can we afford this house
lower the monthly payment on our home
what down payment do first time buyers need
how are interest rates for houses
what would I pay a month for a quarter of a million
fix the rate now or wait
do I qualify to borrow for a house
get rid of mortgage insurance
# Student loans and college funding
how do I finance my degree
lower what I owe for university
scholarships for engineering students
can I postpone paying back my loan
I can't afford tuition
how do I repay what I borrowed for school
# Retirement planning, pensions and 401k accounts
am I putting enough aside to stop working at 60
what happens to my pension if I change employers
traditional or roth
when can I draw on my retirement savings
roll over my old account
how much do I need to retire
# Investing, stocks and brokerage accounts
should I buy index funds
how is apple stock doing
where do I start with shares
are bonds safer than gold
buy some bitcoin
invest a thousand dollars
# Tax filing and accounting for individuals
how much do I owe the state this year
which receipts can I write off
is my refund on its way
help me fill in the form for my side income
where do I get my W2
what can I deduct
do I have to declare this income
by when must I hand in my return
does my child count as a dependant
they sent me a letter about unpaid tax
what percentage do I pay on my income
I'm years late with my returns
do I owe tax on what I sell online
deduct the room I work in
# Car insurance
I backed into a pole, will they cover it
what do I pay to insure a young driver
switch my auto policy
get a quote for my truck
what happens if I hit an animal
change to another insurer
# Home, renters and contents insurance
a pipe burst, does my policy help
do I need cover for my rented flat
insure my engagement ring
flood cover for a house by the river
thieves took my laptop from the flat
a tree fell on my garage
# Life insurance
who looks after my kids if I die
term or whole life
cover for the mortgage if something happens to me
protect my family financially
what does a policy cost at forty
# Health insurance and medical plans
is a specialist covered by my plan
I lost my coverage when I quit
what's my deductible
cheap plans for a family
how do I sign up for coverage
what benefits do I have
until when can I enrol
how much do I pay myself at the doctor
which kind of plan lets me choose my doctor
am I covered in another state
HMO or PPO
# Pet insurance and vet costs
the vet bill was enormous
cover for a puppy
my cat needs an operation
my dog swallowed something and needs surgery
# Charity and donations
give to a good cause
help the flood victims
sponsor a child
# Discounts, coupons and cashback
is there a code for this store
save on my weekly shop
a voucher for shoes
# Bill payment and household bills
when do I have to pay for the gas
have I paid for the internet already
pay the phone company
what's the least I can pay this time
`;
