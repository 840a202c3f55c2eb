import type { JSX, RefObject } from 'preact';
import { useEffect, useId, useRef, useState, type Dispatch, type StateUpdater } from 'preact/hooks';
import { call, query } from '../../core/api.js';
import { useApp, type Session } from '../../core/boot.js';
import { t } from '../../core/language.js';
import { type DocEntry, matchDocs } from '../../core/match-docs.js';
import { navigate } from '../../core/router.js';

export interface Place {
  title: string;
  kind: string;
  to: string;
}

/** Goes anywhere by a few letters: pages, docs and what the account has. */
export function Palette({
  pages,
  takeTyped,
  onClose,
}: {
  pages: readonly Place[];
  /** What was typed before this was loaded; from here on it is typed here. */
  takeTyped: () => string;
  onClose: () => void;
}): JSX.Element {
  const { session } = useApp();
  const [text, setText] = useState('');
  const [found, setFound] = useState<readonly Place[]>([]);
  const [at, setAt] = useState(0);
  const { own, id } = useShownModally(() => setText(takeTyped()));
  useFoundPlaces(session, text, setFound);
  const wanted = text.trim().toLowerCase();
  const docs = useDocs();
  const places = [
    ...pages.filter((place) => place.title.toLowerCase().includes(wanted)),
    ...found,
    ...matchDocs(docs, wanted)
      .slice(0, 8)
      .map(([title, about, to]) => ({ title, kind: `${t('Docs')} · ${about}`, to })),
  ];
  const chosen = Math.min(at, places.length - 1);
  const go = (place: Place | undefined): void => goTo(place, onClose);
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown') setAt((chosen + 1) % Math.max(1, places.length));
    else if (event.key === 'ArrowUp')
      setAt((chosen + places.length - 1) % Math.max(1, places.length));
    else if (event.key === 'Enter') go(places[chosen]);
    else return;
    event.preventDefault();
  };
  return (
    <dialog
      ref={own}
      class="palette"
      aria-label={t('Go to')}
      onCancel={(event) => (event.preventDefault(), onClose())}
      onClick={(event) => event.target === own.current && onClose()}
    >
      <SearchBox
        id={id}
        places={places}
        chosen={chosen}
        text={text}
        setText={setText}
        setAt={setAt}
        press={press}
      />
      <PlaceList id={id} places={places} chosen={chosen} go={go} />
      {places.length === 0 && <p class="quiet">{t('No results.')}</p>}
    </dialog>
  );
}

function goTo(place: Place | undefined, onClose: () => void): void {
  if (place === undefined) return;
  onClose();
  if (place.to.startsWith('/app')) navigate(place.to);
  else location.assign(place.to);
}

/** Pages, headings and routes of the docs; without them the rest is found all the same. */
function useDocs(): readonly DocEntry[] {
  const [docs, setDocs] = useState<readonly DocEntry[]>([]);
  useEffect(() => void call<DocEntry[]>('/docs/search.json').then(setDocs, () => undefined), []);
  return docs;
}

function useShownModally(onShown: () => void): {
  own: RefObject<HTMLDialogElement | null>;
  id: string;
} {
  const own = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = own.current;
    dialog?.showModal();
    onShown();
    return () => dialog?.close();
  }, []);
  return { own, id };
}

function SearchBox({
  id,
  places,
  chosen,
  text,
  setText,
  setAt,
  press,
}: {
  id: string;
  places: Place[];
  chosen: number;
  text: string;
  setText: (value: string) => void;
  setAt: (value: number) => void;
  press: (event: KeyboardEvent) => void;
}): JSX.Element {
  return (
    <input
      type="search"
      role="combobox"
      list={undefined}
      aria-label={t('Go to a page, a campaign or an account')}
      aria-expanded="true"
      aria-controls={`${id}-list`}
      aria-activedescendant={places.length === 0 ? undefined : `${id}-${chosen}`}
      placeholder={t('Go to…')}
      autoFocus
      value={text}
      onInput={(event) => {
        setText(event.currentTarget.value);
        setAt(0);
      }}
      onKeyDown={press}
    />
  );
}

const keepInView = (option: HTMLLIElement | null): void =>
  option?.scrollIntoView({ block: 'nearest' });

function PlaceList({
  id,
  places,
  chosen,
  go,
}: {
  id: string;
  places: Place[];
  chosen: number;
  go: (place: Place | undefined) => void;
}): JSX.Element {
  return (
    <ul role="listbox" id={`${id}-list`} aria-label={t('Places')}>
      {places.map((place, index) => (
        <li
          key={`${place.kind} ${place.to}`}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === chosen}
          ref={index === chosen ? keepInView : null}
          onClick={() => go(place)}
        >
          <span class="clip" title={place.title}>
            {place.title}
          </span>{' '}
          <small class="quiet">{place.kind}</small>
        </li>
      ))}
    </ul>
  );
}

function useFoundPlaces(
  session: Session | null,
  text: string,
  setFound: Dispatch<StateUpdater<readonly Place[]>>,
): void {
  useEffect(() => {
    const abort = new AbortController();
    // A pause in typing, so that not every letter asks the server.
    const timer = setTimeout(
      () => void search(session?.role ?? '', text, abort.signal).then(setFound, () => setFound([])),
      150,
    );
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [text, session?.role]);
}

/** What only the server knows: an advertiser's campaigns, an operator's accounts. */
async function search(role: string, text: string, signal: AbortSignal): Promise<Place[]> {
  const wanted = text.trim();
  if (wanted.length < 2) return [];
  if (role === 'advertiser') {
    const { campaigns } = await call<{ campaigns: { campaign_id: string; name: string }[] }>(
      `/advertiser-dashboard/campaigns${query({ q: wanted, limit: 8 })}`,
      { signal },
    );
    return campaigns.map((campaign) => ({
      title: campaign.name,
      kind: t('Campaign'),
      to: `/app/advertiser/campaigns/${campaign.campaign_id}`,
    }));
  }
  if (role !== 'operator') return [];
  const { accounts } = await call<{ accounts: { id: string; name: string; kind: string }[] }>(
    '/operator/accounts',
    { signal },
  );
  return accounts
    .filter((account) => account.name.toLowerCase().includes(wanted.toLowerCase()))
    .slice(0, 8)
    .map((account) => ({
      title: account.name,
      kind: account.kind === 'publisher' ? t('Publisher') : t('Advertiser'),
      to: `/app/operator/reports${query({
        by: 'day',
        [`${account.kind}_id`]: account.id,
      })}`,
    }));
}
