// An expression anchored at the end of a text is tried at every place of it, and a run of the signs
// it looks for costs the square of its length. Walking back from the end costs what is taken away.

/** The text without the signs at its end. `sign` matches one character. */
export function trimEndSigns(text: string, sign: RegExp): string {
  let end = text.length;
  while (end > 0 && sign.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** The same at both ends. */
export function trimSigns(text: string, sign: RegExp): string {
  let start = 0;
  while (start < text.length && sign.test(text.charAt(start))) start += 1;
  return trimEndSigns(text.slice(start), sign);
}
