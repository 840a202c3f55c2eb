import type { Ad, AdFeedback } from '../ad.js';
import type { AdLabels } from './ad-labels.js';
import { createElement } from './create-element.js';
import { postToPublisher, type Destination } from './post-to-publisher.js';

export interface FeedbackParts {
  /** The question with its two buttons, for the row at the foot of the ad. */
  controls: HTMLElement;
  /** Appears after a thumb down. */
  reasons: HTMLElement;
}

/**
 * Controls for an ad that asks for feedback. They sit outside the links, so using them is never a
 * click on the ad.
 */
export function feedbackControls(
  doc: Document,
  ad: Ad,
  sessionId: string,
  destination: Destination<AdFeedback>,
  labels: AdLabels,
): FeedbackParts | null {
  const prompt = ad.feedbackPrompt;
  if (prompt === undefined || prompt === null) return null;
  const controls = createElement(doc, 'div', 'feedback', '', {
    role: 'group',
    'aria-label': prompt.question,
  });
  const reasons = createElement(doc, 'div', 'reasons', '', { role: 'group', hidden: '' });

  function finish(sentiment: AdFeedback['sentiment'], chosen: string[]): void {
    reasons.hidden = true;
    controls.replaceChildren(createElement(doc, 'span', '', labels.thanks, { role: 'status' }));
    const message: AdFeedback = {
      sessionId,
      impUrl: ad.impUrl,
      sentiment,
      reasons: chosen,
      placement: ad.placement,
      placementId: ad.placement_id,
    };
    void postToPublisher(destination, 'feedback', message);
  }
  function button(parent: HTMLElement, text: string, label: string, onPress: () => void): void {
    const element = createElement(doc, 'button', '', text, { type: 'button', 'aria-label': label });
    element.addEventListener('click', onPress);
    parent.append(element);
  }

  controls.append(createElement(doc, 'span', 'question', prompt.question));
  button(controls, '👍', labels.helpful, () => finish('thumbs_up', []));
  button(controls, '👎', labels.notHelpful, () => {
    const choices = Array.isArray(prompt.reasons) ? prompt.reasons : [];
    if (choices.length === 0) return finish('thumbs_down', []);
    reasons.hidden = false;
    reasons.replaceChildren();
    for (const reason of choices)
      button(reasons, reason.replaceAll('_', ' '), reason.replaceAll('_', ' '), () =>
        finish('thumbs_down', [reason]),
      );
    button(reasons, labels.skip, labels.skip, () => finish('thumbs_down', []));
    return undefined;
  });
  return { controls, reasons };
}
