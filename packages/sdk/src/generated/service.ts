// Generated from docs/api/openapi.json by scripts/generate-service.mjs. Do not edit.

/** Ask for ads that fit a conversation: what is sent. */
export type AdRequestBody = {
  /** Oldest first; the newest count most. */
  messages: {
      role: "user" | "assistant" | "system";
      content: string;
    }[];
  sessionId: string;
  placements: {
      placement: "above_response" | "below_response" | "inline_response" | "left_response" | "right_response" | "search_result" | "top_page" | "bottom_page" | "center_page" | "left_page" | "right_page";
      placement_id: string;
    }[];
  user?: {
      id?: string | number | null;
      uid?: string | number | null;
      userId?: string | number | null;
      hashed_email?: string | null;
      email_hash?: string | null;
      gender?: string | null;
      age?: string | number | null;
      minor?: unknown;
      coppa?: unknown;
      keywords?: string[] | string | null;
      interests?: string[] | null;
      language?: unknown;
      locale?: unknown;
      [name: string]: unknown;
    } | null;
  userId?: string | number | null;
  device?: {
      ip?: string | null;
      ua?: string | null;
      country?: string | null;
      os?: string | null;
      device_type?: string | null;
      timezone?: string | null;
      locale?: string | null;
      language?: unknown;
      [name: string]: unknown;
    } | null;
  /** `coppa`: 1 for services aimed at children. */
  regs?: unknown;
  coppa?: unknown;
  /** Language of the person (`de`, `pt-BR`), for `disclosure`; else `device.locale`, else `Accept-Language`, else English. */
  locale?: unknown;
  /** Topics in any words, or IAB content categories by id or name. */
  excludedTopics?: string[] | null;
  relevancy?: number | null;
  testAd?: boolean | null;
};

/** Ask for ads that fit a conversation: what comes back. */
export type ServedAds = {
    adText: string;
    title: string;
    cta: string;
    brandName: string;
    url: string;
    favicon?: string;
    image?: string;
    impUrl: string;
    clickUrl: string;
    campaignId: string;
    placement: string;
    placement_id: string;
    feedbackPrompt?: {
      question: string;
      reasons: string[];
    };
    leadForm?: Record<string, unknown>;
    /** Show it with the ad, always */
    disclosure: {
      /** Says that this is an ad, in the person’s language */
      label: string;
      advertiser: string;
      paid_by: string;
      /** One sentence, without personal data */
      why: string;
      /** Shown apart from the answer: its text never contains an ad’s */
      presentation: "separate";
    };
    /** Where the person sees why this ad, hides it, and deletes what is kept about them */
    choicesUrl: string;
    /** Who handed the request on; `/sellers.json` names the sellers */
    schain: {
      ver: "1.0";
      complete: 1;
      nodes: {
          asi: string;
          sid: string;
          hp: 1;
          rid: string;
        }[];
    };
  }[];

/** Report how long an ad was visible, and its label: what is sent. */
export type ViewableBody = {
  p: string;
  /** How long the ad has been at least half visible */
  ms: number;
  /** How the label was drawn meanwhile: proof that the ad was seen to be one */
  label?: {
    text: string;
    /** CSS pixels */
    width: number;
    /** CSS pixels */
    height: number;
    /** CSS pixels */
    fontSize: number;
    contrast: number;
    opacity: number;
    /** Share of the label in view with nothing on top of it */
    uncovered: number;
  };
};

/** Tell what a person thinks of an ad: what is sent. */
export type AdFeedbackBody = {
  sessionId: string;
  impUrl: string;
  sentiment: "thumbs_up" | "thumbs_down";
  reasons?: string[] | null;
  comment?: string | null;
  placement?: string | null;
  placementId?: string | null;
  userId?: string | number | null;
  device?: Record<string, unknown> | null;
};

/** Submit a lead form: what is sent. */
export type LeadBody = {
  sessionId: string;
  impUrl: string;
  fields: Record<string, string | boolean>;
  consent?: boolean | null;
  placement?: string | null;
  placementId?: string | null;
  userId?: string | number | null;
  device?: Record<string, unknown> | null;
};

/** Recommend a developer tool for a need: what is sent. */
export type ToolSearchBody = {
  /** The need in plain words, or a follow-up when search_id is sent */
  query: string;
  search_id?: string | null;
  context?: {
      framework?: string | string[] | null;
      language?: string | string[] | null;
      constraints?: string | string[] | Record<string, unknown> | null;
      [name: string]: unknown;
    } | null;
  platform_api_key?: string | null;
  /** Language of the person (`de`, `pt-BR`), for `disclosure` */
  locale?: unknown;
  external_session_id?: string | null;
  external_user_id_hash?: string | null;
  external_user_id?: string | null;
  hashed_email?: string | null;
  email_hash?: string | null;
  metadata?: Record<string, unknown> | null;
  /** What the person chose: `gdpr`, `tcf`, `gpp`, `us_privacy` */
  regs?: unknown;
  /** A TCF string, true, false, or flags */
  consent?: unknown;
  monetization?: {
      mode: "boost_cpa" | "off";
    } | null;
};

/** Recommend a developer tool for a need: what comes back. */
export type ToolSearchAnswer = {
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
  install: {
      summary: string;
      steps: {
          step: number;
          action: string;
          command?: string;
          file?: string;
          user_action?: string;
        }[];
      env_vars: {
          name: string;
          description: string;
          secret: boolean;
          required: boolean;
        }[];
      notes: string;
    } | null;
  credential_request: {
      setup_url: string;
      required_env_vars: string[];
      user_message: string;
      agent_instruction: string;
      grclid: string;
    } | null;
  click_url: string | null;
  grclid: string | null;
  disclosure: {
      /** Says that this is an ad, in the person’s language */
      label: string;
      advertiser: string;
      paid_by: string;
      /** One sentence, without personal data */
      why: string;
      /** Shown apart from the answer: its text never contains an ad’s */
      presentation: "separate";
    } | null;
};

/** Categories of the index: what comes back. */
export type CategoriesAnswer = {
  categories: {
      name: string;
      service_count: number;
    }[];
  total: number;
};

/** Find products to buy: what is sent. */
export type ProductSearchBody = {
  /** What is wanted; needed unless context.messages is there */
  query?: string;
  context?: {
    style?: string;
    vibe?: string;
    messages?: {
        role: string;
        content: string;
      }[];
    [name: string]: unknown;
  };
  max_results?: number;
  /** Least current price, itself included, in `currency` */
  price_min?: number;
  /** Highest current price, itself included, in `currency` */
  price_max?: number;
  /** ISO 4217 code of `price_min` and `price_max`. With a bound, listings in other currencies are compared at the rates the operator has set, and left out where there is none. Without one it leaves no listing out. Prices are always shown in the currency of the listing, and `facets.price_range` is of listings in this currency. */
  currency?: string;
  /** Any of these, whatever the case */
  brands?: string[];
  /** Any of these, whatever the case */
  merchants?: string[];
  on_sale_only?: boolean;
  /** Named in the title */
  colors?: string[];
  /** Listings that name another size are dropped */
  sizes?: string[];
  gender?: "men" | "women" | "kids";
  categories?: ("apparel" | "footwear" | "furniture_decor" | "home_kitchen" | "beauty_personal_care" | "electronics_computing" | "jewelry_watches" | "sports_outdoors" | "tools_hardware" | "toys_kids" | "baby" | "pets" | "auto" | "books_media" | "other")[];
  rerank?: boolean;
  /** Language of the person (`de`, `pt-BR`), for `disclosure` */
  locale?: unknown;
  external_session_id?: string;
  external_user_id?: string;
  external_user_id_hash?: string;
  hashed_email?: string;
  email_hash?: string;
  metadata?: Record<string, unknown>;
  /** What the person chose: `gdpr`, `tcf`, `gpp`, `us_privacy` */
  regs?: unknown;
  /** A TCF string, true, false, or flags */
  consent?: unknown;
  /** In place of the X-API-Key header */
  platform_api_key?: string;
};

/** Find products to buy: what comes back. */
export type ProductSearchAnswer = {
  api_version: string;
  vertical: "consumer";
  search_id: string;
  query: string;
  recommendation: {
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
      click_url: string;
      grclid: string;
      checkout: {
          protocol: "ucp";
          endpoint: string;
          continue_url: string;
          item_id: string;
          agent_profile: string;
          attribution: {
            referring_domain: string;
            click_id_tag: string;
            click_id_value: string;
          };
        } | null;
      disclosure: {
          /** Says that this is an ad, in the person’s language */
          label: string;
          advertiser: string;
          paid_by: string;
          /** One sentence, without personal data */
          why: string;
          /** Shown apart from the answer: its text never contains an ad’s */
          presentation: "separate";
        } | null;
    } | null;
  reasoning: string;
  products: {
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
      click_url: string;
      grclid: string;
      checkout: {
          protocol: "ucp";
          endpoint: string;
          continue_url: string;
          item_id: string;
          agent_profile: string;
          attribution: {
            referring_domain: string;
            click_id_tag: string;
            click_id_value: string;
          };
        } | null;
      disclosure: {
          /** Says that this is an ad, in the person’s language */
          label: string;
          advertiser: string;
          paid_by: string;
          /** One sentence, without personal data */
          why: string;
          /** Shown apart from the answer: its text never contains an ad’s */
          presentation: "separate";
        } | null;
    }[];
  count: number;
  web_results: {
      name: string;
      brand: string | null;
      price: number | null;
      currency: string | null;
      description: string | null;
      image_url: string | null;
      url: string;
      site: string;
    }[];
  ranking: "llm" | "retrieval";
  facets: {
    brands: {
        value: string;
        count: number;
      }[];
    merchants: {
        value: string;
        count: number;
      }[];
    categories: {
        value: string;
        count: number;
      }[];
    price_range: {
        min: number;
        max: number;
      } | null;
  };
};

/** Report conversions: what comes back. */
export type ConversionsAnswer = {
  events_received: number;
  events_processed: number;
  events_errored: number;
  results: {
      event_id: string | null;
      status: "ok" | "duplicate" | "test_ok" | "skipped" | "error";
      attributed: boolean;
      error?: string;
    }[];
  test_mode: boolean;
};
