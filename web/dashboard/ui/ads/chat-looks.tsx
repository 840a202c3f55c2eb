import { t } from '../../core/language.js';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { AdPreview, type PreviewedAd } from './ad-preview.js';

const looks = [
  ['plain', t('Plain text')],
  ['bubbles', t('Bubbles')],
  ['terminal', t('Terminal')],
  ['card', t('Card')],
] as const;

/** The ad in the four ways chats look, each on a light or a dark page whatever this page is. */
export function ChatLooks({ ad, question }: { ad: PreviewedAd; question?: string }): JSX.Element {
  const [scheme, setScheme] = useState<'light' | 'dark'>(() =>
    matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light',
  );
  return (
    <div class="stack tight">
      <div class="actions" role="group" aria-label={t('Page of the previews')}>
        {(['light', 'dark'] as const).map((name) => (
          <button
            key={name}
            type="button"
            class="button small"
            aria-pressed={scheme === name}
            onClick={() => setScheme(name)}
          >
            {name === 'light' ? t('Light') : t('Dark')}
          </button>
        ))}
      </div>
      <div class="scenes">
        {looks.map(([look, title]) => (
          <div key={look}>
            <h3>{title}</h3>
            <div class={`look look-${look} ${scheme}`} data-look={look}>
              <p class="look-asked">{question ?? t('Which one would you take?')}</p>
              <p class="look-answer">
                {look === 'terminal' ? '> ' : ''}
                {t('Here is what matters when you choose.')}
              </p>
              <AdPreview ad={ad} placement="below_response" />
            </div>
          </div>
        ))}
      </div>
    </div>
  );
}
