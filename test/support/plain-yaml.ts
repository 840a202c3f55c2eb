/** What block YAML without anchors, tags and long texts comes to. */
export type Yaml = string | Yaml[] | { [name: string]: Yaml };

interface Line {
  indent: number;
  text: string;
}

/** Reads the YAML our own files are written in; everything else is refused. */
export function readPlainYaml(text: string): Yaml {
  const lines = text
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^ *#/.test(line))
    .map((line): Line => {
      if (line.includes('\t')) throw new Error(`a tab in ${line}`);
      return { indent: /^ */.exec(line)?.[0].length ?? 0, text: line.trim() };
    });
  const { value, next } = readBlock(lines, 0, lines[0]?.indent ?? 0);
  if (next < lines.length) throw new Error(`not expected: ${lines[next]?.text ?? ''}`);
  return value;
}

function readBlock(lines: Line[], at: number, indent: number): { value: Yaml; next: number } {
  return lines[at]?.text.startsWith('- ') === true
    ? readList(lines, at, indent)
    : readMap(lines, at, indent);
}

function readList(lines: Line[], from: number, indent: number): { value: Yaml[]; next: number } {
  const value: Yaml[] = [];
  let at = from;
  for (let line = lines[at]; line?.indent === indent && line.text.startsWith('- ');) {
    const item = line.text.slice(2);
    if (/^[\w./-]+:( |$)/.test(item)) {
      // The first member stands behind the dash, the others below it.
      lines[at] = { indent: indent + 2, text: item };
      const read = readMap(lines, at, indent + 2);
      value.push(read.value);
      at = read.next;
    } else {
      value.push(scalar(item));
      at += 1;
    }
    line = lines[at];
  }
  return { value, next: at };
}

function readMap(
  lines: Line[],
  from: number,
  indent: number,
): { value: { [name: string]: Yaml }; next: number } {
  const value: { [name: string]: Yaml } = {};
  let at = from;
  for (let line = lines[at]; line?.indent === indent; line = lines[at]) {
    const found = /^([\w./-]+):(?: (.*))?$/.exec(line.text);
    if (found === null) throw new Error(`not a name with a value: ${line.text}`);
    const name = found[1] ?? '';
    if (name in value) throw new Error(`${name} is there twice`);
    at += 1;
    const below = lines[at];
    if (found[2] !== undefined) value[name] = scalar(found[2]);
    else if (below !== undefined && below.indent > indent) {
      const read = readBlock(lines, at, below.indent);
      value[name] = read.value;
      at = read.next;
    } else value[name] = '';
  }
  return { value, next: at };
}

function scalar(text: string): Yaml {
  if (text === '{}') return {};
  if (text.startsWith('[') && text.endsWith(']'))
    return text
      .slice(1, -1)
      .split(',')
      .map((part) => scalar(part.trim()));
  if (text.startsWith('"')) return String(JSON.parse(text));
  if (text.startsWith("'")) return text.slice(1, -1).replaceAll("''", "'");
  if (/^[{[&*!|>%@`]/.test(text)) throw new Error(`not plain: ${text}`);
  return text;
}
