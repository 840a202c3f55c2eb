import type { Ad } from '../ad.js';
import type { AdLabels } from './ad-labels.js';
import { type ChoiceAction, type ChoicesView, loadChoices, makeChoice } from './choices-client.js';
import { createElement } from './create-element.js';

export interface ChoiceParts {
  /** Opens and closes the panel. */
  toggle: HTMLButtonElement;
  panel: HTMLElement;
}

/**
 * Why this ad, who paid, and what the person wants to do about it. Outside the links, so nothing
 * here is a click on the ad.
 */
export function choiceControls(
  doc: Document,
  ad: Ad,
  labels: AdLabels,
  onChoice: (action: ChoiceAction, made: boolean) => void,
): ChoiceParts | null {
  const { disclosure, choicesUrl } = ad;
  if (disclosure == null && choicesUrl == null) return null;
  const panel = createElement(doc, 'div', 'choices', '', { hidden: '' });
  const toggle = createElement(doc, 'button', 'about', 'ⓘ', {
    type: 'button',
    'aria-label': labels.about,
    'aria-expanded': 'false',
  });
  const buttons = createElement(doc, 'div', 'reasons');
  const status = createElement(doc, 'p', '', '', { role: 'status' });
  if (disclosure != null)
    panel.append(
      createElement(doc, 'p', '', `${disclosure.why} ${labels.paidBy} ${disclosure.paid_by}.`),
    );
  panel.append(buttons, status);
  if (choicesUrl != null && /^https?:\/\//i.test(choicesUrl))
    panel.append(
      createElement(doc, 'a', '', labels.kept, {
        href: choicesUrl,
        target: '_blank',
        rel: 'noopener noreferrer',
      }),
    );

  function show(view: ChoicesView | null): void {
    if (view === null) return;
    buttons.replaceChildren(
      ...view.choices.map(({ action, label, made }) => {
        const text = made ? `${label} ✓` : label;
        const button = createElement(doc, 'button', '', text, {
          type: 'button',
          'aria-pressed': String(made),
        });
        button.addEventListener('click', () => choose(action, made));
        return button;
      }),
    );
  }
  function choose(action: ChoiceAction, isMade: boolean): void {
    void makeChoice(ad, action, { undo: isMade }).then((view) => {
      show(view);
      status.textContent = view === null ? labels.failed : (view.words['saved'] ?? labels.sent);
      if (view !== null) onChoice(action, !isMade);
    });
  }
  let isLoaded = false;
  toggle.addEventListener('click', () => {
    panel.hidden = !panel.hidden;
    toggle.setAttribute('aria-expanded', String(!panel.hidden));
    if (isLoaded) return;
    isLoaded = true;
    void loadChoices(ad).then(show);
  });
  return { toggle, panel };
}
