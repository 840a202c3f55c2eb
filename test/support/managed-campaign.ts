import type { OpenedAccount } from '../../src/surfaces/accounts/open-account.js';
import type { TestApp } from './test-app.js';

export interface Reply {
  status: number;
  // Answers are JSON of many shapes; tests look at what they expect.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  body: any;
  headers: Record<string, unknown>;
}

/** Calls the management API as an advertiser. */
export function managing(app: TestApp, account: OpenedAccount) {
  return async (
    method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE',
    path: string,
    payload?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Reply> => {
    const response = await app.http.inject({
      method,
      url: `/advertiser-dashboard/${path}`,
      headers: { 'x-api-key': account.apiKey, ...headers },
      ...(payload === undefined ? {} : { payload: payload as Record<string, unknown> }),
    });
    return {
      status: response.statusCode,
      body: response.body === '' ? undefined : response.json(),
      headers: response.headers,
    };
  };
}

/** A body that is accepted as it is. */
export function campaignBody(extra: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    name: 'Spring sale',
    landing_page: 'https://shop.example/spring',
    daily_budget: 25,
    ad_groups: [
      {
        name: 'Runners',
        group_type: 'manual',
        context: 'running shoes',
        brand_name: 'Shop',
        ads: [
          {
            name: 'First',
            headline: 'Light running shoes',
            copy: 'Try them for thirty days.',
            cta: 'See shoes',
          },
        ],
      },
    ],
    ...extra,
  };
}

export const unitBody = {
  name: 'Unit',
  description: 'Shoes for runners',
  landing_page: 'https://shop.example/',
  static_ad_text: 'Light shoes for long runs.',
  static_cta: 'See shoes',
};
