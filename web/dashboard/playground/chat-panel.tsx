import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError, call } from '../core/api.js';
import { useApp } from '../core/boot.js';
import { named, t } from '../core/language.js';
import { placementName } from '../core/placements.js';
import { AdPreview } from '../ui/ads/ad-preview.js';
import { Choice } from '../ui/forms/fields.js';
import { Card, Code } from '../ui/parts.js';
import { Problem } from '../ui/states.js';
import { bearer, curl } from '../ui/curl.js';
import { type Decision, DecisionView } from './decision-view.js';
import { ReadingView } from './reading-view.js';
import { rememberClick } from './last-click.js';

interface PlayedAd {
  adText: string;
  title: string;
  cta: string;
  brandName: string;
  url: string;
  image?: string;
  impUrl: string;
  clickUrl: string;
  campaignId: string;
  grclid: string;
  disclosure?: { label: string; paid_by: string; why: string };
}

interface Answer {
  request_id: string;
  ads: PlayedAd[];
}

interface Turn {
  question: string;
  answer: Answer | null;
}

interface Beacon {
  what: string;
  url: string;
  outcome: string;
}

const starters = [
  'My flight got cancelled and I am stuck at the airport',
  'How do I host a Postgres database for a side project?',
  'I want to start running but my knees hurt',
  'Quick vegetarian dinner ideas for the family',
  'How can I improve my credit score?',
  'Tell me a joke about penguins',
];
const placements = [
  'below_response',
  'above_response',
  'inline_response',
  'right_response',
  'search_result',
  'top_page',
].map((name) => [name, placementName(name)] as const);
const newSession = (): string => `play-${crypto.getRandomValues(new Uint32Array(2)).join('')}`;

/**
 * A chat with a placement below each answer. The assistant's words are a stand-in; the ad is not.
 */
export function ChatPanel(): JSX.Element {
  const { urls, say } = useApp();
  const [session, setSession] = useState(newSession);
  const tracking = useTracking(session, say);
  const chat = useChat(session, tracking.note);

  return (
    <div class="split even">
      <div class="stack">
        <ConversationCard chat={chat} setSession={setSession} tracking={tracking} />
        <CallsCard tracking={tracking} />
      </div>
      <WhyCards chat={chat} urls={urls} session={session} />
    </div>
  );
}

function ConversationCard({
  chat,
  setSession,
  tracking,
}: {
  chat: Chat;
  setSession: (value: string) => void;
  tracking: Tracking;
}): JSX.Element {
  return (
    <Card
      title={t('Conversation')}
      actions={chat.turns.length > 0 && <NewChatButton chat={chat} setSession={setSession} />}
    >
      <div class="chat" aria-live="polite">
        {chat.turns.length === 0 && <Starters chat={chat} />}
        {chat.turns.map((turn, index) => (
          <TurnView
            key={index}
            turn={turn}
            placement={chat.placement}
            onShown={tracking.shown}
            onClicked={tracking.clicked}
            onThumb={(ad, sentiment) => void tracking.thumb(ad, sentiment)}
          />
        ))}
        {chat.busy && (
          <p class="quiet" role="status">
            {t('Thinking…')}
          </p>
        )}
        {chat.problem !== null && <Problem message={chat.problem} />}
        <Composer chat={chat} />
        <Choice
          label={t('Placement')}
          value={chat.placement}
          options={placements}
          onChange={chat.setPlacement}
        />
      </div>
    </Card>
  );
}

function NewChatButton({
  chat,
  setSession,
}: {
  chat: Chat;
  setSession: (value: string) => void;
}): JSX.Element {
  return (
    <button
      type="button"
      class="button small"
      onClick={() => {
        chat.setTurns([]);
        setSession(newSession());
        chat.setDecision(null);
      }}
    >
      {t('Start over')}
    </button>
  );
}

function Starters({ chat }: { chat: Chat }): JSX.Element {
  return (
    <>
      <p class="quiet">{t('Type something a person might ask an assistant, or pick one:')}</p>
      <div class="chips">
        {starters.map((text) => (
          <button key={text} type="button" class="chip" onClick={() => void chat.ask(text)}>
            {text}
          </button>
        ))}
      </div>
    </>
  );
}

function Composer({ chat }: { chat: Chat }): JSX.Element {
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        void chat.ask(chat.draft);
      }}
    >
      <input
        aria-label={t('Message')}
        value={chat.draft}
        onInput={(event) => chat.setDraft(event.currentTarget.value)}
        placeholder={t('Ask something…')}
        maxLength={2000}
      />
      <button class="button primary" disabled={chat.busy}>
        {t('Send')}
      </button>
    </form>
  );
}

function CallsCard({ tracking }: { tracking: Tracking }): JSX.Element {
  return (
    <Card title={t('Tracking calls')}>
      {tracking.beacons.length === 0 ? (
        <p class="quiet">{t('Impressions, clicks and feedback appear here as they happen.')}</p>
      ) : (
        <ul class="calls">
          {tracking.beacons.map((beacon, index) => (
            <li key={tracking.beacons.length - index}>
              <b>{beacon.what}</b>
              <code title={beacon.url}>{beacon.url}</code>
              <span>{beacon.outcome}</span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function WhyCards({
  chat,
  urls,
  session,
}: {
  chat: Chat;
  urls: { base: string; api: string; platform: string; index: string };
  session: string;
}): JSX.Element {
  return (
    <div class="stack">
      <Card title={t('Why this ad')}>
        {chat.decision === null ? (
          <p class="quiet">
            {t(
              'Ask something to see who took part, how well each one fit, and what the winner pays.',
            )}
          </p>
        ) : (
          <>
            <DecisionView decision={chat.decision} />
            <ReadingView
              key={chat.decision.request_id}
              url="/playground/reading"
              messages={chat.sent}
            />
          </>
        )}
      </Card>
      <Code
        label={t('The same call')}
        text={curl(
          `${urls.base}/api/v1/ad`,
          {
            sessionId: session,
            placements: [{ placement: chat.placement, placement_id: 'main' }],
            messages: chat.sent,
          },
          bearer,
        )}
      />
    </div>
  );
}

interface Tracking {
  beacons: Beacon[];
  note: (beacon: Beacon) => void;
  shown: (ad: PlayedAd) => void;
  clicked: (ad: PlayedAd) => void;
  thumb: (ad: PlayedAd, sentiment: string) => Promise<void>;
}

function useTracking(
  session: string,
  say: (message: string, kind?: 'good' | 'bad') => void,
): Tracking {
  const [beacons, setBeacons] = useState<Beacon[]>([]);
  const note = (beacon: Beacon): void => setBeacons((before) => [beacon, ...before].slice(0, 30));
  const shown = (ad: PlayedAd): void => {
    fetch(ad.impUrl, { mode: 'cors', credentials: 'omit' }).then(
      (response) =>
        note({ what: t('Impression'), url: ad.impUrl, outcome: String(response.status) }),
      () => note({ what: t('Impression'), url: ad.impUrl, outcome: t('not delivered') }),
    );
  };
  const clicked = (ad: PlayedAd): void => {
    note({ what: t('Click'), url: ad.clickUrl, outcome: t('302 to the landing page') });
    rememberClick({ grclid: ad.grclid, brand: ad.brandName });
  };
  const thumb = async (ad: PlayedAd, sentiment: string): Promise<void> => {
    try {
      await call('/playground/feedback', {
        method: 'POST',
        body: { sessionId: session, impUrl: ad.impUrl, sentiment },
      });
      note({ what: t('Feedback'), url: '/ad-feedback', outcome: named(sentiment) });
      say(
        sentiment === 'thumbs_down'
          ? t('Noted. This session will not see that ad again.')
          : t('Noted.'),
      );
    } catch (error) {
      say(error instanceof ApiError ? error.message : t('Feedback was not recorded.'), 'bad');
    }
  };
  return { beacons, note, shown, clicked, thumb };
}

interface Chat {
  turns: Turn[];
  setTurns: (value: Turn[]) => void;
  draft: string;
  setDraft: (value: string) => void;
  placement: string;
  setPlacement: (value: string) => void;
  busy: boolean;
  problem: string | null;
  decision: Decision | null;
  setDecision: (value: Decision | null) => void;
  sent: { role: string; content: string }[];
  ask: (question: string) => Promise<void>;
}

function useChat(session: string, note: (beacon: Beacon) => void): Chat {
  const [turns, setTurns] = useState<Turn[]>([]);
  const [draft, setDraft] = useState('');
  const [placement, setPlacement] = useState('below_response');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [decision, setDecision] = useState<Decision | null>(null);
  const [sent, setSent] = useState<{ role: string; content: string }[]>([
    { role: 'user', content: starters[0] ?? '' },
  ]);

  const ask = async (question: string): Promise<void> => {
    if (question.trim() === '' || busy) return;
    const asked = [...turns, { question: question.trim(), answer: null }];
    setTurns(asked);
    setDraft('');
    setBusy(true);
    setProblem(null);
    setDecision(null);
    const said = messages(asked).slice(-20);
    setSent(said);
    try {
      const answer = await call<Answer>('/playground/ad', {
        method: 'POST',
        body: { sessionId: session, placement, messages: said },
      });
      note({
        what: t('Ad request'),
        url: '/api/v1/ad',
        outcome: answer.ads.length === 0 ? t('204, nothing fits') : t('200, one ad'),
      });
      setTurns([...turns, { question: question.trim(), answer }]);
      setDecision(
        await call<Decision>(`/playground/decisions/${answer.request_id}`).catch(() => null),
      );
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : t('The ad could not be fetched.'));
    }
    setBusy(false);
  };
  return {
    turns,
    setTurns,
    draft,
    setDraft,
    placement,
    setPlacement,
    busy,
    problem,
    decision,
    setDecision,
    sent,
    ask,
  };
}

const messages = (list: readonly Turn[]) =>
  list.flatMap((turn) => [
    { role: 'user', content: turn.question },
    ...(turn.answer === null ? [] : [{ role: 'assistant', content: standIn(turn.answer) }]),
  ]);

function Thumb(): JSX.Element {
  return (
    <svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true">
      <path d="M3 9h3v8H3zM7 9l3.500-6.500c1.400 0 2.200 1 2 2.300L12 8h4c1 0 1.700.9 1.500 1.900l-1.200 5.800c-.2.800-.8 1.300-1.600 1.300H7z" />
    </svg>
  );
}

function standIn(answer: Answer): string {
  return answer.ads.length === 0
    ? t('Your assistant’s answer goes here. No offer fits, so there is no ad.')
    : t('Your assistant’s answer goes here, with a matching ad below it.');
}

function TurnView({
  turn,
  placement,
  onShown,
  onClicked,
  onThumb,
}: {
  turn: Turn;
  placement: string;
  onShown: (ad: PlayedAd) => void;
  onClicked: (ad: PlayedAd) => void;
  onThumb: (ad: PlayedAd, sentiment: string) => void;
}): JSX.Element {
  const ad = turn.answer?.ads[0];
  const [vote, setVote] = useState<string | null>(null);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const box = place.current;
    if (ad === undefined || box === null) return;
    // Counted when half of it is in view, once.
    const watcher = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.intersectionRatio >= 0.5)) return;
        watcher.disconnect();
        onShown(ad);
      },
      { threshold: [0.5] },
    );
    watcher.observe(box);
    return () => watcher.disconnect();
  }, [ad?.impUrl]);
  const thumbs = (['thumbs_up', 'thumbs_down'] as const).map((sentiment) => (
    <button
      key={sentiment}
      type="button"
      class={`thumb ${sentiment}`}
      aria-pressed={vote === sentiment}
      aria-label={sentiment === 'thumbs_up' ? t('Helpful') : t('Not helpful')}
      onClick={() => {
        setVote(sentiment);
        if (ad !== undefined) onThumb(ad, sentiment);
      }}
    >
      <Thumb />
    </button>
  ));
  return (
    <>
      <div class="bubble user">{turn.question}</div>
      {turn.answer !== null && <div class="bubble assistant">{standIn(turn.answer)}</div>}
      {ad !== undefined && (
        <div ref={place}>
          <AdPreview ad={ad} placement={placement} href={ad.clickUrl} onClick={() => onClicked(ad)}>
            <span class="thumbs">{thumbs}</span>
          </AdPreview>
        </div>
      )}
    </>
  );
}
