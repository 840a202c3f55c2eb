import type { Static } from '@sinclair/typebox';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ConnectionView, IntegrationsView } from '../../../src/surfaces/storefronts/schema.js';
import { ApiError, call } from '../core/api.js';
import { useApp } from '../core/boot.js';
import { moment } from '../core/format.js';
import { rich, t } from '../core/language.js';
import { useAct } from '../core/hooks/use-act.js';
import { useLoad, type Loaded } from '../core/hooks/use-load.js';
import { CsvButton } from '../ui/tables/csv-button.js';
import { DataTable } from '../ui/tables/data-table.js';
import { TextField } from '../ui/forms/fields.js';
import { Badge, Card, Code, Dialog, Page } from '../ui/parts.js';
import { Empty, Problem, Shown } from '../ui/states.js';

const base = '/advertiser-dashboard/integrations';

/** Shops whose orders become conversions by themselves. */
export function StorefrontsPage(): JSX.Element {
  const { zone, urls } = useApp();
  const { act } = useAct();
  const list = useLoad<Integrations>(base, { everyMs: 15_000 });
  const [leaving, setLeaving] = useState<ConnectionView | null>(null);
  return (
    <Page
      title={t('Storefronts')}
      lead={t(
        'Orders of a connected Shopify store are recorded as conversions, without code in the shop.',
      )}
    >
      <div class="stack">
        <div class="split">
          <ConnectCard onConnected={list.reload} />
          <InTheShopCard urls={urls} />
        </div>
        <ShopsCard list={list} zone={zone} setLeaving={setLeaving} act={act} />
      </div>
      {leaving !== null && (
        <DisconnectDialog leaving={leaving} setLeaving={setLeaving} act={act} list={list} />
      )}
    </Page>
  );
}

function InTheShopCard({
  urls,
}: {
  urls: { base: string; api: string; platform: string; index: string };
}): JSX.Element {
  return (
    <Card title={t('In the shop')}>
      <ol class="numbered">
        <li>
          {rich(
            'Settings → Notifications → Webhooks: create one for {orderCreation}, as JSON, to the address below.',
            { orderCreation: <b>{t('Order creation')}</b> },
          )}
        </li>
        <li>{t('You find the signing secret below the list of webhooks. Paste it here.')}</li>
        <li>
          {t(
            'The first signed order confirms the shop. A shop without its own secret is confirmed by the operator of this server.',
          )}
        </li>
      </ol>
      <Code label={t('Webhook address')} text={`${urls.platform}/webhooks/shopify`} />
    </Card>
  );
}

function ShopsCard({
  list,
  zone,
  setLeaving,
  act,
}: {
  list: Loaded<Integrations>;
  zone: string;
  setLeaving: (value: ConnectionView | null) => void;
  act: (work: () => Promise<string | undefined>) => Promise<boolean>;
}): JSX.Element {
  return (
    <Card
      title={t('Connected shops')}
      actions={
        <CsvButton
          what={t('Storefronts')}
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
            <Empty title={t('No shop is connected.')}>
              <p>
                {rich('Connect one above, or {readHow}.', {
                  readHow: <a href="/docs">{t('read how orders become conversions')}</a>,
                })}
              </p>
            </Empty>
          ) : (
            <ShopTable data={data} zone={zone} setLeaving={setLeaving} act={act} list={list} />
          )
        }
      </Shown>
    </Card>
  );
}

function ShopTable({
  data,
  zone,
  setLeaving,
  act,
  list,
}: {
  data: Integrations;
  zone: string;
  setLeaving: (value: ConnectionView | null) => void;
  act: (work: () => Promise<string | undefined>) => Promise<boolean>;
  list: Loaded<Integrations>;
}): JSX.Element {
  return (
    <DataTable
      label={t('Connected shops')}
      rows={data.shopify}
      rowKey={(row) => row.id}
      columns={[
        {
          id: 'shop',
          title: t('Shop'),
          cell: (row) => row.shop_domain,
          sort: (row) => row.shop_domain,
        },
        {
          id: 'state',
          title: t('State'),
          cell: (row) => <Badge value={row.is_active ? row.verification_status : 'disconnected'} />,
          sort: (row) => row.verification_status,
        },
        {
          id: 'at',
          title: t('Connected'),
          cell: (row) => <span class="nowrap">{moment(row.connected_at, zone)}</span>,
          sort: (row) => row.connected_at,
        },
        {
          id: 'act',
          title: t('Actions'),
          cell: (row) => (
            <ConnectionButton row={row} setLeaving={setLeaving} act={act} list={list} />
          ),
        },
      ]}
    />
  );
}

function ConnectionButton({
  row,
  setLeaving,
  act,
  list,
}: {
  row: ConnectionView;
  setLeaving: (value: ConnectionView | null) => void;
  act: (work: () => Promise<string | undefined>) => Promise<boolean>;
  list: Loaded<Integrations>;
}): JSX.Element {
  return row.is_active ? (
    <button
      type="button"
      class="button small danger"
      aria-label={t('Disconnect {shop_domain}', {
        shop_domain: row.shop_domain,
      })}
      onClick={() => setLeaving(row)}
    >
      {t('Disconnect')}
    </button>
  ) : (
    <button
      type="button"
      class="button small"
      aria-label={t('Connect {shop_domain} again', {
        shop_domain: row.shop_domain,
      })}
      onClick={() =>
        void act(
          async () => (
            await call(`${base}/shopify`, {
              method: 'POST',
              body: { shop_domain: row.shop_domain },
            }),
            t('Connected again.')
          ),
        ).then(list.reload)
      }
    >
      {t('Connect again')}
    </button>
  );
}

function DisconnectDialog({
  leaving,
  setLeaving,
  act,
  list,
}: {
  leaving: ConnectionView;
  setLeaving: (value: ConnectionView | null) => void;
  act: (work: () => Promise<string | undefined>) => Promise<boolean>;
  list: Loaded<Integrations>;
}): JSX.Element {
  return (
    <Dialog
      title={t('Disconnect {shop_domain}?', { shop_domain: leaving.shop_domain })}
      onClose={() => setLeaving(null)}
    >
      <div class="stack">
        <p>{t('Its orders will no longer be recorded. Anything already recorded stays.')}</p>
        <div>
          <button
            type="button"
            class="button danger"
            onClick={() => {
              setLeaving(null);
              void act(
                async () => (
                  await call(`${base}/shopify/${leaving.id}`, { method: 'DELETE' }),
                  t('Disconnected.')
                ),
              ).then(list.reload);
            }}
          >
            {t('Disconnect')}
          </button>
        </div>
      </div>
    </Dialog>
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
      say(t('Connected. The first order confirms it.'));
      onConnected();
    } catch (error) {
      setProblem(
        error instanceof ApiError ? error : new ApiError(0, t('The shop was not connected.')),
      );
    }
  };
  return (
    <Card title={t('Connect a shop')}>
      <form class="form" onSubmit={(event) => void connect(event)}>
        {problem !== null && Object.keys(problem.fields).length === 0 && (
          <Problem message={problem.message} />
        )}
        <TextField
          label={t('Shop')}
          value={form.shop_domain}
          onInput={(shop_domain) => setForm({ ...form, shop_domain })}
          required
          maxLength={200}
          placeholder="example.myshopify.com"
          error={problem?.fields['shop_domain']}
        />
        <TextField
          label={t('Signing secret of its webhooks')}
          value={form.webhook_secret}
          onInput={(webhook_secret) => setForm({ ...form, webhook_secret })}
          type="password"
          autoComplete="off"
          maxLength={500}
          hint={t(
            'Stored encrypted and never shown. A new one replaces the old one, which stays valid for another hour.',
          )}
          error={problem?.fields['webhook_secret']}
        />
        <div>
          <button class="button primary">{t('Connect shop')}</button>
        </div>
      </form>
    </Card>
  );
}

type Integrations = Static<typeof IntegrationsView>;
