// How lists in `catalog/` are written: words apart by white space, or lines of "name: these,
// those". "#" begins a remark.

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.replace(/#.*/, '').trim())
    .filter((line) => line !== '');
}

export function wordsOf(text: string): string[] {
  return linesOf(text).flatMap((line) => line.split(/\s+/));
}

export function pairsOf(text: string): [name: string, those: string[]][] {
  return linesOf(text).map((line) => {
    const at = line.lastIndexOf(': ');
    return [
      line.slice(0, at).trim(),
      line
        .slice(at + 1)
        .split(',')
        .map((each) => each.trim()),
    ];
  });
}
