import { country } from '../../core/format.js';

/** What a browser has a name for and is no country: unions, former states, codes for private use. */
const others = new Set(
  'AC AN BU CP CQ CS DD DG DY EA EU EZ FX HV IC NH QO RH SU TA TP UK UN VD XA XB XK YD YU ZR ZZ'.split(
    ' ',
  ),
);
const named = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
/** What people call them beside their name and code. */
const aliases: Readonly<Record<string, string>> = {
  uk: 'GB',
  england: 'GB',
  britain: 'GB',
  usa: 'US',
  america: 'US',
  uae: 'AE',
  holland: 'NL',
};

export interface Country {
  code: string;
  name: string;
}

let list: readonly Country[] | undefined;

/** Every country by its name, as the browser knows them. */
export function countries(): readonly Country[] {
  list ??= [...letters]
    .flatMap((first) => [...letters].map((second) => `${first}${second}`))
    .filter((code) => !others.has(code) && named.of(code) !== undefined)
    .map((code) => ({ code, name: country(code) }))
    .sort((a, b) => a.name.localeCompare(b.name, 'en'));
  return list;
}

/** Without accents and signs: "cote d'ivoire" finds Côte d’Ivoire. */
const folded = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^a-z ]/gi, '')
    .toLowerCase()
    .trim();

/** Countries somebody may mean, the likeliest first. */
export function findCountries(text: string, most = 8): Country[] {
  const asked = folded(text);
  if (asked === '') return [];
  const rank = ({ code, name }: Country): number => {
    const plain = folded(name);
    if (code.toLowerCase() === asked || aliases[asked] === code || plain === asked) return 0;
    if (plain.startsWith(asked)) return 1;
    if (plain.includes(` ${asked}`)) return 2;
    return plain.includes(asked) && asked.length > 2 ? 3 : 9;
  };
  return countries()
    .map((one) => ({ one, at: rank(one) }))
    .filter(({ at }) => at < 9)
    .sort((a, b) => a.at - b.at)
    .slice(0, most)
    .map(({ one }) => one);
}

/** The one country a text names by name, code or as people call it. */
export function exactCountry(text: string): Country | null {
  const [first] = findCountries(text, 1);
  const asked = folded(text);
  return first !== undefined &&
    (first.code.toLowerCase() === asked ||
      folded(first.name) === asked ||
      aliases[asked] === first.code)
    ? first
    : null;
}
