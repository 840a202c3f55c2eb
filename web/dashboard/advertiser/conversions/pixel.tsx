import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Analytics } from '../../../../src/surfaces/conversions/schema.js';
import type { PixelEvents } from '../../../../src/surfaces/dashboards/schema.js';
import type { PixelRecord } from '../../../../src/surfaces/pixel-verification/schema.js';
import { ApiError, call, query } from '../../core/api.js';
import { useApp } from '../../core/boot.js';
import { count, moment } from '../../core/format.js';
import { t } from '../../core/language.js';
import { useLoad, type Loaded } from '../../core/hooks/use-load.js';
import { Bars } from '../../ui/charts/charts.js';
import { DataTable } from '../../ui/tables/data-table.js';
import { TextField } from '../../ui/forms/fields.js';
import { Badge, Card, Code, Page } from '../../ui/parts.js';
import { Empty, Problem, Shown } from '../../ui/states.js';

const snippet = (api: string, id: string): string => `<script>
  window.gravity = window.gravity || function () { (gravity.q = gravity.q || []).push(arguments); };
  gravity('init', '${id}');
</script>
<script async src="${api}/pixel.js"></script>`;

export function PixelPage(): JSX.Element {
  const { urls, zone } = useApp();
  const pixels = useLoad<PixelRecord[]>('/advertiser-dashboard/pixels', { everyMs: 10_000 });
  return (
    <Page
      title={t('Pixel')}
      lead={t('A small first-party script that links visits to the ads they came from.')}
    >
      <div class="grid">
        <NewPixelCard pixels={pixels} />
        <SnippetCard pixels={pixels.data ?? []} urls={urls} />
        <Card title={t('Your pixels')} wide>
          <Shown load={pixels}>
            {(list) =>
              list.length === 0 ? (
                <Empty title={t('No pixels yet.')} />
              ) : (
                <PixelTable list={list} zone={zone} />
              )
            }
          </Shown>
        </Card>
        <LiveEventsCard zone={zone} />
        <EventTypesCard zone={zone} />
      </div>
    </Page>
  );
}

function NewPixelCard({ pixels }: { pixels: Loaded<PixelRecord[]> }): JSX.Element {
  const [form, setForm] = useState({ url: '', name: '' });
  const [problem, setProblem] = useState<string | null>(null);
  const create = async (event: Event): Promise<void> => {
    event.preventDefault();
    setProblem(null);
    try {
      await call('/advertiser-dashboard/pixels', {
        method: 'POST',
        body: { url: form.url, ...(form.name === '' ? {} : { name: form.name }) },
      });
      setForm({ url: '', name: '' });
      pixels.reload();
    } catch (error) {
      setProblem(
        error instanceof ApiError
          ? error.status === 409
            ? t('There is a pixel for that page already.')
            : error.message
          : t('The pixel was not created.'),
      );
    }
  };
  return (
    <Card title={t('New pixel')}>
      <form class="form" onSubmit={(event) => void create(event)}>
        {problem !== null && <Problem message={problem} />}
        <TextField
          label={t('Page it will run on')}
          value={form.url}
          onInput={(url) => setForm({ ...form, url })}
          required
          placeholder="shop.example"
          inputMode="url"
        />
        <TextField
          label={t('Name')}
          value={form.name}
          onInput={(name) => setForm({ ...form, name })}
          maxLength={200}
        />
        <div>
          <button class="button primary">{t('Create pixel')}</button>
        </div>
      </form>
    </Card>
  );
}

function SnippetCard({
  pixels,
  urls,
}: {
  pixels: readonly PixelRecord[];
  urls: { base: string; api: string; platform: string; index: string };
}): JSX.Element {
  const [id, setId] = useState('');
  // The newest until another is chosen.
  const pixel = pixels.find((one) => one.id === id) ?? pixels[0];
  return (
    <Card
      title={t('Snippet')}
      actions={
        pixels.length < 2 ? undefined : (
          <select
            aria-label={t('Pixel')}
            value={pixel?.id}
            onChange={(event) => setId(event.currentTarget.value)}
          >
            {pixels.map((one) => (
              <option key={one.id} value={one.id}>
                {one.name}
              </option>
            ))}
          </select>
        )
      }
    >
      {pixel === undefined ? (
        <p class="quiet">{t('Create a pixel to get its snippet.')}</p>
      ) : (
        <div class="stack">
          <Code
            label={t('Paste before </head> on {url}', { url: pixel.url })}
            text={snippet(urls.api, pixel.id)}
          />
          <Code
            label={t('On a purchase')}
            text={
              "gravity('track', 'Purchase', { value: 49.90, currency: 'USD', order_id: 'A-1001' });"
            }
          />
        </div>
      )}
    </Card>
  );
}

function PixelTable({ list, zone }: { list: PixelRecord[]; zone: string }): JSX.Element {
  return (
    <DataTable
      label={t('Pixels')}
      rows={list}
      rowKey={(row) => row.id}
      columns={[
        {
          id: 'name',
          title: t('Name'),
          cell: (row) => row.name,
          sort: (row) => row.name,
        },
        {
          id: 'url',
          title: t('Page'),
          cell: (row) => (
            <span class="clip" title={row.url}>
              {row.url}
            </span>
          ),
        },
        {
          id: 'state',
          title: t('Verified'),
          cell: (row) =>
            row.is_functional === null ? (
              <Badge value="pending" />
            ) : row.is_functional ? (
              <Badge value="verified" />
            ) : (
              <span>
                <Badge value="failed" /> <small>{t('The script was not found on the page.')}</small>
              </span>
            ),
        },
        {
          id: 'checked',
          title: t('Checked'),
          cell: (row) => moment(row.verified_at, zone),
        },
        { id: 'id', title: t('Pixel id'), cell: (row) => <code>{row.id}</code> },
      ]}
    />
  );
}

function LiveEventsCard({ zone }: { zone: string }): JSX.Element {
  const live = useLoad<PixelEvents>('/session/pixel-events', { everyMs: 4000 });
  return (
    <Card title={t('Live events')}>
      <Shown load={live}>
        {(data) =>
          data.events.length === 0 ? (
            <Empty title={t('Nothing in the last hour.')}>
              <p>{t('Open your page: events appear here within seconds.')}</p>
            </Empty>
          ) : (
            <ul class="calls" aria-live="polite">
              {data.events.map((event) => (
                <li key={event.id}>
                  <b>{event.event_type}</b>
                  <span class="clip" title={event.domain}>
                    {event.domain}
                  </span>
                  <span>{moment(event.at, zone)}</span>
                </li>
              ))}
            </ul>
          )
        }
      </Shown>
    </Card>
  );
}

function EventTypesCard({ zone }: { zone: string }): JSX.Element {
  const analytics = useLoad<Analytics>(
    `/advertiser-dashboard/events/analytics${query({ days: 30, tz: zone })}`,
  );
  return (
    <Card title={t('Events, last 30 days')}>
      <Shown load={analytics}>
        {(data) =>
          data.event_types.length === 0 ? (
            <Empty title={t('No events yet.')} />
          ) : (
            <Bars
              label={t('Pixel events by type')}
              rows={data.event_types.map((row) => ({ name: row.event_type, value: row.total }))}
              format={count}
            />
          )
        }
      </Shown>
    </Card>
  );
}
