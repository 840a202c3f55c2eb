export type Theme = 'system' | 'light' | 'dark';

const key = 'theme';

export function chosenTheme(): Theme {
  const kept = localStorage.getItem(key);
  return kept === 'light' || kept === 'dark' ? kept : 'system';
}

/** Every colour of the styles is given for both schemes; the root says which one holds. */
export function applyTheme(theme: Theme): void {
  document.documentElement.style.colorScheme = theme === 'system' ? '' : theme;
  if (theme === 'system') localStorage.removeItem(key);
  else localStorage.setItem(key, theme);
}
