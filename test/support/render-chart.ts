import type { Yaml } from './plain-yaml.js';

interface Scope {
  Values: Yaml;
  Release: { Name: string };
  variables: Record<string, string>;
}

/**
 * Renders a template of our chart as Helm would: what it is written with, and nothing else. An
 * expression that is not known fails.
 */
export function renderTemplate(template: string, values: Yaml, release: string): string {
  const scope: Scope = { Values: values, Release: { Name: release }, variables: {} };
  return renderLines(template.split('\n'), scope).join('\n');
}

function renderLines(lines: readonly string[], scope: Scope): string[] {
  const out: string[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const block = /^ *\{\{- (if|range) (.*) \}\}$/.exec(line);
    if (block === null) {
      out.push(...renderLine(line, scope));
      continue;
    }
    const end = endOf(lines, at);
    out.push(...renderBlock(block[1] ?? '', block[2] ?? '', lines.slice(at + 1, end), scope));
    at = end;
  }
  return out;
}

function endOf(lines: readonly string[], from: number): number {
  let open = 0;
  for (let at = from; at < lines.length; at += 1) {
    if (/\{\{- (?:if|range) /.test(lines[at] ?? '')) open += 1;
    if (/\{\{- end \}\}/.test(lines[at] ?? '') && (open -= 1) === 0) return at;
  }
  throw new Error(`no end for ${lines[from] ?? ''}`);
}

function renderBlock(kind: string, about: string, lines: string[], scope: Scope): string[] {
  if (kind === 'if') return valueOf(about, scope) === '' ? [] : renderLines(lines, scope);
  const named = /^\$(\w+), \$(\w+) := (\S+)$/.exec(about);
  if (named === null) throw new Error(`not a range we know: ${about}`);
  const [, name = '', value = '', path = ''] = named;
  // Helm goes through a map in the order of its names.
  return Object.entries(valueOf(path, scope))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([key, one]) =>
      renderLines(lines, { ...scope, variables: { [name]: key, [value]: String(one) } }),
    );
}

function renderLine(line: string, scope: Scope): string[] {
  const asYaml = /^ *\{\{- toYaml (\S+) \| nindent (\d+) \}\}$/.exec(line);
  if (asYaml !== null)
    return yamlLines(valueOf(asYaml[1] ?? '', scope), ' '.repeat(Number(asYaml[2])));
  return [line.replace(/\{\{ (.*?) \}\}/g, (_, expression: string) => inline(expression, scope))];
}

function inline(expression: string, scope: Scope): string {
  const [head = '', filter, ...more] = expression.split(' | ');
  const printed = /^printf "%s:%s" (\S+) (\S+)$/.exec(head);
  const text =
    printed === null
      ? String(valueOf(head, scope))
      : `${String(valueOf(printed[1] ?? '', scope))}:${String(valueOf(printed[2] ?? '', scope))}`;
  if (more.length > 0 || (filter !== undefined && filter !== 'quote'))
    throw new Error(`not a filter we know: ${expression}`);
  return filter === 'quote' ? JSON.stringify(text) : text;
}

function valueOf(path: string, scope: Scope): Yaml {
  if (path.startsWith('$')) {
    const value = scope.variables[path.slice(1)];
    if (value === undefined) throw new Error(`there is no ${path}`);
    return value;
  }
  if (!/^\.(?:Values|Release)\./.test(path)) throw new Error(`not an expression we know: ${path}`);
  let found: Yaml = { Values: scope.Values, Release: scope.Release };
  for (const name of path.slice(1).split('.')) {
    const next: Yaml | undefined =
      typeof found === 'object' && !Array.isArray(found) ? found[name] : undefined;
    if (next === undefined) throw new Error(`there is no ${path}`);
    found = next;
  }
  return found;
}

function yamlLines(value: Yaml, indent: string): string[] {
  if (typeof value === 'string' || Array.isArray(value)) throw new Error('only maps are written');
  return Object.entries(value).flatMap(([name, one]) =>
    typeof one === 'string'
      ? [`${indent}${name}: ${JSON.stringify(one)}`]
      : [`${indent}${name}:`, ...yamlLines(one, `${indent}  `)],
  );
}
