import type { ComponentType, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { t } from '../core/language.js';
import { Loading, Problem } from './states.js';

/** A page whose script is fetched when it is first opened, so that no other page carries it. */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): (props: Props) => JSX.Element {
  let View: ComponentType<Props> | null = null;
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
      message={t('This part of the page could not be loaded. A new version may be out: reload.')}
      retry={() => location.reload()}
    />
  );
}
