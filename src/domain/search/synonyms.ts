// Shop words that mean the same to a buyer. "=" joins words that stand for each other; "<" lists
// words that also answer the first one, but not the other way round ("shoe < sneaker": who asks for
// shoes takes sneakers, who asks for sneakers does not take any shoe).

const pairs = `
laptop = notebook computer = notebook
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
`;

interface Synonym {
  from: string;
  to: string;
  weight: number;
}

function readPairs(text: string): Synonym[] {
  const found: Synonym[] = [];
  for (const line of text.split('\n')) {
    const [first, wider] = line.split('<').map((part) => part.trim());
    if (wider !== undefined && first !== undefined)
      found.push(...wider.split(',').map((to) => ({ from: first, to: to.trim(), weight: 0.5 })));
    else if (line.includes('=')) {
      const names = line.split('=').map((name) => name.trim());
      for (const from of names)
        found.push(...names.filter((to) => to !== from).map((to) => ({ from, to, weight: 0.65 })));
    }
  }
  return found;
}

export interface SynonymPhrase {
  words: string[];
  weight: number;
}

/** Looks up synonyms by stems joined with a space; `stemOf` must be the one the index uses. */
export function synonymTable(
  stemOf: (word: string) => string,
): ReadonlyMap<string, readonly SynonymPhrase[]> {
  const table = new Map<string, SynonymPhrase[]>();
  for (const { from, to, weight } of readPairs(pairs)) {
    const key = from.split(/[ -]/).map(stemOf).join(' ');
    const entry = { words: to.split(/[ -]/), weight };
    const known = table.get(key);
    if (known === undefined) table.set(key, [entry]);
    else known.push(entry);
  }
  return table;
}
