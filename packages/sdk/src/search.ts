import type {
  CategoriesAnswer,
  ProductSearchAnswer,
  ProductSearchBody,
  ToolSearchAnswer,
  ToolSearchBody,
} from './generated/service.js';

/** Fields of a developer-tool search; send back `search_id` to follow up. */
export type ToolQuery = Omit<ToolSearchBody, 'platform_api_key'>;

export type ToolResult = ToolSearchAnswer;
export type InstallStep = NonNullable<ToolSearchAnswer['install']>['steps'][number];

/** Fields of a product search; `query` is needed unless `context.messages` is there. */
export type ProductQuery = Omit<ProductSearchBody, 'platform_api_key'>;
export type ProductCategory = NonNullable<ProductSearchBody['categories']>[number];

export type ProductResult = ProductSearchAnswer;
/** Show `click_url` and no other link: it records the click and leads to the merchant. */
export type Product = ProductSearchAnswer['products'][number];
/** How an agent may buy at the merchant directly; pass `attribution` through unchanged. */
export type Checkout = NonNullable<Product['checkout']>;
export type WebResult = ProductSearchAnswer['web_results'][number];

export type CategoryList = CategoriesAnswer;
