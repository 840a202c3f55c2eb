import { t } from '../core/language.js';
import { element } from './element.js';

/** A button on every sample. */
export function addCopyButtons(within: ParentNode): void {
  for (const sample of within.querySelectorAll('pre')) {
    const button = element('button', { type: 'button', class: 'button small' }, t('Copy'));
    button.addEventListener('click', () => {
      void navigator.clipboard?.writeText(sample.textContent ?? '').then(() => {
        button.textContent = t('Copied');
        setTimeout(() => (button.textContent = t('Copy')), 1500);
      });
    });
    const box = element('div', { class: 'sample' });
    sample.replaceWith(box);
    box.append(sample, button);
  }
}
