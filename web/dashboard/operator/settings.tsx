import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useLoad } from '../core/use-load.js';
import { DataTable } from '../ui/data-table.js';
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
      title="Settings"
      lead="What this server was started with. Change them in its environment and start it again."
    >
      <Card
        title="All settings"
        actions={
          <input
            type="search"
            aria-label="Find a setting"
            placeholder="Find a setting"
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        }
      >
        <Shown load={load}>
          {(data) => {
            const rows = data.settings.filter((one) =>
              `${one.name} ${one.about}`.toLowerCase().includes(wanted),
            );
            return rows.length === 0 ? (
              <Empty title="No setting is called so." />
            ) : (
              <DataTable
                label="Settings"
                rows={rows}
                rowKey={(row) => row.name}
                columns={[
                  {
                    id: 'name',
                    title: 'Setting',
                    cell: (row) => <code>{row.name}</code>,
                    sort: (row) => row.name,
                  },
                  {
                    id: 'value',
                    title: 'Value',
                    cell: (row) => (
                      <span class="wide-cell">
                        {row.value === '' ? <span class="quiet">not set</span> : row.value}{' '}
                        {!row.is_default && <span class="badge wait">changed</span>}
                      </span>
                    ),
                    sort: (row) => row.value,
                  },
                  {
                    id: 'about',
                    title: 'What it is for',
                    cell: (row) => <span class="wide-cell">{row.about}</span>,
                  },
                ]}
              />
            );
          }}
        </Shown>
      </Card>
    </Page>
  );
}
