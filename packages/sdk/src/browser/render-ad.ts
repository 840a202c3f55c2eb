import type { Ad, AdFeedback, LeadSubmission } from '../ad.js';
import { englishLabels, type AdLabels } from './ad-labels.js';
import { adStyles, adoptStyles } from './ad-styles.js';
import { choiceControls } from './choice-controls.js';
import type { ChoiceAction } from './choices-client.js';
import { createElement, createPicture } from './create-element.js';
import { feedbackControls } from './feedback-controls.js';
import { leadForm } from './lead-form.js';
import { LABEL_MARK, labelGuardStyles, labelText } from './label-text.js';
import { observeAd, quietly, type ObserveOptions } from './observe-ad.js';
import type { Destination } from './post-to-publisher.js';

export interface SlotOptions {
  /** For browsers without constructed style sheets under a strict policy. */
  nonce?: string;
  /**
   * Styles instead of the default ones; see the class names in the rendered markup. The label stays
   * whatever they say.
   */
  styles?: string;
}

export interface RenderOptions extends SlotOptions, ObserveOptions<Ad> {
  /** The session the ad was requested for; feedback and leads need it. */
  sessionId?: string;
  onClick?: (ad: Ad, event: MouseEvent) => void;
  /** Takes feedback; without it no controls are shown. */
  feedback?: Destination<AdFeedback>;
  /** Takes form answers; without it no form is shown. */
  lead?: Destination<LeadSubmission>;
  labels?: Partial<AdLabels>;
  /** Told what the person decided about the ad; take it away when they hide it. */
  onChoice?: (ad: Ad, action: ChoiceAction, made: boolean) => void;
}

export interface RenderedAd {
  /** The element put into yours. */
  readonly element: HTMLElement;
  viewableMs(): number;
  /** Takes the ad away and reports the time it was in view. */
  destroy(): void;
}

const HOST = 'data-sidelight-slot';

/**
 * Keeps the height of an ad free, so that nothing moves when it arrives. `renderAd` fills the same
 * space.
 *
 * @example
 * reserveSpace(document.querySelector('#below-answer'));
 */
export function reserveSpace(target: Element | ShadowRoot, options: SlotOptions = {}): HTMLElement {
  const known = Array.from(target.children).find(
    (child): child is HTMLElement => child.hasAttribute(HOST) && child.shadowRoot !== null,
  );
  if (known !== undefined) return known;
  const host = createElement(target.ownerDocument, 'div', '', '', { [HOST]: '' });
  adoptStyles(
    host.attachShadow({ mode: 'open' }),
    `${options.styles ?? adStyles}\n${labelGuardStyles}`,
    options.nonce,
  );
  target.append(host);
  return host;
}

/**
 * Shows an ad in any element, also inside shadow trees; nothing where there is none. The ad lives in its own shadow root: your
 * styles cannot break its
 * label and its styles cannot reach your page.
 *
 * @example
 * const shown = renderAd(element, ad, { sessionId, feedback: '/api/sidelight', onClick: () =>
 * log('click') });
 */
export function renderAd(
  target: Element | ShadowRoot,
  ad: Ad | null | undefined,
  options: RenderOptions = {},
): RenderedAd {
  const doc = target.ownerDocument;
  const host = reserveSpace(target, options);
  const root = host.shadowRoot;
  // reserveSpace returns only hosts with one
  if (root === null) throw new Error('the slot has no shadow root');
  for (const child of Array.from(root.children)) if (child.tagName !== 'STYLE') child.remove();
  // Often there is no ad: what was kept free for one goes back to the page.
  if (!ad) {
    host.remove();
    return { element: host, viewableMs: () => 0, destroy: () => undefined };
  }
  root.append(adElement(doc, ad, options));
  const observation = observeAd(host, ad, options);
  return {
    element: host,
    viewableMs: () => observation.viewableMs(),
    destroy() {
      observation.stop();
      host.remove();
    },
  };
}

function adElement(doc: Document, ad: Ad, options: RenderOptions): HTMLElement {
  const labels: AdLabels = { ...englishLabels, ...options.labels };
  const sessionId = options.sessionId ?? '';
  const label = labelText(ad, options.labels);
  const box = createElement(doc, 'aside', 'ad', '', {
    'aria-label': `${label}: ${ad.brandName}`,
  });

  const head = createElement(doc, 'div', 'head');
  head.append(createElement(doc, 'span', 'label', label, labelAttributes(ad)));
  const icon = createPicture(doc, ad.favicon, 'icon', 16);
  if (icon !== null) head.append(icon);
  head.append(createElement(doc, 'span', 'brand', ad.brandName));

  const choices = choiceControls(doc, ad, labels, (action, made) =>
    quietly(() => options.onChoice?.(ad, action, made)),
  );
  if (choices !== null) head.append(choices.toggle);
  const main = link(doc, ad, 'main', options);
  const picture = createPicture(doc, ad.image, 'picture', 64);
  if (picture !== null) main.append(picture);
  const words = createElement(doc, 'span', 'words');
  words.append(
    createElement(doc, 'span', 'title', ad.title),
    createElement(doc, 'span', 'text', ad.adText),
  );
  main.append(words);

  const row = createElement(doc, 'div', 'row');
  const cta = link(doc, ad, 'cta', options);
  cta.textContent = ad.cta;
  row.append(cta);
  box.append(head, main, row, ...(choices === null ? [] : [choices.panel]));

  const lead =
    options.lead === undefined ? null : leadForm(doc, ad, sessionId, options.lead, labels);
  if (lead !== null) row.append(lead.toggle);
  const feedback =
    options.feedback === undefined
      ? null
      : feedbackControls(doc, ad, sessionId, options.feedback, labels);
  if (feedback !== null) row.append(feedback.controls);
  box.append(
    ...(feedback === null ? [] : [feedback.reasons]),
    ...(lead === null ? [] : [lead.form]),
  );
  return box;
}

/** Pointing at the label tells why, and who paid. */
function labelAttributes({ disclosure }: Ad): Record<string, string> {
  const mark = { [LABEL_MARK]: '' };
  return disclosure === undefined || disclosure === null
    ? mark
    : { ...mark, title: `${disclosure.why} ${disclosure.paid_by}` };
}

function link(doc: Document, ad: Ad, className: string, options: RenderOptions): HTMLAnchorElement {
  const href = /^https?:\/\//i.test(ad.clickUrl) ? { href: ad.clickUrl } : undefined;
  const anchor = createElement(doc, 'a', className, '', {
    ...href,
    target: '_blank',
    rel: 'sponsored noopener',
  });
  const onPress = (event: MouseEvent): void => {
    if (event.button <= 1) quietly(() => options.onClick?.(ad, event));
  };
  anchor.addEventListener('click', onPress);
  anchor.addEventListener('auxclick', onPress);
  return anchor;
}
