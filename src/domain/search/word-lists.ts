// Generated from catalog/product-search/ by scripts/write-words.mjs. Do not edit.

export const wordLists = {
  accessoryWords: `accessory adapter arm attachment backpack bag band battery belt blade bracelet bracket bulb cable cap carrier cart cartridge case charger clip converter cooler cord cover cradle cushion decal dock drum film filter guard hanger hinge holder hook inverter keychain lamp lanyard lens lid lock mat mount mounting pad part plug pouch protector rack refill remote replacement roller runner shell skin sleeve slipcover spare stand sticker strap stylus tip toner topper tray wallet privacy lead extension supply module headphone headset hub keyboard`,
  asides: `for with in on by from to at that which who because since so should must would could and when while if as under over around less per`,
  askedWearers: `men: men, mens, man, male, gentlemen, hombre
women: women, womens, woman, womans, ladies, lady, female, mujer
kids: kid, kids, children, childrens, toddler, toddlers, boy, boys, girl, girls, youth
men: herren, manner, mann
women: damen, frauen, frau
kids: kinder, jungen, madchen`,
  bedSizes: `twin full queen king double single`,
  beddingWords: `bed beds bedding mattress mattresses sheet sheets comforter duvet blanket quilt headboard futon bedspread coverlet topper bedframe pillowcase bunk daybed frame`,
  chatter: `looking buy buying purchase shop shopping find finding search searching recommend recommendation recommendations suggest suggestion suggestions good best great nice expensive cheap cheapest affordable budget quality top rated review reviews online store price priced deal deals sale anyone hello please thanks thank would could want wanted something anything stuff item items product products option options delivery shipping soon week month today tomorrow wonder wondering thinking considering pls plz asap gift gifts present presents idea ideas likes loves love near under below around between dollars dollar usd bucks eur euro euros`,
  colorDegrees: `dark light bright deep pale matte matt glossy metallic solid soft pure neon pastel classic color colour`,
  colors: `black : : noir, jet black, onyx, ebony : 101010
white : : blanc, snow white, bright white : fafafa
gray : : grey, greys, grays : 808080
silver : : silvery, silvertone, silver tone : c0c0c0
gold : : golden, goldtone, gold tone : d4af37
rose gold : : rosegold : d9a59a
red : : reds, rojo : cc1f2d
blue : : blues, azul : 2456b8
green : : greens, verde : 2e8b46
yellow : : yellows, amarillo : f7d417
orange : : oranges : f28a1c
purple : : purples : 7b2d8e
pink : : pinks : f277a6
brown : : browns : 6f4628
beige : : beiges : d9c7a3
tan : beige : camel : c8a06e
khaki : beige : khakis : a89a6c
taupe : beige : : 8b7d70
sand : beige : : d8c39a
nude : beige : : dcb69c
ivory : white : off white, offwhite, eggshell : f6f2e2
cream : white : creme : f7efd6
pearl : white : pearl white : f2efe8
charcoal : gray : anthracite, dark gray, dark grey : 3b3f45
slate : gray : slate gray, slate grey : 5f6b78
graphite : gray : gunmetal, gun metal : 4a4a4e
space gray : gray : space grey : 55585d
navy : blue : navy blue : 1b2a52
royal blue : blue : : 2a4fd0
sky blue : blue : baby blue, light blue : 86c3ea
indigo : blue : : 3d3a8c
denim : blue : : 3f5f8c
cobalt : blue : : 1546b0
turquoise : blue : aqua, cyan : 2fc4c4
teal : green : : 157a7e
olive : green : olive green, army green : 6b6b2f
mint : green : mint green : a6e3c3
sage : green : sage green : 9caf88
emerald : green : emerald green : 0f9d66
lime : green : lime green : a6d62b
forest green : green : hunter green, dark green : 1f4d2c
burgundy : red : maroon, wine red, oxblood : 6d1530
crimson : red : scarlet : b5142f
ruby : red : : a5123f
rust : orange : burnt orange : b0481e
coral : orange : : f5785f
peach : orange : apricot : f9b48e
amber : orange : : e09a1a
mustard : yellow : mustard yellow : d6a41c
lemon : yellow : : fbe74a
champagne : gold : : ecd9b0
brass : gold : : b5973f
bronze : brown : : 8a5f30
copper : brown : : b0693c
chocolate : brown : : 4a2a18
espresso : brown : : 35211a
walnut : brown : : 5c3d26
cognac : brown : : 96532c
lavender : purple : lilac, mauve : b9a0dc
violet : purple : plum : 7a3fa8
magenta : pink : fuchsia, hot pink : c8267f
blush : pink : rose pink, light pink : f0bcc0
multicolor : : multicolour, multicolored, multicoloured, multi color, multi colored, multi colour, rainbow, assorted colors
clear : : transparent, translucent
black : : schwarz, schwarze, schwarzer, schwarzes, schwarzen, schwarzem
white : : weiss, weisse, weisser, weisses, weissen, weissem
gray : : grau, graue, grauer, graues, grauen, grauem
silver : : silber, silbern, silberne, silberner, silbernes, silbernen
gold : : golden, goldene, goldener, goldenes, goldenen, goldfarben
red : : rot, rote, roter, rotes, roten, rotem
blue : : blau, blaue, blauer, blaues, blauen, blauem
green : : grun, grune, gruner, grunes, grunen, grunem
yellow : : gelb, gelbe, gelber, gelbes, gelben, gelbem
orange : : orangefarben
purple : : lila, violett, violette, violetter
pink : : rosa, pinke, pinker
brown : : braun, braune, brauner, braunes, braunen, braunem
navy : blue : dunkelblau, dunkelblaue, dunkelblauer, marineblau
sky blue : blue : hellblau, hellblaue, hellblauer
turquoise : blue : turkis
charcoal : gray : anthrazit, dunkelgrau
burgundy : red : weinrot, bordeaux
multicolor : : bunt, bunte, bunter, mehrfarbig
clear : : durchsichtig`,
  departments: `shoes: footwear
footwear: footwear
clothing: apparel
apparel: apparel
jewelry: jewelry_watches
watches: jewelry_watches
furniture: furniture_decor
pet supplies: pets
animals & pet supplies: pets
books: books_media
media: books_media
kindle store: books_media
movies & tv: books_media
toys & games: toys_kids
baby products: baby
baby & toddler: baby
baby: baby
automotive: auto
vehicles & parts: auto
electronics: electronics_computing
beauty & personal care: beauty_personal_care
health & beauty: beauty_personal_care
office products: other
office supplies: other
grocery & gourmet food: other
food, beverages & tobacco: other
arts, crafts & sewing: other
luggage & bags: other
musical instruments: other
sporting goods: sports_outdoors
cameras & optics: electronics_computing
software: electronics_computing
hardware: tools_hardware`,
  describingWords: `plus size new set pack kit women womens woman men mens man kid kids boy boys girl girls baby toddler adult unisex small medium large xl xs mini big cute modern vintage style quality ladies hombre mujer female male high waisted long short series version edition brand type pro`,
  everydayWords: `airplane airport album alligator ambulance amp anchor angel ankle antenna apartment apple arch armchair artist attorney aunt avocado baker balcony ball balloon banana bank banjo barber barn barrel basket bass bath battle bead beach bean bear beer bell bench berry birth birthday biscuit boat bomb bone bottle bow boxing bracket brain branch bread brick bridge broom brother bucket buckle bulb bull burger butter butterfly button cabin cage cake calculator calendar camel camper canoe canvas caravan cargo carrot cart castle cattle cello cement cereal chain chalk chalkboard cheese chef cherry chess chicken chimney chin chisel chorus church cigar circle circus clam clamp clarinet class clay cliff cloak clover clown coach coaster coconut coin collar college compass concert cone cookie coral cork corn cottage couch cousin cowboy crab cradle crane crayon cricket crown cruise crystal cube cucumber curler dad dagger dance dart daughter delivery dentist desert dessert diamond dice dinner dinosaur divorce doctor dolphin donkey door dragon drawer dream drum duck dumpling dust eagle easel egg elephant elevator elf engagement engine eraser fabric fairy falcon farm farmer faucet feather fence ferry festival fiddle finger fireplace fish flag flame flask flight flour flower flute foam foot forest fork fossil fountain fox freezer frog fruit funeral funnel garage garlic gate giraffe glider globe glue goat goose gown grape grass grill guitar hair hamburger hammock hand harmonica harp hawk hay heart hedge helicopter hen hinge hiking holiday hook horn horse hospital hostel hot hotel house husband ice icing inn insurance iron island ivy jam jar jelly jet jewel juice jungle juniper kangaroo kayak ketchup keyboard king kite kitten knee knob lace ladder lake lamb lantern lasagna laundry lava lawn lawyer leaf lemon lens lettuce library lime lion lipstick liquor lizard llama loan lobster log lollipop loom lotion lunch magnet mall mango maple marble mask massage medal melon mint mirror mitten mixer mom monkey moose mop mortgage moth mother motor mountain mouse mower muffin mug mule museum mushroom mustard nail napkin neck necklace needle nest net noodle nose nurse nut oar oatmeal ocean onion opera orchid organ ostrich otter oven owl oyster paddle paint palace panda pants paper parachute parade parrot parsley party password pasta patch path peacock peach peanut pear pearl pen pencil penguin pepper perfume phone photo photographer piano pickle picnic pie pigeon pillow pilot pine pipe pirate pizza planet plant plow plum pond pony popcorn porch potato printer prom pump pumpkin puppet purse pyramid quilt rabbit raccoon radish raft rail rainbow ranch raven razor reel rehearsal rent restaurant ribbon rice rifle robe robot rocket roof rooster root rope rose rowboat rug runner saddle sail salad salmon salt sandwich sauce sausage saxophone scarf school scissors scooter screw seal seed shark shed sheep shelf shell shield ship shovel shower shrimp shuffleboard sister skate skeleton skirt skunk sled sloth snail snake snorkel snow soap soccer sock soda soup spade spatula spider spinach sponge spoon squash squid squirrel stable stadium stapler star stool stove strawberry string studio sugar suitcase swan swing sword syrup table tablet taco tail tattoo taxi tea teacher teddy telescope tennis tent theater ticket tiger tile tire toast tomato tooth torch tower toy tractor trailer train trampoline treadmill tree trombone trophy truck trumpet tuba tulip tuna tunnel turkey turtle tutorial tuxedo umbrella uncle unicorn uniform university urn vacation valley van vanilla vase vest violin volcano wagon waffle wall walnut walrus weather wedding whale wheel wheelchair whistle wife wig window wing winter wizard wolf wood worm wreath wrist yacht yard yarn yogurt zebra zipper zoo warranty rental tuition salary visa passport`,
  impliedWearers: `men: necktie, tuxedo, boxers, aftershave, beard
women: bra, bras, bralette, blouse, skirt, lingerie, panties, stilettos, heels, pantyhose, bikini, lipstick, mascara`,
  knownNames: `adidas airpods alexa android asics audi bandai barbie batman beats bentley birkenstock bmw bosch bose braun brother burberry calvin canon carhartt cartier casio chanel chevrolet chevy civic coach columbia converse corolla corsair crocs dell dewalt dior disney dodge dove dyson elsa epson fender ferrari fiat fitbit fortnite fossil frozen fuji galaxy garmin gibson gopro gucci guess harley harry hasbro hello hermes hilfiger hitachi honda hoover hulk huawei hyundai ikea instax ipad iphone ipod jabra jaguar jeep jordan karcher kawasaki keurig kindle kitty klein kodak lacoste lancome lego lenovo levis lexus lincoln logitech loreal macbook makita marvel mattel mazda mercedes michelin minecraft mini minnie mitsubishi moto motorola neutrogena nespresso nestle nike nikon nintendo nissan nivea nokia oakley oculus olympus omega onkyo oneplus oral osprey panasonic pandora patagonia pentax philips pioneer pixel playstation pokemon polaroid porsche potter prada puma pyrex quest ralph razer reebok ricoh roku rolex roomba rowenta ryobi salomon samsung sandisk sanyo seiko sennheiser sharp siemens simba skechers skoda sony spiderman spyder stanley starbucks steinway stetson subaru superman suzuki swarovski swatch tefal tesla thule tiffany tissot tommy toshiba toyota trek tupperware ugg uniqlo vans versace vizio volkswagen volvo wars weber wilson xbox xerox xiaomi yamaha yeezy yeti zelda zeiss`,
  letterSizes: `xxxs: xxxs
xxs: xxs
xs: xs
s: s
m: m
l: l
xl: xl
xxl: 2xl
xxxl: 3xl
xxxxl: 4xl
small: s
medium: m
med: m
large: l
xsmall: xs
xlarge: xl
xxlarge: 2xl
xxxlarge: 3xl
xxsmall: xxs
1xl: xl
2xl: 2xl
3xl: 3xl
4xl: 4xl
5xl: 5xl
6xl: 6xl
1x: xl
2x: 2xl
3x: 3xl
4x: 4xl
5x: 5xl
6x: 6xl
klein: s
mittel: m
gross: l`,
  meaningfulFillers: `down back over under little off out show help made own right well all one up above few mine way same kind thing us id keep`,
  negationBridges: `contain contains containing include includes included have has any a the added artificial need require requires use using harsh more of from`,
  negators: `without no not non minus excluding except sans wout avoid`,
  numberLabels: `gtin ean upc isbn mpn sku barcode part model item number artikelnummer bestellnummer teilenummer herstellernummer modellnummer nummer nr`,
  numberWords: `two three four five six seven eight nine ten zwei drei vier funf sechs sieben acht neun zehn`,
  refusals: `without`,
  scopeEnds: `with and for in but on that under from please at to by`,
  shelves: `apparel: apparel, clothing, clothes, shirt, tshirt, t shirt, tee, blouse, dress, skirt, pant, trouser, jean, shorts, legging, hoodie, sweater, sweatshirt, cardigan, jacket, coat, blazer, suit, vest, sock, underwear, bra, lingerie, pajama, swimwear, swimsuit, bikini, costume, scarf, glove, hat, beanie, belt, necktie, uniform, scrub, jumpsuit, robe, activewear, outerwear, sleepwear, handbag, purse, wallet, sunglasses, eyewear, tank top, polo, tuxedo, overalls, romper, kimono, baseball cap, parka, umbrella, nightgown, sarong, mitten
footwear: footwear, shoe, sneaker, boot, sandal, slipper, clog, loafer, heel, flip flop, moccasin, trainer, mule, espadrille, ankle boot, cleat, insole, running shoe, athletic shoe, ballet flat, high heel
furniture_decor: furniture, sofa, couch, chair, table, desk, bed, bed frame, mattress, dresser, nightstand, bookcase, bookshelf, shelf, shelving, cabinet, wardrobe, ottoman, bench, stool, futon, rug, curtain, drape, mirror, wall art, decor, home decor, lamp, lighting, chandelier, pillow, cushion, throw pillow, vase, candle, picture frame, poster, canvas print, headboard, sideboard, sectional, recliner, ornament, wreath, artificial plant, blind, clock, tapestry, console table, figurine, patio umbrella
home_kitchen: kitchen, home kitchen, kitchen dining, cookware, bakeware, dinnerware, tableware, glassware, drinkware, flatware, cutlery, knife, knife set, pan, skillet, pot, kettle, toaster, blender, mixer, microwave, coffee maker, coffee machine, espresso machine, mug, cup, plate, bowl, wine glass, bottle, tumbler, bedding, bed sheet, sheet set, comforter, duvet, blanket, quilt, towel, bath, storage, organizer, laundry, cleaning, vacuum, appliance, household, air fryer, cutting board, utensil, food storage, trash can, napkin, tablecloth, refrigerator, dishwasher, housewares, ironing, humidifier, air purifier, heater, apron, whisk, spatula, lunch box, carafe, shower curtain, bath mat, hanger
beauty_personal_care: beauty, personal care, cosmetic, makeup, skincare, skin care, shampoo, conditioner, hair care, lotion, moisturizer, serum, cleanser, face wash, soap, perfume, fragrance, cologne, lipstick, mascara, foundation, nail, nail polish, razor, shaver, toothpaste, toothbrush, oral care, deodorant, sunscreen, vitamin, supplement, health, health household, hair dryer, curling iron, hair brush, body wash, bath bomb, eyeshadow, concealer, wellness, massager, first aid, trimmer, essential oil, hygiene, blood pressure, pressure monitor, glucose monitor, glucose meter, pulse oximeter, hearing aid, pill organizer, heating pad
electronics_computing: electronic, computer, computing, laptop, notebook computer, notebook pc, tablet, phone, cell phone, smartphone, phone case, headphone, earbud, headset, speaker, television, tv, monitor, projector, camera, webcam, printer, toner, ink cartridge, toner cartridge, scanner, router, modem, keyboard, mouse, usb, cable, charger, adapter, power bank, battery, hard drive, ssd, memory card, flash drive, graphics card, processor, motherboard, server, network, networking, console, game controller, smartwatch, smart watch, fitness tracker, drone, ebook reader, audio, video, dvd player, radio, smart home, software, telephone, ram, ups, kvm, hdmi, docking station, microphone, cameras optics, soundbar, e reader, mousepad, mouse pad, notebook, inkjet, laserjet, printhead, cat 5, cat 6, cat5e, cat6, patch cable, ethernet, ddr4, hdd, lcd, vga, gaming mouse, gaming, cable tie, print cartridge, projector lamp, case fan, cpu, blank cd, disc drive, dvd drive, ray player, mp3 player, cd player
jewelry_watches: jewelry, jewellery, watch, wristwatch, necklace, bracelet, earring, wedding ring, pendant, anklet, brooch, cufflink, engagement ring, wedding band, charm, choker, bangle, gemstone
sports_outdoors: sport, sporting goods, outdoor recreation, sports outdoors, fitness, exercise, yoga, yoga mat, dumbbell, kettlebell, treadmill, bicycle, bike, cycling, camping, hiking, tent, sleeping bag, backpacking, fishing, hunting, golf, tennis, basketball, football, soccer, baseball, hockey, ski, snowboard, surf, swim, kayak, climbing, helmet, racket, gym, boxing, skateboard, scooter, cooler, water bottle, running, gym bag, duffel, trekking, archery, paddle, workout, rowing, goggles
tools_hardware: tool, power tool, hand tool, hardware, home improvement, drill, drill bit, saw, screwdriver, wrench, hammer, plier, planer, sander, grinder, toolbox, tool box, plumbing, faucet, pipe, fitting, valve, electrical, wire, paint, painting supply, building material, screw, bolt, nail gun, ladder, lock, door hardware, light bulb, ceiling fan, thermostat, sealant, caulk, adhesive, tape measure, socket set, welding, garden, lawn, lawn mower, hose, shovel, pruner, coupling, flashlight, industrial, generator, pressure washer, patio lawn, workbench, level
toys_kids: toy, toys games, game, board game, card game, puzzle, jigsaw, doll, action figure, building set, building block, lego, plush, stuffed animal, playset, kids, craft kit, play, trading card, party supply, playhouse, dollhouse, control car, slime, science kit, train set, toy car, play kitchen, kids bike
baby: baby, infant, newborn, nursery, diaper, stroller, car seat, crib, pacifier, baby bottle, feeding, high chair, baby monitor, bib, onesie, swaddle, teether, breast pump, baby toddler, baby carrier, changing pad, wipes, baby wipe, playpen
pets: pet, pet supply, dog, puppy, kitten, aquarium, fish tank, bird cage, birdcage, leash, pet collar, dog collar, dog food, cat food, litter, cat litter, kennel, pet bed, dog bed, cat tree, cat toy, cat treat, hamster, reptile, horse, animal, animals pet, treats, chew toy, scratching post, harness
auto: auto, automotive, car, vehicle, vehicle part, motorcycle, truck, tire, motor oil, engine oil, gear oil, oil filter, oil 0w, oil 5w, oil 10w, oil 15w, brake fluid, car part, windshield, wiper, brake, floor mat, dash cam, car wash, jumper cable, car battery, exhaust, headlight, spark plug, engine, trailer, rv, license plate, car charger, steering wheel
books_media: book, music, movie, novel, paperback, hardcover, textbook, magazine, dvd, blu ray, bluray, music cd, vinyl, vinyl record, audiobook, kindle edition, comic, manga, video game, game disc, sheet music, literature, fiction, poetry, cookbook, biography, encyclopedia, soundtrack, ebook
other: office, office product, office supply, school supply, stationery, binder, ring binder, pencil, pen, marker, envelope, label, paper, notebook, planner, grocery, gourmet, food, snack, beverage, tea, candy, spice, seasoning, sweetener, arts crafts, craft supply, sewing, ribbon, fabric, gift card, musical instrument, guitar, piano, luggage, suitcase, travel gear, mix, cookies, gelatin, marshmallow, coffee beans
footwear: schuh, stiefel, turnschuh, laufschuh, sandale, hausschuh
apparel: jacke, hose, hemd, kleid, rock, pullover, mantel, bluse, mutze, handschuh, regenjacke
furniture_decor: stuhl, tisch, schreibtisch, sofa, schrank, regal, teppich, matratze, lampe
home_kitchen: pfanne, topf, messer, tasse, teller, handtuch, bettwasche, kaffeemaschine, wasserkocher
electronics_computing: kopfhorer, handy, bildschirm, tastatur, ladekabel, lautsprecher, fernseher
sports_outdoors: fahrrad, rucksack, zelt, schlafsack, hantel, wanderschuh
tools_hardware: bohrmaschine, sage, schraubendreher, leiter
toys_kids: spielzeug, puppe, brettspiel
pets: hundefutter, katzenfutter, hundeleine
books_media: buch, roman`,
  shoeWidths: `b d e ee m w n medium wide narrow regular c x xw ww`,
  shortAsides: `for with in on by from to at that which under over around less per`,
  sizeRegions: `us uk eu eur`,
  spellings: `womens: women
mens: men
ladies: lady
kids: kid
childrens: children
boys: boy
girls: girl
tvs: tv
pcs: pc
dvds: dvd
cds: cd
colour: color
colours: color
coloured: color
colored: color
grey: gray
jewellery: jewelry
mould: mold
aluminium: aluminum
fibre: fiber
centre: center
theatre: theater
litre: liter
litres: liter
metre: meter
metres: meter
pyjamas: pajama
pajamas: pajama
tyre: tire
tyres: tire
organiser: organizer
organisers: organizer
moisturiser: moisturizer
doughnut: donut
catalogue: catalog
scarves: scarf
halves: half
loaves: loaf
accessories: accessory
batteries: battery
xmas: christmas
bbq: barbecue
fridge: refrigerator
tee: tshirt
tees: tshirt
eyeglasses: glasses
clothes: clothing
coated: coating
coatings: coating
schuhe: schuh
schuhen: schuh
laufschuhe: laufschuh
laufschuhen: laufschuh
turnschuhe: turnschuh
wanderschuhe: wanderschuh
hausschuhe: hausschuh
handschuhe: handschuh
jacken: jacke
regenjacken: regenjacke
hosen: hose
hemden: hemd
kleider: kleid
mutzen: mutze
sandalen: sandale
stuhle: stuhl
tische: tisch
schranke: schrank
regale: regal
teppiche: teppich
matratzen: matratze
lampen: lampe
pfannen: pfanne
topfe: topf
tassen: tasse
handtucher: handtuch
rucksacke: rucksack
zelte: zelt
fahrrader: fahrrad
bucher: buch
puppen: puppe
kapuzen: kapuze`,
  substances: `leather suede wool cashmere silk cotton polyester nylon acrylic spandex linen denim fur down feather latex rubber vinyl pvc plastic bpa glass metal steel aluminum brass nickel lead copper wood mdf bamboo rattan foam velvet gluten wheat soy dairy milk lactose egg nut peanut almond sugar sweetener erythritol stevia aspartame sucralose xylitol salt sodium gelatin pork beef chicken fish shellfish meat corn grain yeast caffeine alcohol palm coconut paraben sulfate silicone fragrance perfume fluoride phthalate aluminium talc retinol mercury formaldehyde dye preservative additive msg gmo ammonia bleach peroxide oil honey`,
  synonyms: `laptop = notebook computer = notebook
tv = television
cell phone = mobile phone = smartphone = cellphone
phone < smartphone
earphone = earbud = headphone = in-ear headphone
headset = headphone
computer = pc
desktop < desktop computer, tower pc
monitor < display
flash drive = memory stick = usb stick = thumb drive = usb drive
hard drive = hard disk = hdd
external hard drive = portable hard drive = external hdd
ssd = solid state drive
ram = memory module
ps4 = playstation 4
ps5 = playstation 5
ps3 = playstation 3
power bank = portable charger = powerbank
mouse pad = mouse mat = mousepad
smart watch = smartwatch
fitness tracker = activity tracker
webcam = web camera
camcorder = video camera
router = wireless router
projector = beamer
charger = charging adapter
cable = cord = lead
gpu = graphics card = video card
couch = sofa = settee = loveseat
sofa bed = sleeper sofa = convertible sofa
dresser = chest of drawers
nightstand = bedside table = night table
bookshelf = bookcase
wardrobe = armoire
rug = carpet
curtain = drape
duvet = comforter = quilt
cushion = throw pillow
blanket = throw
bedspread = coverlet
tv stand = media console = entertainment center = tv cabinet
coffee table = cocktail table
bar stool = barstool = counter stool
ottoman = footstool = pouf
recliner = reclining chair
light fixture = lighting fixture
chandelier < pendant light
lamp < light
trash can = garbage can = waste bin = wastebasket = trash bin
faucet = tap
tub = bathtub
stove = cooktop = range
frying pan = skillet = fry pan
silverware = flatware = cutlery
coffee maker = coffee machine = coffeemaker
refrigerator = fridge
vacuum = vacuum cleaner = hoover
dish = plate
tumbler < drinking glass
utensil < spatula, ladle
sneaker = trainer = athletic shoe = tennis shoe
shoe < sneaker, boot, sandal, loafer, heel, pump, oxford
flip flop = thong sandal
heel = pump
slip on = slipon
pant = trouser = slack
jogger = sweatpant
legging = tight
sweater = jumper = pullover
sweater < cardigan, sweatshirt
hoodie = hooded sweatshirt = hoody
tshirt = tee shirt
vest = waistcoat
coat = jacket
raincoat = rain jacket
swimsuit = bathing suit = swimwear
underwear = panty = undergarment
pajama = sleepwear = nightwear
nightgown = nightdress = sleepshirt
clothing = clothes = apparel
wear < clothing, outfit
formal wear < suit, tuxedo, dress shirt
handbag = purse = pocketbook
backpack = rucksack = bookbag
suitcase = luggage
wallet = billfold
necklace < pendant
sunglasses = sunglass = shades
eyeglass = spectacle
perfume = fragrance = cologne = eau de parfum
makeup = cosmetic
makeup < lipstick, mascara, eyeshadow, foundation
lotion = moisturizer
sunscreen = sunblock
sweetener = sugar substitute
diaper = nappy
stroller = pushchair = pram
pacifier = dummy = soother
crib = cot
newborn = infant = baby
toddler = child = kid
woman = lady = female = mujer
man = male = hombre = guy
flashlight = torch
wrench = spanner
drill < impact driver
toolbox = tool box = tool chest
tool roll = tool wrap
bike = bicycle
motorbike = motorcycle
car = auto = automobile = vehicle
dog = puppy = canine
cat = kitten = feline
jigsaw = jigsaw puzzle = puzzle
board game < tabletop game
book < paperback, hardcover, novel
notebook < journal
planner = organizer = agenda
binder = ring binder
christmas = xmas = holiday
zip = zipper
office < work, business
sofa table = console table
area rug < rug
headboard < bed frame
outdoor = patio
turnschuh = sneaker = laufschuh
handy = smartphone
bildschirm = monitor
kopfhorer = headphone
sofa = couch
fernseher = tv
schuh < turnschuh, stiefel, sandale, laufschuh`,
  thingEnds: `for with by in of compatible fits from w designed includes on to`,
  titleAsides: `for with compatible fits fit designed to includes including by w from of supports works`,
  titleNegators: `no not without non never w/o minus excluding zero lacks`,
  units: `inch: inch inches in
ft: ft feet foot
cm: cm centimeter centimeters centimetre centimetres
mm: mm millimeter millimeters millimetre millimetres
m: m meter meters metre metres
yd: yd yds yard yards
oz: oz ounce ounces
lb: lb lbs pound pounds
kg: kg kilogram kilograms kilo kilos
g: gram grams gr
mg: mg
ml: ml milliliter milliliters
l: l liter liters litre litres
qt: qt quart quarts
gal: gal gallon gallons
pint: pint pints
cup: cup cups
gb: gb gigabyte gigabytes
tb: tb terabyte terabytes
mb: mb megabyte megabytes
w: w watt watts
v: v volt volts
mah: mah
wh: wh
amp: amp amps ah
hz: hz hertz
khz: khz
mhz: mhz
ghz: ghz
mp: mp megapixel megapixels
dpi: dpi
ppi: ppi
rpm: rpm
btu: btu
psi: psi
lumen: lumen lumens lm
pack: pack packs pk pck
count: count ct
piece: piece pieces pcs
gauge: gauge ga awg
mil: mil
gsm: gsm
tier: tier tiers
quart: quart quarts`,
  unstemmedWords: `shorts briefs boxers coating`,
  wearers: `men: men, mens, male, males, gentleman, gentlemen, groom, groomsmen, menswear
women: women, womens, woman, womans, ladies, lady, female, females, bride, bridesmaid, maternity, womenswear
kids: kid, kids, child, children, childrens, toddler, toddlers, infant, infants, baby, babies, boy, boys, girl, girls, youth, newborn, newborns, junior, juniors
men: herren, manner, herrn, mannlich
women: damen, frauen, weiblich, umstands
kids: kinder, kind, jungen, madchen, baby, babys, kleinkind, kleinkinder`,
} as const;

/** How queries of other languages are read. */
export const otherLanguages = {
  de: {
    marks: `fur mit ohne und oder nicht kein keine einen eine einem der das dem den ich suche brauche mochte welche welcher grosse damen herren kinder bitte unter schuhe jacke hose`,
    fillers: `fur mit ohne und oder nicht der die das dem den des ein eine einen einem einer ich suche brauche mochte hatte gern gerne welche welcher welches ist sind auf aus bei bis im in am an von vom zu zum zur als auch sehr bitte mir mich uns meine mein meinen meiner`,
    negators: `ohne kein keine keinen nicht`,
    refusals: `ohne`,
    asides: `fur mit aus bei von vom zum zur im unter uber`,
    chatter: `gute guter gutes guten beste bester bestes besten gunstig gunstige gunstigen billig billige kaufen suche geschenk euro`,
  },
} as const;
