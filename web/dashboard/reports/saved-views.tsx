import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { call } from '../core/api.js';
import { t } from '../core/language.js';
import { navigate } from '../core/router.js';
import { useAct } from '../core/hooks/use-act.js';
import { useLoad } from '../core/hooks/use-load.js';
import { TextField } from '../ui/forms/fields.js';
import { Dialog } from '../ui/parts.js';

interface View {
  id: string;
  name: string;
  path: string;
  search: string;
}

/** Reports the team wants to see again: what the address says, under a name. */
export function SavedViews(): JSX.Element {
  const load = useLoad<{ views: View[] }>('/session/views');
  const { act } = useAct();
  const [naming, setNaming] = useState<string | null>(null);
  const views = (load.data?.views ?? []).filter((view) => view.path === location.pathname);
  const save = async (name: string): Promise<void> => {
    const isDone = await act(async () => {
      await call('/session/views', {
        method: 'POST',
        body: { name, path: location.pathname, search: location.search },
      });
      return t('Saved as {name}.', { name });
    });
    if (isDone) {
      setNaming(null);
      load.reload();
    }
  };
  const forget = (view: View): void =>
    void act(async () => {
      await call(`/session/views/${view.id}`, { method: 'DELETE' });
      return t('{name} deleted.', { name: view.name });
    }).then(load.reload);
  return (
    <>
      <details class="drop">
        <summary class="button small">{t('Saved views')}</summary>
        <div class="drop-body">
          {views.length === 0 && <p class="quiet">{t('None yet.')}</p>}
          {views.map((view) => (
            <ViewRow key={view.id} view={view} forget={forget} />
          ))}
          <button type="button" class="button small" onClick={() => setNaming('')}>
            {t('Save this view')}
          </button>
        </div>
      </details>
      {naming !== null && <NameDialog setNaming={setNaming} naming={naming} save={save} />}
    </>
  );
}

function ViewRow({ view, forget }: { view: View; forget: (view: View) => void }): JSX.Element {
  return (
    <div class="row">
      <button type="button" class="row-name" onClick={() => navigate(`${view.path}${view.search}`)}>
        {view.name}
      </button>
      <button
        type="button"
        class="button small"
        aria-label={t('Delete {name}', { name: view.name })}
        onClick={() => forget(view)}
      >
        ×
      </button>
    </div>
  );
}

function NameDialog({
  setNaming,
  naming,
  save,
}: {
  setNaming: (value: string | null) => void;
  naming: string;
  save: (name: string) => Promise<void>;
}): JSX.Element {
  return (
    <Dialog title={t('Save this view')} onClose={() => setNaming(null)}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (naming.trim() !== '') void save(naming.trim());
        }}
      >
        <TextField
          label={t('Name')}
          value={naming}
          onInput={setNaming}
          required
          maxLength={80}
          hint={t('Your team sees it too.')}
        />
        <div>
          <button class="button primary">{t('Save view')}</button>
        </div>
      </form>
    </Dialog>
  );
}
