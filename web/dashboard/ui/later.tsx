import type { ComponentType, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { t } from '../core/language.js';
import { Loading, Problem } from './states.js';

/**
 * A page whose script is fetched when it is first opened, so that no other page carries it. `at` is
 * its address below that of its section: somebody who begins there gets the script while the server
 * is still asked who this is.
 */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  at?: string,
): (props: Props) => JSX.Element {
  let View: ComponentType<Props> | null = null;
  // Should it fail, the page asks again when it is shown, and says so.
  if (location.pathname.split('/').slice(3).join('/') === at) load().catch(() => undefined);
  return function Later(props) {
    const [state, setState] = useState<'waiting' | 'there' | 'failed'>('waiting');
    useEffect(() => {
      if (View !== null) return;
      load().then(
        (loaded) => {
          View = loaded;
          setState('there');
        },
        () => setState('failed'),
      );
    }, []);
    if (View !== null) return <View {...props} />;
    return state === 'failed' ? <NotLoaded /> : <Loading />;
  };
}

export function NotLoaded(): JSX.Element {
  return (
    <Problem
      message={t(
        'This part of the page could not be loaded: the server cannot be reached, or a new version is out.',
      )}
      retry={() => location.reload()}
    />
  );
}
