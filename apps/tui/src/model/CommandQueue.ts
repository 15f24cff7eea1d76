/** Commands that wait for the content of the screen, so that the user can type ahead. */
import * as Route from "../content/Route.ts"
import type { ModelContext } from "./ModelContext.ts"
import * as State from "./State.ts"

/** Maximum number of commands to queue while content loads. */
const MAX_QUEUED = 64

interface QueuedCommand {
  readonly run: () => void
  /** True if the command opens an input, which receives the next keys. */
  readonly opensInput: boolean
}

/** The commands that wait. */
export interface CommandQueue {
  /**
   * Runs a command now or once the content is loaded. With `opensInput`, later keys are text of an input, so these keys
   * wait too.
   */
  readonly whenLoaded: (run: () => void, opensInput?: boolean) => void
  /** Runs a command that changes data. Never later: the user must see the target. */
  readonly ifLoaded: (run: () => void) => void
  /** Returns true if the keys belong to an input that opens once the content is loaded. */
  readonly isInputQueued: () => boolean
  /** Runs the commands of the visible screen if the content is loaded. */
  readonly runQueued: () => void
  readonly clear: () => void
}

/** Creates an empty queue. */
export const make = ({ current, hasExited, seen, showMessage }: ModelContext): CommandQueue => {
  let queue: { readonly route: string; readonly commands: ReadonlyArray<QueuedCommand> } | undefined
  const isLoading = () => seen().load.content === undefined && seen().load.failure === undefined
  const whenLoaded = (run: () => void, opensInput = false) => {
    if (!isLoading()) return run()
    const at = Route.id(State.route(current()))
    const commands = queue?.route === at ? queue.commands : []
    queue = { route: at, commands: [...commands, { run, opensInput }].slice(0, MAX_QUEUED) }
  }
  const isInputQueued = () =>
    queue !== undefined &&
    queue.route === Route.id(State.route(current())) &&
    queue.commands.some(({ opensInput }) => opensInput) &&
    isLoading()
  const runQueued = () => {
    if (queue === undefined || isLoading()) return
    const { commands, route } = queue
    queue = undefined
    if (route !== Route.id(State.route(current()))) return
    for (const { opensInput, run } of commands) if (!hasExited()) whenLoaded(run, opensInput)
  }
  const ifLoaded = (run: () => void) => (isLoading() ? showMessage("Not loaded yet") : run())

  return {
    whenLoaded,
    ifLoaded,
    isInputQueued,
    runQueued,
    clear: () => {
      queue = undefined
    }
  }
}
