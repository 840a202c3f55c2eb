// Words that are spelt right even when a catalogue has no such product: "stroller" must not become
// "roller".
import { stemOf } from './term-dictionary.js';

const everyday = `airplane airport album alligator ambulance amp anchor angel ankle antenna apartment apple arch armchair artist attorney aunt avocado baker balcony ball balloon banana bank banjo barber barn barrel basket bass bath battle bead beach bean bear beer bell bench berry birth
  birthday biscuit boat bomb bone bottle bow boxing bracket brain branch bread brick bridge broom brother bucket buckle bulb bull burger butter butterfly button cabin cage cake calculator calendar camel camper canoe canvas caravan cargo carrot cart castle cattle cello cement cereal
  chain chalk chalkboard cheese chef cherry chess chicken chimney chin chisel chorus church cigar circle circus clam clamp clarinet class clay cliff cloak clover clown coach coaster coconut coin collar college compass concert cone cookie coral cork corn cottage couch cousin cowboy
  crab cradle crane crayon cricket crown cruise crystal cube cucumber curler dad dagger dance dart daughter delivery dentist desert dessert diamond dice dinner dinosaur divorce doctor dolphin donkey door dragon drawer dream drum duck dumpling dust eagle easel egg elephant elevator
  elf engagement engine eraser fabric fairy falcon farm farmer faucet feather fence ferry festival fiddle finger fireplace fish flag flame flask flight flour flower flute foam foot forest fork fossil fountain fox freezer frog fruit funeral funnel garage garlic gate giraffe glider globe
  glue goat goose gown grape grass grill guitar hair hamburger hammock hand harmonica harp hawk hay heart hedge helicopter hen hinge hiking holiday hook horn horse hospital hostel hot hotel house husband ice icing inn insurance iron island ivy jam jar jelly jet jewel juice jungle
  juniper kangaroo kayak ketchup keyboard king kite kitten knee knob lace ladder lake lamb lantern lasagna laundry lava lawn lawyer leaf lemon lens lettuce library lime lion lipstick liquor lizard llama loan lobster log lollipop loom lotion lunch magnet mall mango maple marble
  mask massage medal melon mint mirror mitten mixer mom monkey moose mop mortgage moth mother motor mountain mouse mower muffin mug mule museum mushroom mustard nail napkin neck necklace needle nest net noodle nose nurse nut oar oatmeal ocean onion opera orchid organ ostrich
  otter oven owl oyster paddle paint palace panda pants paper parachute parade parrot parsley party password pasta patch path peacock peach peanut pear pearl pen pencil penguin pepper perfume phone photo photographer piano pickle picnic pie pigeon pillow pilot pine pipe pirate
  pizza planet plant plow plum pond pony popcorn porch potato printer prom pump pumpkin puppet purse pyramid quilt rabbit raccoon radish raft rail rainbow ranch raven razor reel rehearsal rent restaurant ribbon rice rifle robe robot rocket roof rooster root rope rose rowboat
  rug runner saddle sail salad salmon salt sandwich sauce sausage saxophone scarf school scissors scooter screw seal seed shark shed sheep shelf shell shield ship shovel shower shrimp shuffleboard sister skate skeleton skirt skunk sled sloth snail snake snorkel snow soap soccer
  sock soda soup spade spatula spider spinach sponge spoon squash squid squirrel stable stadium stapler star stool stove strawberry string studio sugar suitcase swan swing sword syrup table tablet taco tail tattoo taxi tea teacher teddy telescope tennis tent theater ticket tiger
  tile tire toast tomato tooth torch tower toy tractor trailer train trampoline treadmill tree trombone trophy truck trumpet tuba tulip tuna tunnel turkey turtle tutorial tuxedo umbrella uncle unicorn uniform university urn vacation valley van vanilla vase vest violin volcano wagon
  waffle wall walnut walrus weather wedding whale wheel wheelchair whistle wife wig window wing winter wizard wolf wood worm wreath wrist yacht yard yarn yogurt zebra zipper zoo warranty rental tuition salary visa passport`;

/** Names people ask for that are one letter away from something else. */
const names = `adidas airpods alexa android asics audi bandai barbie batman beats bentley birkenstock bmw bosch bose braun brother burberry calvin canon carhartt cartier casio chanel chevrolet chevy civic coach columbia converse corolla corsair crocs
  dell dewalt dior disney dodge dove dyson elsa epson fender ferrari fiat fitbit fortnite fossil frozen fuji galaxy garmin gibson gopro gucci guess harley harry hasbro hello hermes hilfiger hitachi honda hoover hulk huawei hyundai ikea instax ipad iphone
  ipod jabra jaguar jeep jordan karcher kawasaki keurig kindle kitty klein kodak lacoste lancome lego lenovo levis lexus lincoln logitech loreal macbook makita marvel mattel mazda mercedes michelin minecraft mini minnie mitsubishi moto motorola neutrogena
  nespresso nestle nike nikon nintendo nissan nivea nokia oakley oculus olympus omega onkyo oneplus oral osprey panasonic pandora patagonia pentax philips pioneer pixel playstation pokemon polaroid porsche potter prada puma pyrex quest ralph razer reebok ricoh
  roku rolex roomba rowenta ryobi salomon samsung sandisk sanyo seiko sennheiser sharp siemens simba skechers skoda sony spiderman spyder stanley starbucks steinway stetson subaru superman suzuki swarovski swatch tefal tesla thule tiffany tissot tommy toshiba
  toyota trek tupperware ugg uniqlo vans versace vizio volkswagen volvo wars weber wilson xbox xerox xiaomi yamaha yeezy yeti zelda zeiss`;

const stems: ReadonlySet<string> = new Set(`${everyday} ${names}`.split(/\s+/).map(stemOf));

export function isEverydayWord(word: string): boolean {
  return stems.has(stemOf(word));
}
