/** Where an ad can stand. The order is part of the tracking token: append, never reorder. */
export const placements = [
  'above_response',
  'below_response',
  'inline_response',
  'left_response',
  'right_response',
  'search_result',
  'top_page',
  'bottom_page',
  'center_page',
  'left_page',
  'right_page',
] as const;

export type Placement = (typeof placements)[number];
