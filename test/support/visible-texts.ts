import { parsers } from 'prettier/plugins/typescript';

/** A node of the syntax tree; what else it holds depends on its type. */
interface Node {
  readonly type: string;
  readonly range: readonly [number, number];
  readonly [key: string]: unknown;
}

export interface PageTexts {
  /** Texts named by `t` and `rich`. */
  readonly named: readonly string[];
  /** Words people would read that go round the messages, and calls without a plain text. */
  readonly loose: readonly string[];
}

/** Attributes and fields of our parts that people read. */
const read = new Set(
  'label title hint lead placeholder aria-label alt action empty more message what cell'.split(' '),
);
/** Attributes and fields that no person reads, whatever they look like. */
const unread = new Set(
  'class type href to id key role d viewBox rel target method style name value kind text of unit tone headers body aria-keyshortcuts dateStyle timeStyle notation currency timeZone'.split(
    ' ',
  ),
);
/** What these are given is no text: selectors, keys, paths. */
const ofPages = 'querySelector|querySelectorAll|closest|createElement|matchMedia|Event';
const ofListeners = 'addEventListener|removeEventListener|getItem|setItem|removeItem';
const ofTexts = 'split|join|replace|replaceAll|includes|startsWith|endsWith|localeCompare';
const ofLanguages = 'DateTimeFormat|NumberFormat|DisplayNames';
const ourOwn = 'call|callPage|useLoad|navigate|Error|t|rich';
const machines = new RegExp(
  `^(${[ofPages, ofListeners, ofTexts, ofLanguages, ourOwn].join('|')})$`,
);

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

function visit(node: Node, parents: Node[], seen: (node: Node, parents: Node[]) => void): void {
  seen(node, parents);
  parents.push(node);
  for (const [name, value] of Object.entries(node)) {
    if (name === 'parent' || name === 'tokens' || name === 'comments') continue;
    for (const child of Array.isArray(value) ? value : [value])
      if (isNode(child)) visit(child, parents, seen);
  }
  parents.pop();
}

const hasWords = (text: string): boolean => /\p{L}{2}/u.test(text);

/** Names of fields, addresses and the like: no token is a word of a language. */
function isCode(text: string): boolean {
  const trimmed = text.trim();
  if (!hasWords(trimmed) || trimmed === 'Sidelight' || trimmed === '· Sidelight') return true;
  return trimmed
    .split(/\s+/)
    .every(
      (token) =>
        /[_/@=<>{}\\#$]|\w[.:]\w/.test(token) ||
        /^[A-Z0-9_]+$/.test(token) ||
        /^[a-z]+[A-Z]/.test(token),
    );
}

function looksLikeProse(text: string): boolean {
  const trimmed = text.trim();
  if (isCode(trimmed)) return false;
  return /^[A-Z][a-z’]+([.…!?,:]|$)/.test(trimmed) || /^[\p{L}\d(“]+[,.:;]? \p{L}/u.test(trimmed);
}

/** Whether people read what stands here: certainly, certainly not, or if it looks like prose. */
function placeOf(node: Node, parents: readonly Node[]): 'read' | 'unread' | 'unsure' {
  let child = node;
  for (const parent of parents.toReversed()) {
    const verdict = judge(parent, child);
    if (verdict !== undefined) return verdict;
    child = parent;
  }
  return 'unsure';
}

function judge(parent: Node, child: Node): 'read' | 'unread' | 'unsure' | undefined {
  switch (parent.type) {
    case 'ConditionalExpression':
      return parent['test'] === child ? 'unread' : undefined;
    case 'LogicalExpression':
      return parent['operator'] === '&&' && parent['left'] === child ? 'unread' : undefined;
    case 'BinaryExpression':
      return parent['operator'] === '+' ? undefined : 'unread';
    case 'JSXElement':
    case 'JSXFragment':
      return 'read';
    case 'JSXAttribute':
    case 'Property':
      return ofField(parent, child);
    case 'CallExpression':
    case 'NewExpression':
      // What a list of texts is joined to stands where the call stands.
      if (parent['callee'] === child) return undefined;
      return machines.test(calledName(parent)) ? 'unread' : 'unsure';
    case 'ImportDeclaration':
    case 'ImportExpression':
    case 'TSLiteralType':
      return 'unread';
    case 'MemberExpression':
      return /^(filter|join)$/.test(String((parent['property'] as Node)['name'] ?? ''))
        ? undefined
        : 'unread';
    case 'TemplateLiteral':
    case 'JSXExpressionContainer':
    case 'ArrowFunctionExpression':
    case 'ReturnStatement':
    case 'ArrayExpression':
    case 'SequenceExpression':
    case 'TSAsExpression':
      return undefined;
    case 'SwitchCase':
      return parent['test'] === child ? 'unread' : 'unsure';
    default:
      return 'unsure';
  }
}

function ofField(parent: Node, child: Node): 'read' | 'unread' | 'unsure' {
  const key = (parent['key'] ?? parent['name']) as Node;
  if (key === child) return 'unread';
  const name = String(key['name'] ?? key['value'] ?? '');
  // What a button does is a word of the program, what it says one of its attributes.
  const isDoing = (name === 'action' || name === 'what') && parent.type === 'Property';
  return unread.has(name) || isDoing ? 'unread' : read.has(name) ? 'read' : 'unsure';
}

function calledName(call: Node): string {
  const callee = call['callee'] as Node;
  return String(((callee['property'] as Node | undefined) ?? callee)['name'] ?? '');
}

function wordsOf(node: Node): string | undefined {
  if (node.type === 'Literal' && typeof node['value'] === 'string') return node['value'];
  if (node.type === 'JSXText') return String(node['value']);
  if (node.type !== 'TemplateLiteral') return undefined;
  return (node['quasis'] as readonly { value: { cooked: string } }[])
    .map(({ value }) => value.cooked)
    .join(' ');
}

/** What a page of the dashboard says, and what of it the messages do not know. */
export function textsOf(source: string, file: string): PageTexts {
  const named: string[] = [];
  const loose: string[] = [];
  // The plug-in reads no other option than the name of the file.
  const tree = parsers.typescript.parse(source, { filepath: file } as never) as Node;
  visit(tree, [], (node, parents) => {
    if (node.type === 'CallExpression' && /^(t|rich)$/.test(calledName(node))) {
      const text = wordsOf((node['arguments'] as readonly Node[])[0] ?? node);
      if (text === undefined) loose.push(source.slice(...node.range));
      else named.push(text);
    }
    const words = wordsOf(node);
    if (words === undefined || isCode(words)) return;
    const isSample = parents.some(
      (parent) =>
        parent.type === 'JSXElement' &&
        ((parent['openingElement'] as Node)['name'] as Node)['name'] === 'code',
    );
    const place = placeOf(node, parents);
    if (!isSample && (place === 'read' || (place === 'unsure' && looksLikeProse(words))))
      loose.push(words.trim());
  });
  return { named, loose };
}
