import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useApp } from '../../core/boot.js';
import { country, moment, money, words } from '../../core/format.js';
import { inline, t } from '../../core/language.js';
import { Card } from '../../ui/parts.js';
import { BudgetEdit } from '../edit/budget-edit.js';
import type { Campaign } from '../campaign-record.js';
import { EditCampaign } from '../edit/edit-campaign.js';

/** What a campaign is set to, with its editor. */
export function CampaignSettings({
  campaign,
  onBudget,
  onSaved,
}: {
  campaign: Campaign;
  onBudget: (value: number) => void;
  onSaved: () => void;
}): JSX.Element {
  const { zone } = useApp();
  const [editing, setEditing] = useState(false);
  const rows = settingsOf(campaign, onBudget, zone);
  return (
    <Card
      title={t('Settings')}
      actions={
        <button type="button" class="button small" onClick={() => setEditing(true)}>
          {t('Edit settings')}
        </button>
      }
    >
      <div class="table-box" tabIndex={0} role="region" aria-label={t('Settings of the campaign')}>
        <table class="facts-table">
          <tbody>
            {rows.map(([title, value]) => (
              <tr key={title}>
                <th scope="row">{title}</th>
                <td class="wide-cell">{value}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {editing && (
        <EditCampaign
          campaign={campaign}
          onClose={() => setEditing(false)}
          onSaved={() => {
            setEditing(false);
            onSaved();
          }}
        />
      )}
    </Card>
  );
}

function settingsOf(
  campaign: Campaign,
  onBudget: (value: number) => void,
  zone: string,
): [string, string | JSX.Element][] {
  const most = (
    [
      ['max_cpm', t('thousand impressions')],
      ['max_cpc', t('click')],
      ['max_cpa', t('result')],
    ] as const
  ).flatMap(([name, what]) =>
    campaign[name] === null
      ? []
      : [t('at most {campaign} per {what}', { campaign: money(campaign[name]), what })],
  );
  const rows: [string, JSX.Element | string][] = [
    [
      t('Daily budget'),
      <BudgetEdit name={campaign.name} value={campaign.daily_budget} onSave={onBudget} />,
    ],
    [t('Landing page'), campaign.landing_page],
    [
      t('Goal and billing'),
      [
        words(campaign.campaign_objective),
        campaign.billing_model.toUpperCase(),
        inline(words(campaign.bid_strategy)),
        ...most,
      ].join(', '),
    ],
    [
      t('Countries'),
      campaign.allowed_countries.length === 0
        ? t('Everywhere')
        : campaign.allowed_countries.map(country).join(', '),
    ],
    [
      t('Devices'),
      campaign.allowed_devices.length === 0 ? t('All') : campaign.allowed_devices.join(', '),
    ],
    [
      t('Runs'),
      t('{start_time} to {end_time}', {
        start_time: moment(campaign.start_time ?? campaign.created_at, zone),
        end_time: campaign.end_time === null ? t('no end') : moment(campaign.end_time, zone),
      }),
    ],
    [t('Submitted'), moment(campaign.submitted_for_review_at, zone)],
    [t('Reviewed'), moment(campaign.reviewed_at, zone)],
  ];
  return rows;
}
