/** What the index needs to know about one listing. The rest of the row stays in the catalog. */
export interface ProductDocument {
  product_id: string;
  title: string;
  brand: string | null;
  merchant: string;
  /** Merchant taxonomy path, "Home > Kitchen > Knives". */
  category: string | null;
  description: string;
  color?: string | null;
  sizes?: readonly string[];
  gender?: string | null;
  attributes?: Readonly<Record<string, string>>;
  currency: string;
  priceMicros: number;
  regularPriceMicros: number | null;
  inStock: boolean;
  hasImage: boolean;
  /**
   * What a sale pays the publisher, in any one unit; compared only between listings of the same
   * tier.
   */
  payoutWeight?: number;
  /**
   * Listings that share this are sizes or colours of one thing: a search shows the best of them.
   */
  group?: string | null;
}
