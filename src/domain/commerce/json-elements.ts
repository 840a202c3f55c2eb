/** Where the products of a JSON text are: one a line, or side by side in something open. */
export type JsonShape = 'lines' | JsonList;

interface JsonList {
  /** How many brackets are open around each product. */
  depth: number;
  /** Where in the text these begin. */
  from: number;
}

/** What sources call the list of their products. */
const listNames = new Set(
  `products items data entries entry results listings records rows offers product item catalog`.split(
    ' ',
  ),
);
/** Whoever has one of these is a product, and its lists are its own. */
const productNames = new Set(['title', 'item_title', 'price', 'variants', 'image_link']);

/** From its first kilobytes. */
export function shapeOfJson(start: string): JsonShape {
  const sign = start.replace(/^\ufeff/, '').trimStart()[0];
  if (sign === '[') return { depth: 1, from: 0 };
  const [first = '', ...others] = start.replace(/^\ufeff/, '').split('\n');
  const next = others.find((line) => line.trim() !== '');
  if (next?.startsWith('{') === true && isJson(first)) return 'lines';
  const list = findList(start);
  if (list !== null) return list;
  // A bracket or a comma at the end of the line: one object over many of them.
  return /[{[,]$/.test(first.trimEnd()) ? { depth: 0, from: 0 } : 'lines';
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The first list of objects with a name that says products, inside nothing but objects. */
function findList(text: string): JsonList | null {
  const walk = new JsonWalk();
  const products = new Set<number>();
  let lists = 0;
  let [name, opened] = ['', 0];
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at);
    const wasText = walk.isText;
    walk.step(sign);
    if (walk.isText && !wasText) opened = at + 1;
    else if (wasText && !walk.isText) name = text.slice(opened, at).toLowerCase();
    else if (walk.isText) continue;
    else if (sign === ':' && productNames.has(name)) products.add(walk.depth);
    else if (sign === '[') {
      const holder = walk.depth - 1;
      const isNamed = lists === 0 && listNames.has(name) && !products.has(holder);
      if (isNamed && /^\s*(?:[{\]]|$)/.test(text.slice(at + 1, at + 200)))
        return { depth: walk.depth, from: at };
      lists += 1;
    } else if (sign === ']') lists -= 1;
    else if (sign === '}') products.delete(walk.depth + 1);
  }
  return null;
}

/** How many brackets are open, those in texts left out. */
class JsonWalk {
  depth = 0;
  isText = false;
  #isEscaped = false;

  step(sign: string): void {
    if (this.isText) {
      this.isText = this.#isEscaped || sign !== '"';
      this.#isEscaped = sign === '\\' && !this.#isEscaped;
    } else if (sign === '"') this.isText = true;
    else if (sign === '[' || sign === '{') this.depth += 1;
    else if (sign === ']' || sign === '}') this.depth -= 1;
  }
}

/** The objects of a list, each as it is written: a list may be larger than memory. */
export class JsonElements {
  readonly #list: JsonList;
  readonly #walk = new JsonWalk();
  #read = 0;
  #element = '';
  #isOver = false;
  #hasBegun = false;

  constructor(list: JsonList) {
    this.#list = list;
  }

  /** Whether everything that was opened is closed. */
  get isDone(): boolean {
    return this.#hasBegun && this.#walk.depth === 0;
  }

  /** How much of an object is waiting for its end. */
  get waiting(): number {
    return this.#element.length;
  }

  *read(part: string): Generator<string> {
    const { depth, from } = this.#list;
    const walk = this.#walk;
    let begin = 0;
    for (let at = 0; at < part.length; at += 1) {
      const before = walk.depth;
      walk.step(part.charAt(at));
      if (walk.depth === before) continue;
      this.#hasBegun = true;
      if (this.#isOver || this.#read + at < from) continue;
      if (walk.depth < depth) this.#isOver = true;
      else if (walk.depth === depth + 1 && before === depth) begin = at;
      else if (walk.depth === depth && before === depth + 1) {
        yield this.#element + part.slice(begin, at + 1);
        this.#element = '';
      }
    }
    if (!this.#isOver && this.#read + part.length > from && walk.depth > depth)
      this.#element += part.slice(begin);
    this.#read += part.length;
  }
}
