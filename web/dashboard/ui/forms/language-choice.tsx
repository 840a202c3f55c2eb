import type { JSX } from 'preact';
import { chooseLanguage, language, languages, t } from '../../core/language.js';
import { Choice } from './fields.js';

/** Kept in this browser, like the theme. */
export function LanguageChoice(): JSX.Element {
  return (
    <Choice
      label={t('Language of these pages')}
      value={language}
      options={languages}
      onChange={(next) => {
        const chosen = languages.find(([code]) => code === next);
        if (chosen !== undefined) chooseLanguage(chosen[0]);
      }}
    />
  );
}
