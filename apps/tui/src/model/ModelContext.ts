/** The functions that all parts of the model share. */
import type * as State from "./State.ts"
import type * as Viewport from "./Viewport.ts"

/** Reads and changes the state of the terminal UI. */
export interface ModelContext {
  readonly current: () => State.State
  /** Returns the loaded content of the visible screen, and the settings of the program. */
  readonly seen: () => Viewport.ExternalState
  /** Changes the state. Does nothing after the program has ended. */
  readonly update: (f: (state: State.State) => State.State) => void
  readonly showMessage: (text: string, isError?: boolean) => void
  /** Returns true once the program has ended. */
  readonly hasExited: () => boolean
}
