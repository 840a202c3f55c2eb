import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { useApp } from '../core/boot.js';
import { t } from '../core/language.js';
import { Link } from '../core/router.js';
import { Card, Code } from '../ui/parts.js';

const facts = [
  [
    t('For assistants'),
    t(
      'Ask for an ad with the conversation. The answer fits what the person needs right now, or there is none. You set floors, topics and how close a fit must be.',
    ),
  ],
  [
    t('For advertisers'),
    t(
      'Describe who you can help in plain words. Pay for impressions, clicks or results; see every dollar down to the ad group, in your own time zone.',
    ),
  ],
  [
    t('For agents'),
    t(
      'Find a developer tool with its install steps, or a product in stock with a checkout an agent can use. Reasons come from the facts of the match.',
    ),
  ],
  [
    t('For operators'),
    t(
      'One process, one command, your own database. Every decision can be explained afterwards; invalid traffic is filtered and refunded.',
    ),
  ],
] as const;

export function LandingPage(): JSX.Element {
  const { session, playground, sign_up, urls } = useApp();
  useEffect(() => {
    document.title = t('Sidelight: an ad network for AI assistants');
  }, []);
  return (
    <>
      <div class="hero">
        <h1 tabIndex={-1}>{t('Ads that answer the question being asked')}</h1>
        <p>
          {t(
            'Sidelight is an ad network for AI assistants that anyone can run. It reads what a conversation is about, finds the one offer that helps, and stays quiet when there is none.',
          )}
        </p>
        <div class="actions">
          {playground.available && (
            <Link to="/app/playground" class="button primary">
              {t('Try it in the playground')}
            </Link>
          )}
          {session === null ? (
            <Link
              to={sign_up === 'open' ? '/app/sign-up' : '/app/sign-in'}
              class={playground.available ? 'button' : 'button primary'}
            >
              {sign_up === 'open' ? t('Open an account') : t('Sign in')}
            </Link>
          ) : (
            <Link to={`/app/${session.role}`} class="button">
              {t('Your dashboard')}
            </Link>
          )}
          <a class="button" href="/docs">
            {t('Read the docs')}
          </a>
        </div>
      </div>
      <div class="facts">
        {facts.map(([title, text]) => (
          <Card key={title} title={title}>
            <p class="quiet">{text}</p>
          </Card>
        ))}
      </div>
      <Card title={t('One request')}>
        <Code
          label={t('Ask for an ad')}
          text={`curl -s ${urls.base}/api/v1/ad \\\n  -H "Authorization: Bearer $SIDELIGHT_API_KEY" -H "Content-Type: application/json" \\\n  -d '{"sessionId":"s1","placements":[{"placement":"below_response","placement_id":"main"}],\n       "messages":[{"role":"user","content":"My flight got cancelled and I am stuck at the airport"}]}'`}
        />
      </Card>
    </>
  );
}
