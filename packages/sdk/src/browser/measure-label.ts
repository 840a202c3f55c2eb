import type { ViewableBody } from '../generated/service.js';
import { LABEL_MARK } from './label-text.js';

/** How the label is drawn right now; the network judges whether people could read it. */
export type LabelProof = NonNullable<ViewableBody['label']>;

type Color = readonly [red: number, green: number, blue: number, alpha: number];

/**
 * The label of an ad, measured: its size, its contrast with what lies behind it, how transparent
 * everything around it is, and what part of it is in view with nothing on top. Null where there is
 * no label, or nothing to measure with.
 */
export function measureLabel(ad: Element): LabelProof | null {
  const label =
    ad.querySelector(`[${LABEL_MARK}]`) ?? ad.shadowRoot?.querySelector(`[${LABEL_MARK}]`) ?? null;
  const win = label?.ownerDocument.defaultView ?? null;
  if (label === null || win === null || typeof win.getComputedStyle !== 'function') return null;
  const box = label.getBoundingClientRect();
  const style = win.getComputedStyle(label);
  const isShown = style.visibility === 'visible' && style.display !== 'none';
  const { opacity, background } = surroundings(label, win);
  const scale = label instanceof win.HTMLElement ? box.height / (label.offsetHeight || 1) : 1;
  return {
    text: (label.textContent ?? '').trim().slice(0, 200),
    width: round(box.width),
    height: round(box.height),
    fontSize: round(Number.parseFloat(style.fontSize) * Math.min(1, scale) || 0),
    contrast: round(contrastOf(colorOf(style.webkitTextFillColor || style.color, win), background)),
    opacity: isShown ? round(opacity) : 0,
    uncovered: isShown && !isVeiled(label, box, win) ? uncovered(label, box, win) : 0,
  };
}

/** Looks at a grid of points: what is on top there must be the label itself. */
function uncovered(label: Element, box: DOMRect, win: Window): number {
  if (typeof label.ownerDocument.elementFromPoint !== 'function') return 0;
  let seen = 0;
  let points = 0;
  for (const across of [0.05, 0.25, 0.5, 0.75, 0.95]) {
    for (const down of [0.15, 0.5, 0.85]) {
      points += 1;
      const x = box.left + box.width * across;
      const y = box.top + box.height * down;
      if (x < 0 || y < 0 || x >= win.innerWidth || y >= win.innerHeight) continue;
      const top = elementAt(label, x, y);
      if (top !== null && (top === label || label.contains(top))) seen += 1;
    }
  }
  return round(seen / points);
}

/**
 * Whether something lies over the label that the pointer goes through, and that points therefore do
 * not find: only what is lifted out of the flow and paints something can.
 */
function isVeiled(label: Element, box: DOMRect, win: Window): boolean {
  const root = label.getRootNode();
  const host = 'host' in root ? (root as ShadowRoot).host : label;
  for (const element of label.ownerDocument.querySelectorAll('body *')) {
    const other = element.getBoundingClientRect();
    const isApart =
      other.right <= box.left ||
      other.left >= box.right ||
      other.bottom <= box.top ||
      other.top >= box.bottom;
    if (isApart || element.contains(host) || host.contains(element)) continue;
    const style = win.getComputedStyle(element);
    if (style.pointerEvents !== 'none' || style.position === 'static') continue;
    const [, , , alpha] = colorOf(style.backgroundColor, win);
    const paints = alpha > 0.4 || style.backgroundImage !== 'none' || 'src' in element;
    if (paints && style.visibility === 'visible' && Number.parseFloat(style.opacity) > 0.4)
      return true;
  }
  return false;
}

/** The topmost element of the tree the label is in. */
function elementAt(label: Element, x: number, y: number): Element | null {
  // Every document must let the point through to the tree below it.
  let top = label.ownerDocument.elementFromPoint(x, y);
  while (top?.shadowRoot != null && !label.contains(top)) {
    const inner = top.shadowRoot.elementFromPoint(x, y);
    if (inner === null || inner === top) break;
    top = inner;
  }
  return top;
}

/** From the label outwards, out of shadow trees too: how transparent, and what colour behind. */
function surroundings(label: Element, win: Window): { opacity: number; background: Color } {
  let opacity = 1;
  const layers: Color[] = [];
  let element: Element | null = label;
  while (element !== null) {
    const style = win.getComputedStyle(element);
    opacity *= (Number.parseFloat(style.opacity) || 0) * filtered(style);
    // A picture may be of any colour: nothing is known about what lies behind the text.
    if (style.backgroundImage !== 'none' && style.backgroundImage !== '' && !isOpaque(layers))
      return { opacity, background: colorOf(style.color, win) };
    if (!isOpaque(layers)) layers.push(colorOf(style.backgroundColor, win));
    const root: Node = element.getRootNode();
    element = element.parentElement ?? ('host' in root ? (root as ShadowRoot).host : null);
  }
  let background = canvasColor(label, win);
  for (const layer of layers.reverse()) background = over(layer, background);
  return { opacity, background };
}

/** What filters and masks leave of an element. */
function filtered({ filter, maskImage }: CSSStyleDeclaration): number {
  if ((maskImage !== 'none' && maskImage) || filter?.includes('blur(')) return 0;
  const share = /\bopacity\(([\d.]{1,9})\)/.exec(filter ?? '')?.[1];
  return share === undefined ? 1 : Number.parseFloat(share);
}

function isOpaque(layers: readonly Color[]): boolean {
  return layers.some(([, , , alpha]) => alpha >= 1);
}

/** What a page without a background is painted on. */
function canvasColor(label: Element, win: Window): Color {
  const scheme = win.getComputedStyle(label.ownerDocument.documentElement).colorScheme ?? '';
  const prefersDark =
    typeof win.matchMedia === 'function' && win.matchMedia('(prefers-color-scheme: dark)').matches;
  const isDark = scheme.includes('dark') && (prefersDark || !scheme.includes('light'));
  return isDark ? [18, 18, 18, 1] : [255, 255, 255, 1];
}

function over(top: Color, below: Color): Color {
  const alpha = top[3];
  const mix = (at: 0 | 1 | 2): number => top[at] * alpha + below[at] * (1 - alpha);
  return [mix(0), mix(1), mix(2), 1];
}

/** `rgb(…)` as browsers compute it; anything newer is painted on a canvas and read back. */
function colorOf(text: string, win: Window): Color {
  const isRgb = text.startsWith('rgb');
  const numbers = (isRgb ? text : painted(text, win)).match(/[\d.]+/g) ?? [];
  const [red = 0, green = 0, blue = 0, alpha = numbers.length === 0 ? 0 : 1] = numbers.map(Number);
  return [red, green, blue, alpha];
}

function painted(text: string, win: Window): string {
  const context = win.document.createElement('canvas').getContext?.('2d') ?? null;
  if (context === null) return '';
  context.fillStyle = text;
  context.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0, alpha = 0] = context.getImageData(0, 0, 1, 1).data;
  return `rgba(${red}, ${green}, ${blue}, ${alpha / 255})`;
}

/** Between two colours, by the measure accessibility guidelines use: 1 to 21. */
function contrastOf(text: Color, background: Color): number {
  const [high = 0, low = 0] = [luminance(over(text, background)), luminance(background)].sort(
    (a, b) => b - a,
  );
  return (high + 0.05) / (low + 0.05);
}

function luminance([red, green, blue]: Color): number {
  const linear = (channel: number): number => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function round(value: number): number {
  return Number.isFinite(value) ? Math.round(value * 100) / 100 : 0;
}
