/**
 * Each heading is an offer in the words of those who make it; the lines below are how people ask
 * for it.
 */
export const businessNeeds = `
# Bookkeeping, invoicing and accounting software for business
a client still hasn't paid my invoice
how do I keep my books as a sole trader
send a quote to a customer
track expenses for my shop
what must be on an invoice
chase unpaid bills
record what I bought for the company
# Online shops and selling online
how do I sell my crafts
take card payments on my site
ship parcels to customers
where is my order
track my package
when will my delivery arrive
where has my order got to
buy another pair of those
reorder dog food
# Advertising, marketing and email campaigns
nobody visits my shop's page
write a newsletter to my customers
get more followers
promote my new product
rank higher in search
ads on social media
# CRM and sales software
we forget to call leads back
keep my customers' details in one place
track deals in our pipeline
remind reps to follow up
# Cloud computing, databases and developer tools
where do I deploy my app
monitor my servers
our builds are slow
host a database
my api is timing out
deploy containers
# Customer support and call centre software
we get too many support emails
add a chat to our site
answer customers faster
# Business formation, loans and insurance
I'm starting a company
money to grow my business
cover for my shop
register a company
open a shop
# Payment terminals and point of sale
take cards at a market stall
a till for my cafe
# Shipping, couriers and logistics
send a parcel to Spain
freight for two pallets
how much is postage for a big box
pick up a package from my office
# Printing, signs and merchandise
print t shirts for our club
business cards by Friday
banners for a trade fair
# Graphic design and creative software
design a logo
edit a video
remove the background of a picture
make a poster
cut clips together
# AI writing, chatbots and automation tools
automate my spreadsheets
summarise long documents
write product descriptions
# Cybersecurity and compliance for companies
we were hacked
pass a security audit
# Analytics, surveys and market research
who visits my site
ask my customers what they think
# Software for schools and teachers
plan my lessons
grade tests faster
# Restaurant and hospitality software
take bookings for my bistro
# Property management and landlords
find a tenant
# Farming and agriculture
seed for wheat
`;
