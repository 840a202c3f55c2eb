import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useApp } from '../core/boot.js';
import { money, moment, words } from '../core/format.js';
import { Card } from '../ui/parts.js';
import { BudgetEdit } from './budget-edit.js';
import type { Campaign } from './campaign-record.js';
import { EditCampaign } from './edit-campaign.js';

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
  const most = (
    [
      ['max_cpm', 'thousand impressions'],
      ['max_cpc', 'click'],
      ['max_cpa', 'result'],
    ] as const
  ).flatMap(([name, what]) =>
    campaign[name] === null ? [] : [`at most ${money(campaign[name])} per ${what}`],
  );
  const rows: [string, JSX.Element | string][] = [
    [
      'Daily budget',
      <BudgetEdit name={campaign.name} value={campaign.daily_budget} onSave={onBudget} />,
    ],
    ['Landing page', campaign.landing_page],
    [
      'Goal and billing',
      [
        words(campaign.campaign_objective),
        campaign.billing_model.toUpperCase(),
        words(campaign.bid_strategy).toLowerCase(),
        ...most,
      ].join(', '),
    ],
    [
      'Countries',
      campaign.allowed_countries.length === 0
        ? 'Everywhere'
        : campaign.allowed_countries.join(', '),
    ],
    [
      'Devices',
      campaign.allowed_devices.length === 0 ? 'All' : campaign.allowed_devices.join(', '),
    ],
    [
      'Runs',
      `${moment(campaign.start_time ?? campaign.created_at, zone)} to ${campaign.end_time === null ? 'no end' : moment(campaign.end_time, zone)}`,
    ],
    ['Handed in', moment(campaign.submitted_for_review_at, zone)],
    ['Reviewed', moment(campaign.reviewed_at, zone)],
  ];
  return (
    <Card
      title="Settings"
      actions={
        <button type="button" class="button small" onClick={() => setEditing(true)}>
          Edit settings
        </button>
      }
    >
      <div class="table-box" tabIndex={0} role="region" aria-label="Settings of the campaign">
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
