/** Reads the whole numbers of a database's `{1,-2,3}` into a list, without a substring per number; returns how many. */
export function readNumbers(text: string | null, to: number[]): number {
  let [count, value, sign, isOpen] = [0, 0, 1, false];
  for (let at = 0; text !== null && at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= 48 && code <= 57) {
      value = value * 10 + (code - 48);
      isOpen = true;
    } else if (code === 45) sign = -1;
    else if (isOpen) {
      to[count] = sign * value;
      count += 1;
      value = 0;
      sign = 1;
      isOpen = false;
    }
  }
  return count;
}
