import { deflateSync } from 'node:zlib';
import { crc32 } from '../../fast/crc32.js';
import { categorize, type ProductCategory } from '../../domain/search/product-categories.js';

/**
 * A drawing of the kind of thing in the product's colour, as PNG: pictures for a shop that has no
 * camera.
 */
export function productTile(product: {
  title: string;
  category: string | null;
  color: string | null;
}): Buffer {
  const shade = shades.find(([word]) =>
    `${product.color ?? ''} ${product.title}`.toLowerCase().includes(word),
  )?.[1] ??
    shades[hashOf(product.title) % 12]?.[1] ?? [90, 110, 140];
  const tint = tints[hashOf(product.title) % tints.length] ?? [240, 240, 240];
  const pixels = new Uint8Array(side * side);
  drawing(categorize(product.category, product.title)).forEach((shape, at) =>
    fill(pixels, shape, 1 + (at % 2)),
  );
  return encode(pixels, [tint, shade, shade.map((part) => Math.round(part * 0.72))]);
}

type Point = readonly [number, number];

const side = 256;
const shades: readonly (readonly [string, readonly number[]])[] = [
  ['black', [45, 45, 50]],
  ['navy', [32, 48, 92]],
  ['olive', [107, 112, 60]],
  ['sage', [150, 170, 140]],
  ['forest', [40, 84, 58]],
  ['burgundy', [112, 32, 52]],
  ['rust', [170, 84, 44]],
  ['terracotta', [190, 102, 76]],
  ['charcoal', [70, 74, 80]],
  ['rose', [214, 150, 150]],
  ['pink', [228, 140, 166]],
  ['copper', [184, 115, 70]],
  ['gold', [205, 166, 74]],
  ['silver', [176, 182, 190]],
  ['steel', [150, 158, 166]],
  ['gray', [140, 144, 150]],
  ['walnut', [96, 66, 48]],
  ['oak', [190, 150, 104]],
  ['natural', [200, 170, 130]],
  ['brown', [122, 82, 54]],
  ['tan', [196, 158, 112]],
  ['beige', [220, 200, 170]],
  ['cream', [238, 228, 206]],
  ['white', [232, 232, 228]],
  ['red', [196, 52, 52]],
  ['orange', [226, 128, 48]],
  ['sky', [110, 170, 220]],
  ['blue', [52, 104, 184]],
  ['green', [64, 140, 84]],
  ['purple', [120, 76, 150]],
  ['multicolor', [210, 110, 60]],
];
const tints: readonly (readonly number[])[] = [
  [244, 240, 232],
  [234, 240, 244],
  [240, 244, 236],
  [246, 238, 240],
  [240, 238, 246],
];

/** Outlines in a square of 100 by 100. */
const drawings: Readonly<Record<ProductCategory, readonly (readonly Point[])[]>> = {
  apparel: [
    [
      [30, 20],
      [42, 16],
      [58, 16],
      [70, 20],
      [90, 40],
      [78, 52],
      [70, 44],
      [70, 86],
      [30, 86],
      [30, 44],
      [22, 52],
      [10, 40],
    ],
    [
      [42, 16],
      [58, 16],
      [50, 28],
    ],
  ],
  footwear: [
    [
      [12, 36],
      [30, 36],
      [38, 48],
      [58, 52],
      [84, 60],
      [90, 72],
      [12, 72],
    ],
    [
      [10, 72],
      [92, 72],
      [90, 80],
      [10, 80],
    ],
  ],
  furniture_decor: [
    [
      [22, 14],
      [32, 14],
      [32, 52],
      [72, 52],
      [72, 62],
      [22, 62],
    ],
    [
      [22, 62],
      [30, 62],
      [30, 90],
      [22, 90],
    ],
    [
      [64, 62],
      [72, 62],
      [72, 90],
      [64, 90],
    ],
  ],
  home_kitchen: [
    [
      [20, 30],
      [68, 30],
      [64, 84],
      [24, 84],
    ],
    [
      [68, 38],
      [86, 38],
      [86, 66],
      [66, 66],
      [67, 58],
      [78, 58],
      [78, 46],
      [68, 46],
    ],
  ],
  beauty_personal_care: [
    [
      [34, 40],
      [66, 40],
      [66, 90],
      [34, 90],
    ],
    [
      [42, 14],
      [58, 14],
      [58, 40],
      [42, 40],
    ],
  ],
  electronics_computing: [
    [
      [20, 22],
      [80, 22],
      [80, 66],
      [20, 66],
    ],
    [
      [26, 28],
      [74, 28],
      [74, 60],
      [26, 60],
    ],
    [
      [10, 72],
      [90, 72],
      [84, 80],
      [16, 80],
    ],
  ],
  jewelry_watches: [
    [
      [38, 6],
      [62, 6],
      [62, 30],
      [74, 40],
      [74, 60],
      [62, 70],
      [62, 94],
      [38, 94],
      [38, 70],
      [26, 60],
      [26, 40],
      [38, 30],
    ],
    [
      [40, 38],
      [60, 38],
      [66, 50],
      [60, 62],
      [40, 62],
      [34, 50],
    ],
  ],
  sports_outdoors: [
    [
      [50, 18],
      [92, 84],
      [8, 84],
    ],
    [
      [50, 44],
      [66, 84],
      [34, 84],
    ],
  ],
  tools_hardware: [
    [
      [16, 22],
      [72, 22],
      [72, 40],
      [16, 40],
    ],
    [
      [38, 40],
      [52, 40],
      [52, 92],
      [38, 92],
    ],
  ],
  toys_kids: [
    [
      [14, 52],
      [48, 52],
      [48, 88],
      [14, 88],
    ],
    [
      [52, 52],
      [86, 52],
      [86, 88],
      [52, 88],
    ],
    [
      [33, 14],
      [67, 14],
      [67, 48],
      [33, 48],
    ],
  ],
  baby: [
    [
      [38, 34],
      [62, 34],
      [66, 46],
      [66, 90],
      [34, 90],
      [34, 46],
    ],
    [
      [44, 12],
      [56, 12],
      [62, 34],
      [38, 34],
    ],
  ],
  pets: [
    [
      [34, 54],
      [66, 54],
      [76, 76],
      [64, 88],
      [36, 88],
      [24, 76],
    ],
    [
      [18, 34],
      [32, 34],
      [32, 50],
      [18, 50],
    ],
    [
      [68, 34],
      [82, 34],
      [82, 50],
      [68, 50],
    ],
    [
      [42, 22],
      [58, 22],
      [58, 44],
      [42, 44],
    ],
  ],
  auto: [
    [
      [8, 56],
      [22, 52],
      [34, 34],
      [66, 34],
      [80, 52],
      [92, 56],
      [92, 72],
      [8, 72],
    ],
    [
      [20, 66],
      [34, 66],
      [34, 82],
      [20, 82],
    ],
    [
      [38, 40],
      [62, 40],
      [70, 52],
      [32, 52],
    ],
    [
      [66, 66],
      [80, 66],
      [80, 82],
      [66, 82],
    ],
  ],
  books_media: [
    [
      [22, 14],
      [78, 14],
      [78, 86],
      [22, 86],
    ],
    [
      [22, 14],
      [32, 14],
      [32, 86],
      [22, 86],
    ],
    [
      [42, 28],
      [70, 28],
      [70, 42],
      [42, 42],
    ],
  ],
  other: [
    [
      [14, 36],
      [86, 36],
      [86, 86],
      [14, 86],
    ],
    [
      [44, 14],
      [56, 14],
      [56, 86],
      [44, 86],
    ],
  ],
};

function drawing(category: ProductCategory): readonly (readonly Point[])[] {
  return drawings[category];
}

/** Even-odd rule, a line of pixels at a time. */
function fill(pixels: Uint8Array, shape: readonly Point[], ink: number): void {
  for (let y = 0; y < side; y += 1) {
    const level = ((y + 0.5) / side) * 100;
    const crossings = shape
      .flatMap(([x1, y1], at) => {
        const [x2, y2] = shape[(at + 1) % shape.length] ?? [x1, y1];
        return y1 <= level === y2 <= level ? [] : [x1 + ((level - y1) / (y2 - y1)) * (x2 - x1)];
      })
      .sort((a, b) => a - b);
    for (let pair = 0; pair + 1 < crossings.length; pair += 2) {
      pixels.fill(
        ink,
        y * side + Math.round(((crossings[pair] ?? 0) / 100) * side),
        y * side + Math.round(((crossings[pair + 1] ?? 0) / 100) * side),
      );
    }
  }
}

function encode(pixels: Uint8Array, palette: readonly (readonly number[])[]): Buffer {
  const rows = Buffer.alloc((side + 1) * side);
  for (let y = 0; y < side; y += 1)
    rows.set(pixels.subarray(y * side, (y + 1) * side), y * (side + 1) + 1);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flat())),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  framed.set(body, 4);
  framed.writeUInt32BE(crc32(body) >>> 0, body.length + 4);
  return framed;
}

function hashOf(text: string): number {
  let hash = 7;
  for (let at = 0; at < text.length; at += 1)
    hash = (Math.imul(hash, 31) + text.charCodeAt(at)) >>> 0;
  return hash;
}
