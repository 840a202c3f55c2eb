// Sorts listings onto fifteen shelves, from the merchant's own category path and the title.
import { gap, productTokens, type ProductTokens } from './product-tokens.js';
import { stemOf } from './term-dictionary.js';

export const productCategories = [
  'apparel',
  'footwear',
  'furniture_decor',
  'home_kitchen',
  'beauty_personal_care',
  'electronics_computing',
  'jewelry_watches',
  'sports_outdoors',
  'tools_hardware',
  'toys_kids',
  'baby',
  'pets',
  'auto',
  'books_media',
  'other',
] as const;
export type ProductCategory = (typeof productCategories)[number];

const cues: Readonly<Record<ProductCategory, string>> = {
  apparel: `apparel, clothing, clothes, shirt, tshirt, t shirt, tee, blouse, dress, skirt, pant, trouser, jean, shorts, legging, hoodie, sweater, sweatshirt, cardigan, jacket, coat, blazer, suit, vest, sock, underwear, bra, lingerie, pajama, swimwear, swimsuit, bikini,
    costume, scarf, glove, hat, beanie, belt, necktie, uniform, scrub, jumpsuit, robe, activewear, outerwear, sleepwear, handbag, purse, wallet, sunglasses, eyewear, tank top, polo, tuxedo, overalls, romper, kimono, baseball cap, parka, umbrella, nightgown, sarong, mitten`,
  footwear:
    'footwear, shoe, sneaker, boot, sandal, slipper, clog, loafer, heel, flip flop, moccasin, trainer, mule, espadrille, ankle boot, cleat, insole, running shoe, athletic shoe, ballet flat, high heel',
  furniture_decor: `furniture, sofa, couch, chair, table, desk, bed, bed frame, mattress, dresser, nightstand, bookcase, bookshelf, shelf, shelving, cabinet, wardrobe, ottoman, bench, stool, futon, rug, curtain, drape, mirror, wall art, decor, home decor, lamp, lighting, chandelier,
    pillow, cushion, throw pillow, vase, candle, picture frame, poster, canvas print, headboard, sideboard, sectional, recliner, ornament, wreath, artificial plant, blind, clock, tapestry, console table, figurine, patio umbrella`,
  home_kitchen: `kitchen, home kitchen, kitchen dining, cookware, bakeware, dinnerware, tableware, glassware, drinkware, flatware, cutlery, knife, knife set, pan, skillet, pot, kettle, toaster, blender, mixer, microwave, coffee maker, coffee machine, espresso machine, mug, cup, plate, bowl,
    wine glass, bottle, tumbler, bedding, bed sheet, sheet set, comforter, duvet, blanket, quilt, towel, bath, storage, organizer, laundry, cleaning, vacuum, appliance, household, air fryer, cutting board, utensil, food storage, trash can, napkin, tablecloth, refrigerator, dishwasher, housewares,
    ironing, humidifier, air purifier, heater, apron, whisk, spatula, lunch box, carafe, shower curtain, bath mat, hanger`,
  beauty_personal_care: `beauty, personal care, cosmetic, makeup, skincare, skin care, shampoo, conditioner, hair care, lotion, moisturizer, serum, cleanser, face wash, soap, perfume, fragrance, cologne, lipstick, mascara, foundation, nail, nail polish, razor, shaver, toothpaste, toothbrush, oral care,
    deodorant, sunscreen, vitamin, supplement, health, health household, hair dryer, curling iron, hair brush, body wash, bath bomb, eyeshadow, concealer, wellness, massager, first aid, trimmer, essential oil, hygiene, blood pressure, pressure monitor, glucose monitor, glucose meter, pulse oximeter, hearing aid, pill organizer, heating pad`,
  electronics_computing: `electronic, computer, computing, laptop, notebook computer, notebook pc, tablet, phone, cell phone, smartphone, phone case, headphone, earbud, headset, speaker, television, tv, monitor, projector, camera, webcam, printer, toner, ink cartridge, toner cartridge, scanner, router, modem, keyboard,
    mouse, usb, cable, charger, adapter, power bank, battery, hard drive, ssd, memory card, flash drive, graphics card, processor, motherboard, server, network, networking, console, game controller, smartwatch, smart watch, fitness tracker, drone, ebook reader, audio, video,
    dvd player, radio, smart home, software, telephone, ram, ups, kvm, hdmi, docking station, microphone, cameras optics, soundbar, e reader, mousepad, mouse pad, notebook, inkjet, laserjet, printhead, cat 5, cat 6, cat5e, cat6, patch cable, ethernet, ddr4, hdd, lcd, vga, gaming mouse, gaming, cable tie, print cartridge, projector lamp, case fan,
    cpu, blank cd, disc drive, dvd drive, ray player, mp3 player, cd player`,
  jewelry_watches:
    'jewelry, jewellery, watch, wristwatch, necklace, bracelet, earring, wedding ring, pendant, anklet, brooch, cufflink, engagement ring, wedding band, charm, choker, bangle, gemstone',
  sports_outdoors: `sport, sporting goods, outdoor recreation, sports outdoors, fitness, exercise, yoga, yoga mat, dumbbell, kettlebell, treadmill, bicycle, bike, cycling, camping, hiking, tent, sleeping bag, backpacking, fishing, hunting, golf, tennis, basketball, football, soccer, baseball, hockey, ski, snowboard,
    surf, swim, kayak, climbing, helmet, racket, gym, boxing, skateboard, scooter, cooler, water bottle, running, gym bag, duffel, trekking, archery, paddle, workout, rowing, goggles`,
  tools_hardware: `tool, power tool, hand tool, hardware, home improvement, drill, drill bit, saw, screwdriver, wrench, hammer, plier, planer, sander, grinder, toolbox, tool box, plumbing, faucet, pipe, fitting, valve, electrical, wire, paint, painting supply, building material, screw, bolt, nail gun,
    ladder, lock, door hardware, light bulb, ceiling fan, thermostat, sealant, caulk, adhesive, tape measure, socket set, welding, garden, lawn, lawn mower, hose, shovel, pruner, coupling, flashlight, industrial, generator, pressure washer, patio lawn, workbench, level`,
  toys_kids: `toy, toys games, game, board game, card game, puzzle, jigsaw, doll, action figure, building set, building block, lego, plush, stuffed animal, playset, kids, craft kit, play, trading card, party supply, playhouse, dollhouse, control car, slime, science kit, train set, toy car, play kitchen, kids bike`,
  baby: `baby, infant, newborn, nursery, diaper, stroller, car seat, crib, pacifier, baby bottle, feeding, high chair, baby monitor, bib, onesie, swaddle, teether, breast pump, baby toddler, baby carrier, changing pad, wipes, baby wipe, playpen`,
  pets: 'pet, pet supply, dog, puppy, kitten, aquarium, fish tank, bird cage, birdcage, leash, pet collar, dog collar, dog food, cat food, litter, cat litter, kennel, pet bed, dog bed, cat tree, cat toy, cat treat, hamster, reptile, horse, animal, animals pet, treats, chew toy, scratching post, harness',
  auto: 'auto, automotive, car, vehicle, vehicle part, motorcycle, truck, tire, motor oil, engine oil, gear oil, oil filter, oil 0w, oil 5w, oil 10w, oil 15w, brake fluid, car part, windshield, wiper, brake, floor mat, dash cam, car wash, jumper cable, car battery, exhaust, headlight, spark plug, engine, trailer, rv, license plate, car charger, steering wheel',
  books_media: `book, music, movie, novel, paperback, hardcover, textbook, magazine, dvd, blu ray, bluray, music cd, vinyl, vinyl record, audiobook, kindle edition, comic, manga, video game, game disc, sheet music, literature, fiction, poetry, cookbook, biography, encyclopedia, soundtrack, ebook`,
  other: `office, office product, office supply, school supply, stationery, binder, ring binder, pencil, pen, marker, envelope, label, paper, notebook, planner, grocery, gourmet, food, snack, beverage, tea, candy, spice, seasoning, sweetener, arts crafts, craft supply, sewing, ribbon, fabric, gift card,
    musical instrument, guitar, piano, luggage, suitcase, travel gear, mix, cookies, gelatin, marshmallow, coffee beans`,
};

function readCues(): ReadonlyMap<string, readonly ProductCategory[]> {
  const shelves = new Map<string, ProductCategory[]>();
  for (const category of productCategories) {
    for (const cue of cues[category].split(',')) {
      const key = cue.trim().split(/\s+/).map(stemOf).join(' ');
      const known = shelves.get(key);
      if (known === undefined) shelves.set(key, [category]);
      else if (!known.includes(category)) known.push(category);
    }
  }
  return shelves;
}

/** Stems joined by a space, to the shelves they speak for. */
const shelvesByCue = readCues();
const firstStems: ReadonlySet<string> = new Set(
  [...shelvesByCue.keys()].filter((cue) => cue.includes(' ')).map((cue) => cue.split(' ')[0] ?? ''),
);

const cueWords: ReadonlySet<string> = new Set(
  [...shelvesByCue.keys()].flatMap((cue) => cue.split(' ')),
);

/** A word that names a kind of product, whether or not any catalogue has one. */
export function isProductWord(word: string): boolean {
  return cueWords.has(stemOf(word));
}

/** A word that by itself names a kind of product ("jacket", not "leather"). */
export function namesProductKind(word: string): boolean {
  return shelvesByCue.has(stemOf(word));
}

/** Whether the words name a kind of product, one by itself or two together ("motor oil"). */
export function nameProductKind(words: readonly string[]): boolean {
  const stems = words.map(stemOf);
  return stems.some(
    (stem, at) =>
      shelvesByCue.has(stem) ||
      (firstStems.has(stem) && shelvesByCue.has(`${stem} ${stems[at + 1] ?? ''}`)),
  );
}

/** Department names in a path that settle the matter unless a later one disagrees. */
const departments: ReadonlyMap<string, ProductCategory> = new Map<string, ProductCategory>(
  Object.entries({
    shoes: 'footwear',
    footwear: 'footwear',
    clothing: 'apparel',
    apparel: 'apparel',
    jewelry: 'jewelry_watches',
    watches: 'jewelry_watches',
    furniture: 'furniture_decor',
    'pet supplies': 'pets',
    'animals & pet supplies': 'pets',
    books: 'books_media',
    media: 'books_media',
    'kindle store': 'books_media',
    'movies & tv': 'books_media',
    'toys & games': 'toys_kids',
    'baby products': 'baby',
    'baby & toddler': 'baby',
    baby: 'baby',
    automotive: 'auto',
    'vehicles & parts': 'auto',
    electronics: 'electronics_computing',
    'beauty & personal care': 'beauty_personal_care',
    'health & beauty': 'beauty_personal_care',
    'office products': 'other',
    'office supplies': 'other',
    'grocery & gourmet food': 'other',
    'food, beverages & tobacco': 'other',
    'arts, crafts & sewing': 'other',
    'luggage & bags': 'other',
    'musical instruments': 'other',
    'sporting goods': 'sports_outdoors',
    'cameras & optics': 'electronics_computing',
    software: 'electronics_computing',
    hardware: 'tools_hardware',
  } satisfies Record<string, ProductCategory>),
);
const departmentWeight = 6;

const endsTheThing = new Set([
  'for',
  'with',
  'by',
  'in',
  'of',
  'compatible',
  'fits',
  'from',
  'w',
  'designed',
  'includes',
  'on',
  'to',
]);
const lettered = /[a-z]/;

type Scores = Float64Array;

function addCues(stems: readonly string[], weight: number, scores: Scores): void {
  for (let at = 0; at < stems.length; at++) {
    const one = stems[at] ?? '';
    const pair =
      firstStems.has(one) && at + 1 < stems.length
        ? shelvesByCue.get(`${one} ${stems[at + 1] ?? ''}`)
        : undefined;
    const shelves = pair ?? shelvesByCue.get(one);
    if (shelves !== undefined)
      for (const shelf of shelves)
        scores[productCategories.indexOf(shelf)]! +=
          (weight * (pair === undefined ? 1 : 2)) / shelves.length;
    if (pair !== undefined) at += 1;
  }
}

/**
 * Words of the title up to "for", "with" and the like: what the thing is, not what it goes with.
 */
function thing({ words, gaps }: ProductTokens): string[] {
  let end = words.length;
  for (let at = 1; at < words.length; at++) {
    if (!endsTheThing.has(words[at] ?? '') && !(at > 2 && (gaps[at] ?? 0) >= gap.phrase)) continue;
    end = at;
    break;
  }
  return words.slice(0, end).filter((word) => lettered.test(word));
}

/** What a category path says about the shelf. Paths repeat; callers keep the answer. */
export function pathScores(category: string, stem: (word: string) => string = stemOf): Scores {
  const scores = new Float64Array(productCategories.length);
  const segments = category
    .split(/>|\/|\||»/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  for (const [at, segment] of segments.entries()) {
    addCues(productTokens(segment).words.map(stem), 1.5 + (3 * (at + 1)) / segments.length, scores);
    const department = departments.get(segment.toLowerCase());
    if (department !== undefined)
      scores[productCategories.indexOf(department)]! += departmentWeight;
  }
  return scores;
}

/**
 * The shelf of a listing. The leaf of the merchant's path speaks loudest; the end of the title's
 * first phrase names the thing.
 */
export function categorizeTokens(
  path: Scores | null,
  title: ProductTokens,
  stem: (word: string) => string = stemOf,
): ProductCategory {
  const scores = path === null ? new Float64Array(productCategories.length) : path.slice();
  const named = thing(title).map(stem);
  addCues(named, 1, scores);
  addCues(named.slice(-3), 1.5, scores);
  if (scores.every((score) => score === 0)) addCues(title.words.map(stem), 1, scores);
  let best: ProductCategory = 'other';
  let most = 0;
  for (const [at, shelf] of productCategories.entries()) {
    const score = scores[at] ?? 0;
    if (score <= most) continue;
    best = shelf;
    most = score;
  }
  return best;
}

export function categorize(category: string | null, title: string): ProductCategory {
  return categorizeTokens(category === null ? null : pathScores(category), productTokens(title));
}
