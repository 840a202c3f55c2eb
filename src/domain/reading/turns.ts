export type ConversationMessage = { role: string; content: string };

/**
 * What is read of a conversation: the person's newest message, and the two before it, one of each
 * role. System prompts are somebody else's words.
 */
export type Turns = {
  newest: string;
  /** The message of the person before that. */
  previous: string | null;
  /** What the assistant said in between. */
  assistant: string | null;
};

/** Null when no person has said anything. */
export function turnsOf(messages: readonly ConversationMessage[]): Turns | null {
  const newest = lastOf(messages, 'user', messages.length);
  if (newest < 0) return null;
  const previous = lastOf(messages, 'user', newest);
  const assistant = lastOf(messages, 'assistant', newest);
  return {
    newest: messages[newest]!.content,
    previous: previous < 0 ? null : messages[previous]!.content,
    // An answer to something older is not what the newest message answers.
    assistant: assistant < 0 || assistant < previous ? null : messages[assistant]!.content,
  };
}

/** The conversation as it stood with the person's message before; null when there was none. */
export function earlierMessages(
  messages: readonly ConversationMessage[],
): readonly ConversationMessage[] | null {
  const newest = lastOf(messages, 'user', messages.length);
  const previous = lastOf(messages, 'user', newest);
  return previous < 0 ? null : messages.slice(0, previous + 1);
}

const separator = '\u001e';

/** One text a reader can tell apart again, and the name a reading is kept under. */
export function joinTurns({ newest, previous, assistant }: Turns): string {
  const [first, second, third] = [bothEnds(newest), opening(previous), opening(assistant)];
  return `${plain(first)}${separator}${plain(second)}${separator}${plain(third)}`;
}

/** Mostly there is nothing to replace. */
function plain(text: string): string {
  return (text.includes(separator) ? text.replaceAll(separator, ' ') : text).trim();
}

/** Newest, previous, assistant; an empty one was not there. */
export function splitTurns(joined: string): [string, string, string] {
  const [newest = '', previous = '', assistant = ''] = joined.split(separator);
  return [newest, previous, assistant];
}

// More than any model reads of a message; no more is kept of it either.
const longestOpening = 1200;
const longestEnding = 800;

function opening(text: string | null): string {
  return text === null ? '' : text.slice(0, longestOpening);
}

/** What a message asks for stands at its beginning or at its end. Cut between words. */
function bothEnds(text: string): string {
  if (text.length <= longestOpening + longestEnding) return text;
  const [head, tail] = [text.slice(0, longestOpening), text.slice(-longestEnding)];
  const lastSpace = head.lastIndexOf(' ');
  return `${lastSpace < 0 ? head : head.slice(0, lastSpace)} ${tail.slice(tail.indexOf(' ') + 1)}`;
}

function lastOf(messages: readonly ConversationMessage[], role: string, before: number): number {
  for (let at = before - 1; at >= 0; at--) {
    const message = messages[at]!;
    if (message.role === role && message.content.trim() !== '') return at;
  }
  return -1;
}
