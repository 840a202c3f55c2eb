import type { JSX } from 'preact';
import { saveFile } from '../core/api.js';
import { useApp } from '../core/boot.js';
import { moment, words } from '../core/format.js';
import { usePages } from '../core/use-pages.js';
import { DataTable } from '../ui/data-table.js';
import { Card, Page } from '../ui/parts.js';
import { Empty, Loading, Problem } from '../ui/states.js';

interface Lead {
  lead_id: string;
  campaign_name: string | null;
  submitted_at: string;
  consent: boolean | null;
  fields: Record<string, string | boolean>;
}

const cell = (text: string): string => `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;

export function LeadsPage(): JSX.Element {
  const { zone } = useApp();
  // The leads of the page, as the leads route lists them.
  const list = usePages<Lead>('/advertiser-dashboard/leads?limit=100', (page) => page['leads'] as Lead[]);
  const names = [...new Set(list.items.flatMap((lead) => Object.keys(lead.fields)))];
  const download = (): void => {
    const lines = [['submitted_at', 'campaign', 'consent', ...names], ...list.items.map((lead) => [lead.submitted_at, lead.campaign_name ?? '', String(lead.consent ?? ''), ...names.map((name) => String(lead.fields[name] ?? ''))])];
    saveFile(new Blob([lines.map((line) => line.map(cell).join(',')).join('\r\n')], { type: 'text/csv' }), 'leads.csv');
  };
  return (
    <Page title="Leads" lead="What people sent through your forms. Only you can read it." actions={list.items.length > 0 && <button type="button" class="button" onClick={download}>CSV</button>}>
      <Card>
        {list.error !== undefined && <Problem message={list.error.message} retry={list.reload} />}
        {list.items.length === 0 ? (list.loading ? <Loading /> : <Empty title="No leads yet."><p>Add a lead form to a campaign: people answer it right in the assistant.</p></Empty>) : (
          <DataTable label="Leads" rows={list.items} rowKey={(lead) => lead.lead_id} columns={[
            { id: 'at', title: 'When', cell: (lead) => <span class="nowrap">{moment(lead.submitted_at, zone)}</span>, sort: (lead) => lead.submitted_at },
            { id: 'campaign', title: 'Campaign', cell: (lead) => lead.campaign_name ?? '—', sort: (lead) => lead.campaign_name ?? '' },
            ...names.map((name) => ({ id: `field-${name}`, title: words(name), cell: (lead: Lead) => <span class="clip">{typeof lead.fields[name] === 'boolean' ? (lead.fields[name] ? 'Yes' : 'No') : (lead.fields[name] ?? '—')}</span> })),
            { id: 'consent', title: 'Consent', cell: (lead) => lead.consent === null ? '—' : lead.consent ? 'Yes' : 'No' },
          ]} />
        )}
        {list.hasMore && <div class="actions"><button type="button" class="button" onClick={list.more}>Load more</button></div>}
      </Card>
    </Page>
  );
}
