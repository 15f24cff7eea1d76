/** Reads keys and other input of a terminal, and requests the terminal's background color. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as InputParser from "./InputParser.ts"
import type { Event, Rgb } from "./InputEvent.ts"

/** An action of the user. */
export type UserEvent = Exclude<Event, Reply>

/** A reply of the terminal to a query. */
type Reply = Extract<Event, { readonly _tag: "BackgroundColor" | "DeviceAttributes" }>

/** The input of a terminal in raw mode. */
export interface TerminalInput {
  /**
   * Calls a function with each event, first with the events that had no listener. Returns a function that removes the
   * listener.
   */
  readonly listen: (listener: (event: UserEvent) => void) => () => void
  /**
   * Requests the background color of the terminal with `send`. Undefined if the terminal does not reply. Keeps the keys
   * that the user types meanwhile.
   */
  readonly background: (send: (sequence: string) => void) => Effect.Effect<Rgb | undefined>
  /** Stops reading and leaves raw mode, so that another program can read the input. */
  readonly stop: () => void
  /** Enters raw mode and reads. */
  readonly start: () => void
}

/** Standard input, or a substitute in tests. */
export interface Source {
  readonly setEncoding: (encoding: "utf8") => unknown
  readonly setRawMode: (mode: boolean) => unknown
  readonly on: (event: "data", listener: (chunk: string) => void) => unknown
  readonly off: (event: "data", listener: (chunk: string) => void) => unknown
  readonly resume: () => unknown
  readonly pause: () => unknown
}

/** Maximum number of events to keep before the first listener. */
const MAX_KEPT = 1_000

/** Milliseconds to wait for the terminal's background color. */
const QUERY_TIMEOUT = "100 millis"

/** Requests the background color (OSC 11), then the features (DA1). Every terminal replies to DA1, in order. */
const QUERY = "\u001b]11;?\u001b\\\u001b[c"

/** Reads the input of a terminal until the Effect scope closes. */
export const acquire = (source: Source): Effect.Effect<TerminalInput, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const input = make(source)
      input.start()
      return input
    }),
    (input) => Effect.sync(() => input.stop())
  )

const make = (source: Source): TerminalInput => {
  let listener: ((event: UserEvent) => void) | undefined
  let kept: ReadonlyArray<UserEvent> = []
  let reply: ((event: Reply) => void) | undefined
  let parser = InputParser.make()
  let timer: NodeJS.Timeout | undefined

  const emit = (events: ReadonlyArray<Event>) => {
    // A listener can stop listening at any event.
    for (const event of events) {
      // A late reply is not input of the user.
      if (event._tag === "BackgroundColor" || event._tag === "DeviceAttributes") reply?.(event)
      else if (listener !== undefined) listener(event)
      else if (kept.length < MAX_KEPT) kept = [...kept, event]
    }
  }
  const read = (chunk: string) => {
    clearTimeout(timer)
    emit(parser.feed(chunk))
    if (parser.timeout !== undefined) timer = setTimeout(() => emit(parser.flush()), parser.timeout)
  }
  return {
    listen: (added) => {
      const events = kept
      listener = added
      kept = []
      emit(events)
      return () => {
        if (listener === added) listener = undefined
      }
    },
    background: (send) =>
      Effect.callback<Rgb | undefined>((resume) => {
        reply = (event) => resume(Effect.succeed(event._tag === "BackgroundColor" ? event.rgb : undefined))
        send(QUERY)
      }).pipe(
        Effect.timeoutOrElse({ duration: QUERY_TIMEOUT, orElse: () => Effect.succeed(undefined) }),
        Effect.ensuring(Effect.sync(() => (reply = undefined)))
      ),
    start: () => {
      parser = InputParser.make()
      // Decodes characters that are cut between two reads.
      source.setEncoding("utf8")
      source.setRawMode(true)
      source.on("data", read)
      source.resume()
    },
    stop: () => {
      clearTimeout(timer)
      source.off("data", read)
      source.pause()
      source.setRawMode(false)
    }
  }
}
