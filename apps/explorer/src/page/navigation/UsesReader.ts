/** The open file, for the panel of uses. The panel remains while the next file loads. */
import type * as ExplorerApi from "../../ExplorerApi.ts"
import type { UsePlace } from "./UseList.tsx"

/** The file that the user reads. */
export interface UsesReader {
  readonly file: ExplorerApi.PinnedPath
  /** The line of the caret, from 1. */
  readonly line: number
  /** Whether to focus the list: when the user opened the panel, not when the URL did. */
  readonly autoFocus: boolean
  /** `isStep` is true if the next step replaces this one in the history. */
  readonly open: (place: UsePlace, isStep: boolean) => void
  /** Focuses the text. */
  readonly focus: () => void
}

/** The latest reader, as a store: only the panel depends on the reader. */
export interface UsesReaderStore {
  readonly get: () => UsesReader | undefined
  readonly set: (reader: UsesReader) => void
  readonly subscribe: (listener: () => void) => () => void
}

export const make = (): UsesReaderStore => {
  let current: UsesReader | undefined
  const listeners = new Set<() => void>()
  return {
    get: () => current,
    set: (reader) => {
      current = reader
      for (const listener of listeners) listener()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    }
  }
}
