import type { JSX } from 'preact';
import { allPages } from '../core/all-pages.js';
import { useApp } from '../core/boot.js';
import type { CsvRow } from '../core/csv.js';
import { moment, words } from '../core/format.js';
import { t } from '../core/language.js';
import { Link } from '../core/router.js';
import { usePages } from '../core/hooks/use-pages.js';
import { CsvButton } from '../ui/tables/csv-button.js';
import { DataTable, type Column } from '../ui/tables/data-table.js';
import { Card, Page } from '../ui/parts.js';
import { Empty, Listed } from '../ui/states.js';

interface Lead {
  lead_id: string;
  campaign_name: string | null;
  submitted_at: string;
  consent: boolean | null;
  fields: Record<string, string | boolean>;
}

const path = '/advertiser-dashboard/leads?limit=100';
// The leads of the page, as the leads route lists them.
const leadsOf = (page: Record<string, unknown>): Lead[] => page['leads'] as Lead[];
const namesOf = (leads: readonly Lead[]): string[] => [
  ...new Set(leads.flatMap((lead) => Object.keys(lead.fields))),
];

function csvOf(leads: readonly Lead[]): CsvRow[] {
  const names = namesOf(leads);
  return [
    ['submitted_at', 'campaign', 'consent', ...names],
    ...leads.map((lead) => [
      lead.submitted_at,
      lead.campaign_name,
      lead.consent,
      ...names.map((name) => lead.fields[name]),
    ]),
  ];
}

export function LeadsPage(): JSX.Element {
  const { zone } = useApp();
  const list = usePages(path, leadsOf);
  const names = namesOf(list.items);
  return (
    <Page
      title={t('Leads')}
      lead={t('What people sent through your forms. Only you can read it.')}
      actions={
        list.items.length > 0 && (
          <CsvButton what={t('Leads')} from={async () => csvOf(await allPages(path, leadsOf))} />
        )
      }
    >
      <Card>
        <Listed
          list={list}
          empty={
            <Empty title={t('No leads yet.')}>
              <p>{t('Add a lead form to a campaign: people answer it right in the assistant.')}</p>
              <Link to="/app/advertiser/campaigns" class="button">
                {t('Campaigns')}
              </Link>
            </Empty>
          }
        >
          {(items) => (
            <DataTable
              label={t('Leads')}
              rows={items}
              rowKey={(lead) => lead.lead_id}
              columns={leadColumns(zone, names)}
            />
          )}
        </Listed>
      </Card>
    </Page>
  );
}

function leadColumns(zone: string, names: string[]): readonly Column<Lead>[] {
  return [
    {
      id: 'at',
      title: t('When'),
      cell: (lead) => <span class="nowrap">{moment(lead.submitted_at, zone)}</span>,
      sort: (lead) => lead.submitted_at,
    },
    {
      id: 'campaign',
      title: t('Campaign'),
      cell: (lead) => lead.campaign_name ?? '—',
      sort: (lead) => lead.campaign_name ?? '',
    },
    ...names.map((name) => ({
      id: `field-${name}`,
      title: words(name),
      cell: (lead: Lead) => (
        <span class="clip">
          {typeof lead.fields[name] === 'boolean'
            ? lead.fields[name]
              ? t('Yes')
              : t('No')
            : (lead.fields[name] ?? '—')}
        </span>
      ),
    })),
    {
      id: 'consent',
      title: t('Consent'),
      cell: (lead) => (lead.consent === null ? '—' : lead.consent ? t('Yes') : t('No')),
    },
  ];
}
