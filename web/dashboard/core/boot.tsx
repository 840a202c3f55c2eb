import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Boot } from '../../../src/surfaces/dashboards/schema.js';

export type Session = NonNullable<Boot['session']>;

export interface AppState extends Boot {
  /** The zone days and times are shown in. */
  zone: string;
  setZone: (zone: string) => void;
  reboot: () => Promise<void>;
  say: (message: string, kind?: 'good' | 'bad') => void;
}

export const AppContext = createContext<AppState | null>(null);

export function useApp(): AppState {
  const state = useContext(AppContext);
  if (state === null) throw new Error('used outside the app');
  return state;
}
