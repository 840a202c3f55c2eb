// Every column that can hold words or keys, and whether it can point to a person. What can is shown
// on `docs/records.md`; `test/structure` fails for a column that stands in neither list.

/** Why a column is kept, for how long, and who reads it. */
export type ColumnRecord = readonly [why: string, until: string, readers: string];

export const personalColumns: Readonly<Record<string, Readonly<Record<string, ColumnRecord>>>> = {
  account_links: {
    email: [
      'the person a link was made for',
      'the link ends after days; kept as proof',
      'operators',
    ],
    details: ['what the invitation says', 'as the link', 'operators'],
    created_by: ['who made the link', 'as the link', 'operators'],
  },
  ad_dislikes: {
    subject: [
      'an ad somebody dislikes is kept from them',
      '180 days, or erased',
      'nobody; serving asks',
    ],
  },
  ad_feedback: {
    session_id: ['one vote a person, pseudonym', 'until erased', 'nobody'],
    user_id: ['the ad is kept from that user, pseudonym', 'until erased', 'nobody'],
    reasons: [
      'why an ad was good or bad, redacted',
      'until erased',
      'the publisher, the operators',
    ],
    comment: ['the same in their words, redacted', 'until erased', 'the publisher, the operators'],
  },
  advertisers: {
    name: ['the account', 'as long as the account', 'its people, operators'],
    email: ['where the account is reached', 'as long as the account', 'its people, operators'],
  },
  api_keys: {
    name: ['what the account calls its key', 'as long as the account', 'its people'],
  },
  audit_log: {
    actor_id: ['who changed something', 'for good', 'operators, the account'],
    before: ['what it was', 'for good', 'operators, the account'],
    after: ['what it became', 'for good', 'operators, the account'],
  },
  billing_accounts: {
    customer: [
      'the payment provider’s number of the account',
      'as long as the account',
      'operators',
    ],
  },
  click_links: {
    identity: [
      'crediting a conversion to a click, 120 bits of a hash',
      'click window and 8 days, or erased',
      'nobody; attribution asks',
    ],
  },
  conversion_reversals: {
    order_id: ['the order that was taken back', 'with the conversion', 'the advertiser, operators'],
    decided_by: ['who decided', 'with the conversion', 'operators'],
    note: ['why', 'with the conversion', 'the advertiser, operators'],
  },
  conversions: {
    event_id: [
      'telling repeats, without addresses',
      '`RETENTION_DAYS`, or erased',
      'the advertiser',
    ],
    order_id: ['the order', '`RETENTION_DAYS`', 'the advertiser'],
    page_url: [
      'where it happened, without personal parameters',
      '`RETENTION_DAYS`, or erased',
      'the advertiser',
    ],
    details: [
      'hashed user data, visitor and session, browser',
      '`RETENTION_DAYS`, or erased',
      'nobody; attribution asks',
    ],
  },
  demo_checkouts: {
    state: ['a demo order with the buyer’s address', 'the demo only', 'operators'],
  },
  events: {
    user_id: [
      'the publisher’s user report, pseudonym',
      '`RETENTION_DAYS`, or erased',
      'the publisher, under its own name for the user',
    ],
    country: ['reports by country', '`RETENTION_DAYS`', 'publisher and advertiser'],
    device: ['reports by class of device', '`RETENTION_DAYS`', 'publisher and advertiser'],
    data: [
      'frequency caps (pseudonym of the session), identity links (pseudonym of an e-mail)',
      '`RETENTION_DAYS`, or erased',
      'nobody; serving and attribution ask',
    ],
  },
  experiment_units: {
    unit: [
      'who is in which arm of an experiment, pseudonym',
      '`EXPERIMENT_DAYS` after its end, or erased',
      'nobody; results count',
    ],
    viewer: [
      'crediting conversions to the arm, pseudonym',
      '`EXPERIMENT_DAYS` after its end, or erased',
      'nobody; results count',
    ],
  },
  idempotency_keys: {
    body: ['an answer that is given again', 'a day', 'the account'],
  },
  index_clicks: {
    country: ['reports by country', 'with its link', 'publisher'],
    device: ['reports by class of device', 'with its link', 'publisher'],
  },
  jobs: {
    payload: ['work that waits', '7 days after it is done', 'nobody'],
  },
  leads: {
    fields_sealed: [
      'what somebody answered in a lead form, sealed',
      'until erased',
      'the advertiser the form belongs to',
    ],
  },
  mails: {
    recipient: ['whom a mail goes to', 'the mail ends after days', 'operators'],
    subject: ['what it is about', 'as the mail', 'operators'],
    body_sealed: ['the mail, sealed', 'as the mail', 'operators, where no mail server is set'],
  },
  opt_outs: {
    identity: ['saying no, 120 bits of a hash', 'for good', 'nobody; intake and serving ask'],
  },
  payouts: {
    approved_by: ['who approved the payment', 'for good', 'operators'],
  },
  people: {
    email: ['signing in', 'as long as the person has access', 'the account’s people, operators'],
    password_hash: ['signing in', 'as above', 'nobody'],
    totp_sealed: ['the second factor, sealed', 'as above', 'nobody'],
  },
  pixel_sessions: {
    visitor: ['one session a visit, 120 bits of a hash', '2 days', 'nobody'],
    session_id: ['the same', '2 days', 'the visitor’s own browser'],
  },
  privacy_choices: {
    subject: [
      'what somebody decided about their ads, pseudonym',
      'of a session `SESSION_CHOICE_DAYS`; of a user until undone or erased',
      'nobody; serving asks',
    ],
    value: [
      'which advertiser, topic or ad they do not want',
      'of a session `SESSION_CHOICE_DAYS`; of a user until undone or erased',
      'nobody; serving asks',
    ],
  },
  privacy_requests: {
    asked_by: ['who asked for erasure or a copy', 'for good', 'the account, operators'],
    subject_hash: [
      'proof that somebody was erased, keyed hash',
      'for good',
      'the account, operators',
    ],
  },
  publisher_user_names: {
    user_id: ['which user the name belongs to, pseudonym', 'until erased', 'the publisher'],
    name_sealed: ['what the publisher calls its user, sealed', 'until erased', 'the publisher'],
  },
  publisher_users: {
    user_id: ['the publisher’s user report, pseudonym', 'until erased', 'the publisher'],
    countries: ['users by country', 'until erased', 'the publisher'],
    name_sealed: ['what the publisher calls its user, sealed', 'until erased', 'the publisher'],
  },
  publishers: {
    name: ['the account', 'as long as the account', 'its people, operators'],
  },
  rate_limits: {
    key: [
      'who tried too often: account, network or pseudonym of a session',
      'an hour after the limit',
      'nobody',
    ],
  },
  recovery_codes: {
    code_hash: [
      'signing in without the second factor',
      'as long as the person has access',
      'nobody',
    ],
  },
  saved_views: {
    name: ['what somebody calls a view of a report', 'as long as the account', 'the account'],
    search: ['what the view shows, as its address says', 'as long as the account', 'the account'],
  },
  sessions: {
    token_hash: ['staying signed in', '30 days after its end', 'nobody'],
    user_agent: ['knowing one’s own sign-ins', '30 days after its end', 'the person'],
    address: ['knowing one’s own sign-ins', '30 days after its end', 'the person'],
  },
  shop_searches: {
    query: ['what was asked, redacted', '`QUERY_DAYS`, or erased', 'operators'],
    filters: ['the same', '`QUERY_DAYS`, or erased', 'operators'],
    context: ['what it was asked in, redacted', '`QUERY_DAYS`, or erased', 'operators'],
    session_id: ['putting searches together, pseudonym', '`QUERY_DAYS`, or erased', 'nobody'],
    user_hash: ['the same, pseudonym', '`QUERY_DAYS`, or erased', 'nobody'],
    email_hash: ['the same, pseudonym', '`QUERY_DAYS`, or erased', 'nobody'],
    metadata: ['what the publisher adds, redacted', '`QUERY_DAYS`, or erased', 'nobody'],
  },
  tool_search_turns: {
    query: ['what was asked, redacted', '`QUERY_DAYS`, or erased', 'operators'],
  },
  tool_searches: {
    state: [
      'what was understood, for the next question, redacted',
      '`QUERY_DAYS`, or erased',
      'nobody',
    ],
    session_id: ['putting searches together, pseudonym', '`QUERY_DAYS`, or erased', 'nobody'],
    user_hash: ['the same, pseudonym', '`QUERY_DAYS`, or erased', 'nobody'],
    email_hash: ['the same, pseudonym', '`QUERY_DAYS`, or erased', 'nobody'],
    metadata: ['what the publisher adds, redacted', '`QUERY_DAYS`, or erased', 'nobody'],
  },
  viewer_links: {
    identity: [
      'crediting a conversion across devices, pseudonym of a hashed e-mail',
      'click window, or erased',
      'nobody; attribution asks',
    ],
  },
};

/** Names and words of accounts, campaigns, products and machines: a table a line. */
export const impersonalColumns = `
account_links: token_hash purpose role team_role
ad_feedback: sentiment placement placement_id
ad_group_writings: brief_hash page_url page
ad_groups: name group_type status context negative_context ad_prompt brand_name landing_page allowed_countries allowed_devices
ad_units: name headline description landing_page static_ad_text static_cta favicon_url image_url brand_name source status review_status review_reason utm_params
ads: name headline copy cta description landing_page image_url source status review_status
advertisers: time_zone status
alerts: account_kind alert_type data
api_keys: account_kind key_hash prefix scopes
approved_pages: landing_page
approved_versions: fields
asked_requests: model_id country device topic signs
audit_log: actor_kind action entity entity_id
calibration_offsets: placement
campaigns: name status landing_page campaign_objective billing_model bid_strategy conversion_type demographics utm_params allowed_countries allowed_devices custom_favicon_url lead_form_config network review_status deployment_status review_notes cpa_trust brand_safety frequency_cap
click_counts: topic
conversion_charges: event_name
conversion_counts: event_type
conversion_keys: key
conversion_reversals: reason status
conversion_totals: event_type
conversions: event_name source attribution evidence currency
currency_rates: currency
demo_checkouts: status completed_with
embedding_cache: model_id text_hash vector
events: kind placement record invalid unbilled attribution
experiment_units: variant
experiments: name kind variants result
feeds: url format currency
generated_ads: way
idempotency_keys: key request_hash
import_errors: item message
import_runs: source format status problem
import_seen: product_id
index_clicks: invalid
index_links: kind target_url ref conversion_type cpa_trust
installation: name value
invoice_collections: provider reference payment_url
invoices: lines
jobs: kind key locked_by last_error
key_requests: method route reason
landing_page_checks: url problem terms
ledger_entries: kind reverses reference reason
mails: problem
merchants: slug name store_url platform ucp_endpoint ucp_version ucp_problem
nodes: host stats
opt_outs: source
payment_holds: reference reason
payments: reference
payout_accounts: provider reference
payouts: reference method status problem
people: role team_role
pixel_totals: domain event_type
pixels: name url url_key last_problem
privacy_choices: choice scope
privacy_requests: kind account_kind found
products: id external_id group_id title brand category description color sizes gender attributes currency image_url page_url checkout_item_id continue_url variants content_hash changed_in
publisher_countries: country
publisher_days: dimension value
publishers: url status payout_model excluded_topics blocked_advertisers time_zone status_before_block
reading_days: outcome
request_days: country device
saved_views: path
search_days: kind category answer
shop_searches: product_ids ranking
storefront_connections: shop_domain verification_status secret_sealed old_secret_sealed challenge verified_by
storefront_webhooks: id topic outcome
tool_campaigns: slug
tool_search_turns: answer slug category
totals: placement device country
tracking_keys: secret_sealed
traffic_findings: rule details
webhook_deliveries: last_error
webhook_endpoints: account_kind url alert_types secret_sealed
`;

/** The page of records. */
export function recordsPage(): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    line(['column', 'why', 'until', 'who reads it']),
    line(['---', '---', '---', '---']),
    ...Object.entries(personalColumns).flatMap(([table, columns]) =>
      Object.entries(columns).map(([column, record]) =>
        line([`\`${table}.${column}\``, ...record]),
      ),
    ),
  ].join('\n');
}
