export type ConversationMessage = { role: string; content: string };

/**
 * What people wrote, newest first. An assistant's words tell what it said, not what anyone needs.
 */
export function userTexts(messages: readonly ConversationMessage[], most: number): string[] {
  const texts: string[] = [];
  for (let at = messages.length - 1; at >= 0 && texts.length < most; at--) {
    const { role, content } = messages[at]!;
    if (role === 'user' && content.trim() !== '') texts.push(content);
  }
  return texts;
}

const longestText = 600;

/**
 * A long message in fewer words: how it opens and how it ends, where the question usually is. Keeps
 * the cost of a decision bounded.
 */
export function shorten(text: string): string {
  const tidy =
    text.slice(0, 4 * longestText) === text
      ? text
      : `${text.slice(0, 2 * longestText)} ${text.slice(-2 * longestText)}`;
  const words = tidy.replace(/\s+/g, ' ').trim();
  if (words.length <= longestText / 2) return words;
  const opening = words.slice(0, longestText / 4).replace(/\s\S*$/, '');
  const ending = words.slice(-longestText / 4).replace(/^\S*\s/, '');
  return `${opening} ${ending}`;
}
