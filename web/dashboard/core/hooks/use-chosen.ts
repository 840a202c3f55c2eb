import { useState } from 'preact/hooks';

export interface Chosen {
  chosen: ReadonlySet<string>;
  choose: (ids: readonly string[], on: boolean) => void;
  chooseNone: () => void;
}

/** Rows of a list that are chosen, by id. */
export function useChosen(): Chosen {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  return {
    chosen,
    choose: (ids, on) =>
      setChosen((before) => {
        const next = new Set(before);
        for (const id of ids)
          if (on) next.add(id);
          else next.delete(id);
        return next;
      }),
    chooseNone: () => setChosen(new Set()),
  };
}
