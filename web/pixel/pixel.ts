// The advertiser's pixel: one file, no imports, under 4 KB gzipped. It must never throw into the
// page it runs on, needs only script-src and connect-src for its own host, and stores nothing
// before consent or under an opt-out signal.
export {};

type Data = Record<string, unknown>;
type Command = ArrayLike<unknown>;
type PixelEvent = {
  event_type: string;
  event_id: string;
  url: string;
  timestamp: number;
  click_id?: string;
  properties?: Data;
};
type Gravity = { (...command: unknown[]): void; q?: Command[] };
type PixelWindow = Window & {
  gravity?: Gravity;
  gravityPixel?: { getCAPIData(): unknown; getSessionId(): string | null };
};

const w: PixelWindow = window;
const d = document;
const n: Navigator & {
  globalPrivacyControl?: boolean;
  msDoNotTrack?: string;
  connection?: { effectiveType?: string };
} = navigator;
const DAY = 864e5;
const IDLE = 18e5;
// A tag manager inserts scripts so that currentScript is null: look for the element by its file
// name then.
const script = (d.currentScript ||
  d.querySelector(
    'script[src*="/pixel.js"],script[src*="/gr-pix.js"]',
  )) as HTMLScriptElement | null; // only script elements match
const attribute = (name: string) => (script && script.getAttribute('data-' + name)) || '';
const host = (
  attribute('host') ||
  (script && script.src ? new URL(script.src, location.href).origin : location.origin)
).replace(/\/+$/, '');

const memory: Record<string, string> = {};
let consent = attribute('consent') || 'granted';
let pixelId = '';
let queue: PixelEvent[] = [];
let timer: number | undefined;
let lastPage = '';
let regs: unknown;
let auto = true;
// Taken at once: single-page routers may rewrite the address before consent arrives.
const landed = (new URLSearchParams(location.search).get('grclid') || '').slice(0, 200);

const attempt = <T>(work: () => T): T | undefined => {
  try {
    return work();
  } catch {
    return undefined; // blocked storage, blocked network, odd documents: the page must not notice
  }
};
const text = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? '' + value : '';
const signalled = () =>
  n.globalPrivacyControl === true ||
  [n.doNotTrack, n.msDoNotTrack].some((v) => v === '1' || v === 'yes');
const refused = () => signalled() || consent === 'denied' || read('gr_optout') !== null;
const allowed = () => !refused() && consent === 'granted';
const uuid = () =>
  attempt(() => crypto.randomUUID()) ||
  'xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx'.replace(/x/g, () =>
    ((Math.random() * 16) | 0).toString(16),
  );

// The widest domain the browser lets this page set: shop. and www. share the click, nobody else
// sees it.
function cookie(name: string, value: string, age: number) {
  const parts = location.hostname.split('.');
  const tail =
    '=' +
    encodeURIComponent(value) +
    ';path=/;max-age=' +
    Math.round(age / 1e3) +
    ';SameSite=Lax' +
    (location.protocol === 'https:' ? ';Secure' : '');
  for (let i = parts.length - 2; i >= 0; i--) {
    d.cookie = name + tail + ';domain=' + parts.slice(i).join('.');
    if (age > 0 && d.cookie.indexOf(name + '=') >= 0) return;
  }
  d.cookie = name + tail;
}
function write(name: string, value: string, age: number) {
  memory[name] = value;
  attempt(() => cookie(name, value, age));
  attempt(() => localStorage.setItem(name, Date.now() + age + '|' + value));
}
function read(name: string): string | null {
  const found = attempt(() => new RegExp('(?:^|; )' + name + '=([^;]*)').exec(d.cookie));
  if (found && found[1]) return decodeURIComponent(found[1]);
  const kept = attempt(() => localStorage.getItem(name));
  if (kept) {
    const cut = kept.indexOf('|');
    if (+kept.slice(0, cut) > Date.now()) return kept.slice(cut + 1);
    attempt(() => localStorage.removeItem(name));
    return null;
  }
  return memory[name] || null;
}
function forget() {
  ['gr_click', 'gr_visitor', 'gr_session'].forEach((name) => {
    delete memory[name];
    attempt(() => cookie(name, '', 0));
    attempt(() => localStorage.removeItem(name));
  });
}

const serveId = () => read('gr_click');
function visitorId() {
  const id = read('gr_visitor') || 'gr_vis_' + uuid();
  write('gr_visitor', id, 30 * DAY);
  return id;
}
// Kept as id|start: ends after 30 idle minutes (its storage age) or a day, whichever is first.
function sessionId(): string {
  const kept = (read('gr_session') || '').split('|');
  const now = Date.now();
  if (kept[0] && now - Number(kept[1]) < DAY) {
    write('gr_session', kept.join('|'), IDLE);
    return kept[0];
  }
  const id = 'gr_sess_' + uuid();
  write('gr_session', id + '|' + now, IDLE);
  if (pixelId) {
    send(
      '/track/gr-session',
      { pixel_id: pixelId, visitor_id: visitorId(), session_id: id },
      (answer) => {
        const given = attempt(() => JSON.parse(answer).session_id);
        if (typeof given === 'string' && given && allowed())
          write('gr_session', given + '|' + now, IDLE);
      },
    );
  }
  return id;
}

// Plain text keeps the request "simple": no preflight, which an unloading page would not survive.
function send(
  path: string,
  body: unknown,
  done?: (answer: string) => void,
  failed?: (status: number) => void,
) {
  const lost = () => failed && failed(0);
  const begun = attempt(() =>
    fetch(host + path, {
      method: 'POST',
      body: JSON.stringify(body),
      keepalive: true,
      credentials: 'omit',
      headers: { 'Content-Type': 'text/plain;charset=UTF-8' },
    }).then((r) => (r.ok ? r.text().then(done) : failed && failed(r.status)), lost),
  );
  if (!begun) lost();
}
function schedule(delay: number) {
  clearTimeout(timer);
  timer = w.setTimeout(() => flush(), delay);
}
function deliver(batch: PixelEvent[], tries: number, leaving?: boolean) {
  const body = {
    pixel_id: pixelId,
    visitor_id: visitorId(),
    session_id: sessionId(),
    events: batch,
    regs,
  };
  if (leaving && attempt(() => n.sendBeacon(host + '/track/gr-events', JSON.stringify(body))))
    return;
  send('/track/gr-events', body, undefined, (status) => {
    // A refused batch will be refused again. Others wait outside the queue: leaving a page cuts
    // off the answers to batches that did arrive, and those must not go out twice.
    if (tries < 4 && !(status >= 400 && status < 500 && status !== 429)) {
      w.setTimeout(() => allowed() && deliver(batch, tries + 1), 1e3 * 2 ** tries);
    }
  });
}
function flush(leaving?: boolean) {
  clearTimeout(timer);
  while (pixelId && queue.length && allowed()) deliver(queue.splice(0, 25), 0, leaving);
}

// addresses of people end up in query strings
const pageUrl = () => location.href.replace(/[^=&?#/]+(@|%40)[^=&?#/]+/gi, '');
function track(name: unknown, data?: unknown) {
  if (typeof name !== 'string' || !name || refused()) return;
  const properties: Data = Object.assign({}, data);
  const event: PixelEvent = {
    event_type: name,
    event_id: text(properties['event_id']) || uuid(),
    url: pageUrl(),
    timestamp: Date.now(),
  };
  delete properties['event_id'];
  const click = allowed() ? serveId() : landed;
  if (click) event.click_id = click;
  if (Object.keys(properties).length) event.properties = properties;
  queue = queue.concat(event).slice(-100);
  schedule(queue.length > 9 ? 0 : 300);
}
function begin() {
  if (!allowed()) return;
  if (landed) write('gr_click', landed, 30 * DAY);
  if (pixelId) sessionId();
}
const page = () =>
  location.pathname + location.search + (/^#[/!]/.test(location.hash) ? location.hash : '');
function pageView(force?: boolean) {
  if (!pixelId || !auto || (!force && page() === lastPage)) return;
  lastPage = page();
  track('page_view', { title: d.title.slice(0, 200), referrer: d.referrer.split('?')[0] });
}

const commands: Record<string, (a?: unknown, b?: unknown) => void> = {
  init(id, options) {
    if (pixelId || !text(id)) return;
    pixelId = text(id);
    auto = !(options && (options as Data)['auto'] === false); // any truthy value can be indexed
    begin();
    pageView(true);
  },
  track,
  regs(given) {
    regs = given;
  },
  consent(state) {
    consent = state === true ? 'granted' : state === false ? 'denied' : String(state);
    if (consent === 'denied') {
      queue = [];
      forget();
    }
    begin();
    schedule(0);
  },
  optOut() {
    const visitor = read('gr_visitor');
    if (visitor) send('/privacy/opt-out', { pixel_id: pixelId, visitor_id: visitor });
    queue = [];
    forget();
    write('gr_optout', '1', 400 * DAY);
  },
};
const run = (command: Command) => {
  const known = commands[String(command[0])];
  if (known) attempt(() => known(command[1], command[2]));
};

const on = (target: EventTarget, type: string, listener: (e: never) => void) =>
  target.addEventListener(type, ((e: never) => attempt(() => listener(e))) as EventListener, true); // each listener names the event its type brings

const pixel = {
  getCAPIData() {
    const ok = allowed();
    const click = ok ? serveId() : null;
    return {
      user_data: {
        click_id: click,
        visitor_id: click && visitorId(),
        session_id: click && sessionId(),
        client_user_agent: click && n.userAgent,
      },
      event_source_url: location.href,
      client_context: ok
        ? {
            timezone: attempt(() => Intl.DateTimeFormat().resolvedOptions().timeZone) || null,
            screen: {
              width: screen.width,
              height: screen.height,
              color_depth: screen.colorDepth,
            },
            viewport: { width: w.innerWidth, height: w.innerHeight },
            platform: n.platform || null,
            connection: (n.connection && n.connection.effectiveType) || null,
          }
        : null,
    };
  },
  getSessionId: () => (allowed() ? sessionId() : null),
};

// Consent first: nothing may be kept for a visitor whose refusal is waiting in the queue.
function replay(waiting: Command[]) {
  for (let i = 0; i < waiting.length; i++)
    if ((waiting[i] as Command)[0] === 'consent') run(waiting[i] as Command); // i is in range
  begin();
  for (let i = 0; i < waiting.length; i++)
    if ((waiting[i] as Command)[0] !== 'consent') run(waiting[i] as Command); // i is in range
  if (attribute('pixel-id')) commands['init']!(attribute('pixel-id'));
}
function watchForms() {
  on(d, 'submit', (e: Event) => {
    // Attributes, not properties: a field named "id" shadows form.id. Field values are never read.
    const form = e.target as HTMLFormElement; // submit fires on forms only
    if (auto)
      track('form_submit', {
        form_id: form.getAttribute('id'),
        form_name: form.getAttribute('name'),
      });
  });
  on(d, 'click', (e: Event) => {
    const link = (e.composedPath ? e.composedPath() : []).find(
      (node) => (node as Element).tagName === 'A',
    ) as HTMLAnchorElement | undefined; // tagName A
    if (auto && link && /^https?:/.test(link.protocol) && link.host !== location.host)
      track('click', { href: link.origin + link.pathname });
  });
}
function watchPages() {
  (['pushState', 'replaceState'] as const).forEach((method) => {
    const original = history[method];
    history[method] = function (this: History, ...rest: Parameters<History['pushState']>) {
      const path = location.pathname;
      original.apply(this, rest);
      // Replacing only the query is tidying up, not a visit.
      attempt(() =>
        method === 'replaceState' && path === location.pathname ? (lastPage = page()) : pageView(),
      );
    };
  });
  on(w, 'popstate', () => pageView());
  on(w, 'hashchange', () => pageView());
  on(w, 'pageshow', (e: PageTransitionEvent) => e.persisted && pageView(true));
}
function watchLeaving() {
  on(w, 'online', () => flush());
  on(w, 'pagehide', () => flush(true));
  on(d, 'visibilitychange', () => d.visibilityState === 'hidden' && flush(true));
}

// A second snippet on the page finds the first at work.
if (!w.gravityPixel) {
  const waiting = (w.gravity && w.gravity.q) || [];
  w.gravity = function () {
    run(arguments);
  };
  w.gravityPixel = pixel;
  replay(waiting);
  watchForms();
  watchPages();
  watchLeaving();
}
