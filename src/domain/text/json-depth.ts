/** Nothing callers send is nested deeper; code that walks a value may then do so by recursion. */
export const deepestJson = 100;

/** Whether a JSON text is nested deeper than that. One pass, before it is parsed. */
export function isTooDeep(text: string): boolean {
  if (!hasManyBrackets(text)) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case 0x22: // a string: to its closing quote
        at = endOfString(text, at);
        break;
      case 0x5b:
      case 0x7b:
        depth += 1;
        if (depth > deepestJson) return true;
        break;
      case 0x5d:
      case 0x7d:
        depth -= 1;
    }
  }
  return false;
}

/** Most texts have too few brackets to be deep, which is soon known. */
function hasManyBrackets(text: string): boolean {
  let left = deepestJson;
  for (const bracket of ['[', '{'])
    for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1)) {
      if (left === 0) return true;
      left -= 1;
    }
  return false;
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== 0x22)
    at += text.charCodeAt(at) === 0x5c ? 2 : 1;
  return at;
}
