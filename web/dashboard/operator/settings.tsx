import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { heard, t } from '../core/language.js';
import { useLoad } from '../core/hooks/use-load.js';
import { DataTable, type Column } from '../ui/tables/data-table.js';
import { Card, Page } from '../ui/parts.js';
import { Empty, Shown } from '../ui/states.js';

interface Setting {
  name: string;
  value: string;
  about: string;
  is_secret: boolean;
  is_default: boolean;
}

/** What the server was started with. Changed where it is started, never from a page. */
export function SettingsPage(): JSX.Element {
  const load = useLoad<{ settings: Setting[] }>('/operator/settings');
  const [text, setText] = useState('');
  const wanted = text.trim().toLowerCase();
  return (
    <Page
      title={t('Settings')}
      lead={t(
        'The settings this server was started with. To change them, edit its environment and restart it.',
      )}
    >
      <Card
        title={t('All settings')}
        actions={
          <input
            type="search"
            aria-label={t('Find a setting')}
            placeholder={t('Find a setting')}
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        }
      >
        <Shown load={load}>
          {(data) => {
            const rows = data.settings.filter((one) =>
              `${one.name} ${heard(one.about)}`.toLowerCase().includes(wanted),
            );
            return rows.length === 0 ? (
              <Empty title={t('No setting matches that.')} />
            ) : (
              <DataTable
                label={t('Settings')}
                rows={rows}
                rowKey={(row) => row.name}
                columns={settingColumns()}
              />
            );
          }}
        </Shown>
      </Card>
    </Page>
  );
}

function settingColumns(): readonly Column<Setting>[] {
  return [
    {
      id: 'name',
      title: t('Setting'),
      cell: (row) => <code>{row.name}</code>,
      sort: (row) => row.name,
    },
    {
      id: 'value',
      title: t('Value'),
      cell: (row) => (
        <span class="wide-cell">
          {row.value === '' ? <span class="quiet">{t('not set')}</span> : row.value}{' '}
          {!row.is_default && <span class="badge wait">{t('changed')}</span>}
        </span>
      ),
      sort: (row) => row.value,
    },
    {
      id: 'about',
      title: t('What it is for'),
      cell: (row) => <span class="wide-cell">{heard(row.about)}</span>,
    },
  ];
}
