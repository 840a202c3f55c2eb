/** Fields of a developer-tool search; send back `search_id` to follow up. */
export interface ToolQuery {
  query: string;
  search_id?: string;
  context?: Record<string, unknown>;
  external_session_id?: string;
  external_user_id_hash?: string;
  external_user_id?: string;
  hashed_email?: string;
  metadata?: Record<string, unknown>;
  monetization?: { mode: 'boost_cpa' | 'off' };
}

export interface InstallStep {
  step: number;
  action: string;
  command?: string;
  file?: string;
  user_action?: string;
}

export interface ToolResult {
  search_id: string;
  recommendation: {
    name: string;
    slug: string;
    category: string;
    description: string;
    website_url: string;
    docs_url: string;
  } | null;
  reasoning: string;
  install?: { summary: string; steps: InstallStep[]; env_vars: unknown[]; notes: string } | null;
  credential_request?: {
    setup_url: string;
    required_env_vars: unknown[];
    user_message: string;
    agent_instruction: string;
    grclid: string;
  } | null;
  click_url?: string | null;
  grclid?: string | null;
}

export type ProductCategory =
  | 'apparel'
  | 'footwear'
  | 'furniture_decor'
  | 'home_kitchen'
  | 'beauty_personal_care'
  | 'electronics_computing'
  | 'jewelry_watches'
  | 'sports_outdoors'
  | 'tools_hardware'
  | 'toys_kids'
  | 'baby'
  | 'pets'
  | 'auto'
  | 'books_media'
  | 'other';

/** Fields of a product search; `query` is needed unless `context.messages` is there. */
export interface ProductQuery {
  query?: string;
  context?: {
    style?: string;
    vibe?: string;
    messages?: { role: string; content: string }[];
    [name: string]: unknown;
  };
  max_results?: number;
  rerank?: boolean;
  price_min?: number;
  price_max?: number;
  currency?: string;
  brands?: string[];
  merchants?: string[];
  on_sale_only?: boolean;
  colors?: string[];
  sizes?: string[];
  gender?: 'men' | 'women' | 'kids';
  categories?: ProductCategory[];
  external_session_id?: string;
  external_user_id?: string;
  hashed_email?: string;
  metadata?: Record<string, unknown>;
}

/** How an agent may buy at the merchant directly; pass `attribution` through unchanged. */
export interface Checkout {
  protocol: string;
  endpoint: string;
  continue_url: string;
  item_id: string;
  agent_profile: string;
  attribution: { referring_domain: string; click_id_tag: string; click_id_value: string };
}

export interface Product {
  product_id: string;
  name: string;
  brand: string | null;
  merchant: string;
  category: string | null;
  description: string;
  currency: string;
  price: number;
  regular_price: number | null;
  on_sale: boolean;
  image_url: string;
  /** The only link to show: it records the click and leads to the merchant. */
  click_url: string;
  grclid: string;
  checkout: Checkout | null;
}

export interface WebResult {
  name: string;
  brand: string | null;
  price: number | null;
  currency: string | null;
  description: string | null;
  image_url: string | null;
  url: string;
  site: string;
}

export interface ProductResult {
  api_version: string;
  vertical: 'consumer';
  search_id: string;
  query: string;
  recommendation: Product | null;
  reasoning: string;
  products: Product[];
  count: number;
  web_results: WebResult[];
  ranking: 'llm' | 'retrieval';
  facets: {
    brands: unknown[];
    merchants: unknown[];
    categories: unknown[];
    price_range: { min: number; max: number } | null;
  };
}

export interface CategoryList {
  categories: { name: string; service_count: number }[];
  total: number;
}
