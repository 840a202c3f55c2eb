import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useApp } from '../../core/boot.js';
import { moment } from '../../core/format.js';
import { t } from '../../core/language.js';
import { useLoad } from '../../core/hooks/use-load.js';
import { type Decision, DecisionView } from '../../playground/decision-view.js';
import { TextField } from '../../ui/forms/fields.js';
import { Card, Page } from '../../ui/parts.js';
import { Empty, Shown } from '../../ui/states.js';

export function DecisionsPage({ initial }: { initial: string }): JSX.Element {
  const { zone } = useApp();
  const [draft, setDraft] = useState(initial);
  const [id, setId] = useState(initial);
  const decision = useLoad<Decision>(
    id === '' ? null : `/operator/decisions/${encodeURIComponent(id)}`,
  );
  return (
    <Page
      title={t('Decision explainer')}
      lead={t(
        'Why an ad was shown, or none. The request id is in the X-Ad-Request-Id header of every ad answer.',
      )}
    >
      <div class="stack">
        <Card>
          <form
            class="row"
            onSubmit={(event) => {
              event.preventDefault();
              setId(draft.trim());
            }}
          >
            <TextField label={t('Request id')} value={draft} onInput={setDraft} required />
            <button class="button primary">{t('Explain')}</button>
          </form>
        </Card>
        {id !== '' &&
          (decision.error?.status === 404 ? (
            <Empty title={t('No decision with that id.')}>
              <p>{t('Raw events are kept for a limited time.')}</p>
            </Empty>
          ) : (
            <Card title={t('Decision')}>
              <Shown load={decision}>
                {(data) => (
                  <>
                    <p class="quiet">{moment(data.at, zone)}</p>
                    <DecisionView decision={data} />
                  </>
                )}
              </Shown>
            </Card>
          ))}
      </div>
    </Page>
  );
}
