import type { Static } from '@sinclair/typebox';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type {
  ToolCampaignChoices,
  ToolCampaignList,
} from '../../../../src/surfaces/tool-search/schema.js';
import { call } from '../../core/api.js';
import { money } from '../../core/format.js';
import { t } from '../../core/language.js';
import { useAct } from '../../core/hooks/use-act.js';
import { useLoad, type Loaded } from '../../core/hooks/use-load.js';
import { CsvButton } from '../../ui/tables/csv-button.js';
import { DataTable, type Column } from '../../ui/tables/data-table.js';
import { Choice } from '../../ui/forms/fields.js';
import { Badge, Card } from '../../ui/parts.js';
import { Empty, Shown } from '../../ui/states.js';

type Choices = Static<typeof ToolCampaignChoices>;

/**
 * Which campaigns, paid by result, stand behind which tools: a recommended tool's visits are
 * credited to its campaign.
 */
export function ToolCampaignsCard(): JSX.Element {
  const { act } = useAct();
  const links = useLoad<ToolLinks>('/operator/tool-campaigns');
  const choices = useLoad<Choices>('/operator/tool-campaigns/choices');
  const nameOf = (slug: string): string =>
    choices.data?.tools.find((tool) => tool.slug === slug)?.name ?? slug;
  return (
    <Card title={t('Campaigns behind tools')} actions={<LinksCsv links={links} />}>
      <div class="stack">
        <Shown load={choices}>
          {(data) => (
            <LinkForm
              choices={data}
              onLink={(slug, campaign) =>
                act(
                  async () => (
                    await call('/operator/tool-campaigns', {
                      method: 'PUT',
                      body: { slug, campaign_id: campaign },
                    }),
                    t('{nameOf} is linked.', { nameOf: nameOf(slug) })
                  ),
                ).then((done) => (links.reload(), done))
              }
            />
          )}
        </Shown>
        <Shown load={links}>
          {(data) =>
            data.links.length === 0 ? (
              <Empty title={t('No tool has a campaign.')}>
                <p>
                  {t(
                    'Without one a tool is still recommended when it fits best; nobody pays for it.',
                  )}
                </p>
              </Empty>
            ) : (
              <DataTable
                label={t('Campaigns behind tools')}
                rows={data.links}
                rowKey={(row) => `${row.slug} ${row.campaign_id}`}
                columns={linkColumns(nameOf, act, links)}
              />
            )
          }
        </Shown>
      </div>
    </Card>
  );
}

function LinksCsv({ links }: { links: Loaded<ToolLinks> }): JSX.Element {
  return (
    <CsvButton
      what={t('Campaigns behind tools')}
      from={() => [
        ['slug', 'campaign_id', 'campaign', 'is_live'],
        ...(links.data?.links ?? []).map((row) => [
          row.slug,
          row.campaign_id,
          row.campaign,
          row.is_live,
        ]),
      ]}
    />
  );
}

function linkColumns(
  nameOf: (slug: string) => string,
  act: (work: () => Promise<string | undefined>) => Promise<boolean>,
  links: Loaded<ToolLinks>,
): readonly Column<ToolLinks['links'][number]>[] {
  return [
    {
      id: 'tool',
      title: t('Tool'),
      cell: (row) => nameOf(row.slug),
      sort: (row) => nameOf(row.slug),
    },
    {
      id: 'campaign',
      title: t('Campaign'),
      cell: (row) => (
        <span class="clip" title={row.campaign}>
          {row.campaign}
        </span>
      ),
      sort: (row) => row.campaign,
    },
    {
      id: 'live',
      title: t('State'),
      cell: (row) => <Badge value={row.is_live ? 'live' : 'not live'} />,
    },
    {
      id: 'act',
      title: t('Actions'),
      cell: (row) => (
        <button
          type="button"
          class="button small danger"
          aria-label={t('Unlink {campaign} from {nameOf}', {
            campaign: row.campaign,
            nameOf: nameOf(row.slug),
          })}
          onClick={() =>
            void act(
              async () => (
                await call(
                  `/operator/tool-campaigns/${encodeURIComponent(row.slug)}/${row.campaign_id}`,
                  { method: 'DELETE' },
                ),
                t('Unlinked.')
              ),
            ).then(links.reload)
          }
        >
          {t('Unlink')}
        </button>
      ),
    },
  ];
}

function LinkForm({
  choices,
  onLink,
}: {
  choices: Choices;
  onLink: (slug: string, campaignId: string) => Promise<boolean>;
}): JSX.Element {
  const [slug, setSlug] = useState('');
  const [campaign, setCampaign] = useState('');
  const label = (one: Choices['campaigns'][number]): string =>
    `${one.name} · ${one.advertiser}${one.max_cpa === null ? '' : ` ${t('· {max_cpa} a result', { max_cpa: money(one.max_cpa) })}`}${one.status === 'active' && one.review_status === 'approved' ? '' : ` ${t('· not live')}`}`;
  if (choices.campaigns.length === 0)
    return (
      <p class="quiet">
        {t(
          'There is no campaign that pays by result yet. An advertiser makes one by choosing “Pay for: Conversions”.',
        )}
      </p>
    );
  return (
    <form
      class="form-row end"
      onSubmit={(event) => {
        event.preventDefault();
        if (slug !== '' && campaign !== '')
          void onLink(slug, campaign).then((done) => done && (setSlug(''), setCampaign('')));
      }}
    >
      <Choice
        label={t('Tool')}
        value={slug}
        options={[
          ['', t('Choose…')],
          ...choices.tools.map((tool) => [tool.slug, `${tool.name} (${tool.category})`] as const),
        ]}
        onChange={setSlug}
      />
      <Choice
        label={t('Campaign')}
        value={campaign}
        options={[
          ['', t('Choose…')],
          ...choices.campaigns.map((one) => [one.campaign_id, label(one)] as const),
        ]}
        onChange={setCampaign}
      />
      <div>
        <button class="button primary" disabled={slug === '' || campaign === ''}>
          {t('Link')}
        </button>
      </div>
    </form>
  );
}

type ToolLinks = Static<typeof ToolCampaignList>;
