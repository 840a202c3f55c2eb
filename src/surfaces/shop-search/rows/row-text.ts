import type { ProductRow } from '../queries.js';

/** A row as one text, without the names of its columns, and back: the two must be in one order. */
export function textOfRow(row: ProductRow): string {
  return JSON.stringify([
    row.id,
    row.merchantId,
    row.groupId,
    row.title,
    row.brand,
    row.category,
    row.description,
    row.color,
    row.sizes,
    row.gender,
    row.attributes,
    row.currency,
    row.priceMicros,
    row.salePriceMicros,
    row.saleStartsAt?.getTime() ?? null,
    row.saleEndsAt?.getTime() ?? null,
    row.regularPublished,
    row.inStock,
    row.imageUrl,
    row.pageUrl,
    row.checkoutItemId,
    row.continueUrl,
    row.variants,
    row.removed,
  ]);
}

type TextValues = {
  [Column in keyof ProductRow]: ProductRow[Column] extends Date | null
    ? number | null
    : ProductRow[Column];
};

type InOrder = [
  TextValues['id'],
  TextValues['merchantId'],
  TextValues['groupId'],
  TextValues['title'],
  TextValues['brand'],
  TextValues['category'],
  TextValues['description'],
  TextValues['color'],
  TextValues['sizes'],
  TextValues['gender'],
  TextValues['attributes'],
  TextValues['currency'],
  TextValues['priceMicros'],
  TextValues['salePriceMicros'],
  TextValues['saleStartsAt'],
  TextValues['saleEndsAt'],
  TextValues['regularPublished'],
  TextValues['inStock'],
  TextValues['imageUrl'],
  TextValues['pageUrl'],
  TextValues['checkoutItemId'],
  TextValues['continueUrl'],
  TextValues['variants'],
  TextValues['removed'],
];

export function rowOfText(text: string): ProductRow {
  // As written above.
  const values = JSON.parse(text) as InOrder;
  return {
    id: values[0],
    merchantId: values[1],
    groupId: values[2],
    title: values[3],
    brand: values[4],
    category: values[5],
    description: values[6],
    color: values[7],
    sizes: values[8],
    gender: values[9],
    attributes: values[10],
    currency: values[11],
    priceMicros: values[12],
    salePriceMicros: values[13],
    saleStartsAt: momentOf(values[14]),
    saleEndsAt: momentOf(values[15]),
    regularPublished: values[16],
    inStock: values[17],
    imageUrl: values[18],
    pageUrl: values[19],
    checkoutItemId: values[20],
    continueUrl: values[21],
    variants: values[22],
    removed: values[23],
  };
}

function momentOf(ms: number | null): Date | null {
  return ms === null ? null : new Date(ms);
}
