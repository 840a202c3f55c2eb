/**
 * The addresses put into links, one for each of the four hosts. Known only once the server listens,
 * so read when needed.
 */
export interface PublicUrls {
  readonly base: string;
  readonly api: string;
  readonly platform: string;
  readonly index: string;
  /** Of the demo shop: an origin of its own where it has one, otherwise the index. */
  readonly store: string;
  /** Called once with the address listened on. */
  listeningOn(address: string): void;
  /** The demo shop listens there too. Nobody outside knows of it when the index has a name. */
  storeListeningOn(address: string): void;
}

export function createPublicUrls(configured: {
  base: string;
  api: string;
  platform: string;
  index: string;
}): PublicUrls {
  let own = 'http://127.0.0.1';
  let store = '';
  const pick = (url: string): string => (url === '' ? own : url);
  return {
    get base() {
      return pick(configured.base);
    },
    get api() {
      return pick(configured.api);
    },
    get platform() {
      return pick(configured.platform);
    },
    get index() {
      return pick(configured.index);
    },
    get store() {
      return store === '' || configured.index !== '' ? pick(configured.index) : store;
    },
    listeningOn(address) {
      own = address;
    },
    storeListeningOn(address) {
      store = address;
    },
  };
}
