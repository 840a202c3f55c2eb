// What things are made of. Refused ("without leather"), a substance rules out listings that mention
// it anywhere; a refused part ("without lid") only those that show it in the title or the
// attributes, since descriptions talk about parts in passing.
import { stemOf } from './term-dictionary.js';

const names = `leather suede wool cashmere silk cotton polyester nylon acrylic spandex linen denim fur down feather latex rubber vinyl pvc plastic bpa glass metal steel aluminum brass nickel lead copper wood mdf bamboo rattan foam velvet
  gluten wheat soy dairy milk lactose egg nut peanut almond sugar sweetener erythritol stevia aspartame sucralose xylitol salt sodium gelatin pork beef chicken fish shellfish meat corn grain yeast caffeine alcohol palm coconut
  paraben sulfate silicone fragrance perfume fluoride phthalate aluminium talc retinol mercury formaldehyde dye preservative additive msg gmo ammonia bleach peroxide oil honey`;

const stems: ReadonlySet<string> = new Set(names.split(/\s+/).map(stemOf));

export function isSubstance(word: string): boolean {
  return stems.has(stemOf(word));
}
