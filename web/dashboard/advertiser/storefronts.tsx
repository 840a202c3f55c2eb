import type { Static } from '@sinclair/typebox';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ConnectionView, IntegrationsView } from '../../../src/surfaces/storefronts/schema.js';
import { ApiError, call } from '../core/api.js';
import { useApp } from '../core/boot.js';
import { moment } from '../core/format.js';
import { useAct } from '../core/use-act.js';
import { useLoad } from '../core/use-load.js';
import { CsvButton } from '../ui/csv-button.js';
import { DataTable } from '../ui/data-table.js';
import { TextField } from '../ui/fields.js';
import { Badge, Card, Code, Dialog, Page } from '../ui/parts.js';
import { Empty, Problem, Shown } from '../ui/states.js';

const base = '/advertiser-dashboard/integrations';

/** Shops whose orders become conversions by themselves. */
export function StorefrontsPage(): JSX.Element {
  const { zone, urls } = useApp();
  const { act } = useAct();
  const list = useLoad<Static<typeof IntegrationsView>>(base, { everyMs: 15_000 });
  const [leaving, setLeaving] = useState<ConnectionView | null>(null);
  return (
    <Page
      title="Storefronts"
      lead="Orders of a connected Shopify store are recorded as conversions, without code in the shop."
    >
      <div class="stack">
        <div class="split">
          <ConnectCard onConnected={list.reload} />
          <Card title="In the shop">
            <ol class="numbered">
              <li>
                Settings → Notifications → Webhooks: create one for <b>Order creation</b>, as JSON,
                to the address below.
              </li>
              <li>The signing secret stands under the list of webhooks. Paste it here.</li>
              <li>
                The first signed order confirms the shop. Without a secret of its own, the operator
                of this server confirms it.
              </li>
            </ol>
            <Code label="Webhook address" text={`${urls.platform}/webhooks/shopify`} />
          </Card>
        </div>
        <Card
          title="Connected shops"
          actions={
            <CsvButton
              what="Storefronts"
              from={() => [
                ['shop_domain', 'is_active', 'verification_status', 'connected_at'],
                ...(list.data?.shopify ?? []).map((row) => [
                  row.shop_domain,
                  row.is_active,
                  row.verification_status,
                  row.connected_at,
                ]),
              ]}
            />
          }
        >
          <Shown load={list}>
            {(data) =>
              data.shopify.length === 0 ? (
                <Empty title="No shop is connected.">
                  <p>
                    Connect one above, or <a href="/docs">read how orders become conversions</a>.
                  </p>
                </Empty>
              ) : (
                <DataTable
                  label="Connected shops"
                  rows={data.shopify}
                  rowKey={(row) => row.id}
                  columns={[
                    {
                      id: 'shop',
                      title: 'Shop',
                      cell: (row) => row.shop_domain,
                      sort: (row) => row.shop_domain,
                    },
                    {
                      id: 'state',
                      title: 'State',
                      cell: (row) => (
                        <Badge value={row.is_active ? row.verification_status : 'disconnected'} />
                      ),
                      sort: (row) => row.verification_status,
                    },
                    {
                      id: 'at',
                      title: 'Connected',
                      cell: (row) => <span class="nowrap">{moment(row.connected_at, zone)}</span>,
                      sort: (row) => row.connected_at,
                    },
                    {
                      id: 'act',
                      title: 'Actions',
                      cell: (row) =>
                        row.is_active ? (
                          <button
                            type="button"
                            class="button small danger"
                            aria-label={`Disconnect ${row.shop_domain}`}
                            onClick={() => setLeaving(row)}
                          >
                            Disconnect
                          </button>
                        ) : (
                          <button
                            type="button"
                            class="button small"
                            aria-label={`Connect ${row.shop_domain} again`}
                            onClick={() =>
                              void act(
                                async () => (
                                  await call(`${base}/shopify`, {
                                    method: 'POST',
                                    body: { shop_domain: row.shop_domain },
                                  }),
                                  'Connected again.'
                                ),
                              ).then(list.reload)
                            }
                          >
                            Connect again
                          </button>
                        ),
                    },
                  ]}
                />
              )
            }
          </Shown>
        </Card>
      </div>
      {leaving !== null && (
        <Dialog title={`Disconnect ${leaving.shop_domain}?`} onClose={() => setLeaving(null)}>
          <div class="stack">
            <p>Its orders stop being recorded. What was recorded stays.</p>
            <div>
              <button
                type="button"
                class="button danger"
                onClick={() => {
                  setLeaving(null);
                  void act(
                    async () => (
                      await call(`${base}/shopify/${leaving.id}`, { method: 'DELETE' }),
                      'Disconnected.'
                    ),
                  ).then(list.reload);
                }}
              >
                Disconnect
              </button>
            </div>
          </div>
        </Dialog>
      )}
    </Page>
  );
}

function ConnectCard({ onConnected }: { onConnected: () => void }): JSX.Element {
  const { say } = useApp();
  const [form, setForm] = useState({ shop_domain: '', webhook_secret: '' });
  const [problem, setProblem] = useState<ApiError | null>(null);
  const connect = async (event: Event): Promise<void> => {
    event.preventDefault();
    setProblem(null);
    try {
      await call(`${base}/shopify`, {
        method: 'POST',
        body: {
          shop_domain: form.shop_domain,
          ...(form.webhook_secret === '' ? {} : { webhook_secret: form.webhook_secret }),
        },
      });
      setForm({ shop_domain: '', webhook_secret: '' });
      say('Connected. The first order confirms it.');
      onConnected();
    } catch (error) {
      setProblem(
        error instanceof ApiError ? error : new ApiError(0, 'The shop was not connected.'),
      );
    }
  };
  return (
    <Card title="Connect a shop">
      <form class="form" onSubmit={(event) => void connect(event)}>
        {problem !== null && Object.keys(problem.fields).length === 0 && (
          <Problem message={problem.message} />
        )}
        <TextField
          label="Shop"
          value={form.shop_domain}
          onInput={(shop_domain) => setForm({ ...form, shop_domain })}
          required
          maxLength={200}
          placeholder="example.myshopify.com"
          error={problem?.fields['shop_domain']}
        />
        <TextField
          label="Signing secret of its webhooks"
          value={form.webhook_secret}
          onInput={(webhook_secret) => setForm({ ...form, webhook_secret })}
          type="password"
          autoComplete="off"
          maxLength={500}
          hint="Kept sealed and never shown. A new one replaces the old, which is taken for another hour."
          error={problem?.fields['webhook_secret']}
        />
        <div>
          <button class="button primary">Connect shop</button>
        </div>
      </form>
    </Card>
  );
}
