export interface Message {
  role: 'user' | 'assistant' | 'system';
  content: string;
}

/** What chat frameworks keep: text, or a list of parts of which only text matters here. */
export interface ChatMessage {
  role: string;
  content?: unknown;
  parts?: unknown;
  text?: unknown;
}

export interface ContextOptions {
  /** How many of the latest messages to send; 10 unless told. */
  maxMessages?: number;
  /** Characters kept of each message; 2,000 unless told. */
  maxCharacters?: number;
  /** System prompts often hold private instructions: they stay home unless this is true. */
  includeSystem?: boolean;
}

const ROLES: Record<string, Message['role']> = {
  user: 'user',
  human: 'user',
  assistant: 'assistant',
  ai: 'assistant',
  model: 'assistant',
  bot: 'assistant',
  system: 'system',
  developer: 'system',
};

/**
 * The latest messages in the shape the network takes: plain text, known roles, bounded size.
 *
 * @example
 * prepareMessages([{ role: 'user', content: [{ type: 'text', text: 'Which tent for two?' }] }])
 * // [{ role: 'user', content: 'Which tent for two?' }]
 */
export function prepareMessages(
  messages: readonly ChatMessage[],
  options: ContextOptions = {},
): Message[] {
  const { maxMessages = 10, maxCharacters = 2000, includeSystem = false } = options;
  const usable: Message[] = [];
  for (let index = messages.length - 1; index >= 0 && usable.length < maxMessages; index -= 1) {
    const message = messages[index];
    const role = ROLES[String(message?.role).toLowerCase()];
    if (message === undefined || role === undefined || (role === 'system' && !includeSystem))
      continue;
    const content = shorten(
      textOf(message.content ?? message.parts ?? message.text).trim(),
      maxCharacters,
    );
    if (content !== '') usable.push({ role, content });
  }
  return usable.reverse();
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (Array.isArray(content))
    return content
      .map(textOf)
      .filter((text) => text !== '')
      .join('\n');
  if (typeof content !== 'object' || content === null) return '';
  if ('text' in content && typeof content.text === 'string') return content.text;
  return 'content' in content && typeof content.content === 'string' ? content.content : '';
}

/** Keeps both ends: people state the need first and the question last. */
function shorten(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const tail = Math.floor(limit / 3);
  return `${wellFormed(text.slice(0, limit - tail - 3))} … ${wellFormed(text.slice(text.length - tail))}`;
}

/** A cut may split a surrogate pair; half a character is not valid text. */
function wellFormed(text: string): string {
  return text.replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '');
}
