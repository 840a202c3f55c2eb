'use client';
import {
  postToPublisher,
  type Ad,
  type AdFeedback,
  type AdLabels,
  type Destination,
  type FeedbackPrompt,
} from '@sidelight/sdk/browser';
import { useState, type ReactElement } from 'react';

interface FeedbackProps {
  ad: Ad;
  prompt: FeedbackPrompt;
  sessionId: string;
  destination: Destination<AdFeedback>;
  labels: AdLabels;
}

/** Asks about the ad. Outside its links, so answering is never a click on it. */
export function FeedbackControls({
  ad,
  prompt,
  sessionId,
  destination,
  labels,
}: FeedbackProps): ReactElement {
  const [step, setStep] = useState<'asking' | 'reasons' | 'done'>('asking');
  const finish = (sentiment: AdFeedback['sentiment'], reasons: string[]): void => {
    setStep('done');
    void postToPublisher(destination, 'feedback', {
      sessionId,
      impUrl: ad.impUrl,
      sentiment,
      reasons,
      placement: ad.placement,
      placementId: ad.placement_id,
    });
  };
  if (step === 'done')
    return (
      <span data-sl="feedback" role="status">
        {labels.thanks}
      </span>
    );
  if (step === 'reasons') {
    return (
      <div data-sl="reasons" role="group" aria-label={labels.notHelpful}>
        {prompt.reasons.map((reason) => (
          <button key={reason} type="button" onClick={() => finish('thumbs_down', [reason])}>
            {reason.replaceAll('_', ' ')}
          </button>
        ))}
        <button type="button" onClick={() => finish('thumbs_down', [])}>
          {labels.skip}
        </button>
      </div>
    );
  }
  const onDown = (): void =>
    Array.isArray(prompt.reasons) && prompt.reasons.length > 0
      ? setStep('reasons')
      : finish('thumbs_down', []);
  return (
    <div data-sl="feedback" role="group" aria-label={prompt.question}>
      <span data-sl="question">{prompt.question}</span>
      <button type="button" aria-label={labels.helpful} onClick={() => finish('thumbs_up', [])}>
        👍
      </button>
      <button type="button" aria-label={labels.notHelpful} onClick={onDown}>
        👎
      </button>
    </div>
  );
}
