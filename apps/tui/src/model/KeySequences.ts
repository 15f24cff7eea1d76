/** Runs the commands of keys, also of sequences of two keys. The first key of a sequence waits for the second. */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as KeyBindings from "../actions/KeyBindings.ts"
import type { Services } from "../content/Source.ts"

/** Time after which the first key of a sequence runs its own command. */
const MAX_WAIT = "600 millis"

export interface KeySequences {
  readonly press: (key: string) => void
}

export interface Dependencies {
  readonly keys: KeyBindings.KeyBindings
  readonly services: Services
  /** The kind of the visible screen. */
  readonly where: () => KeyBindings.Where | undefined
  readonly run: (command: KeyBindings.CommandId) => void
  /** Handles a key, also for an input that the key before has opened. */
  readonly press: (key: string) => void
}

export const make = ({ keys, press: pressKey, run, services, where }: Dependencies): KeySequences => {
  let first: string | undefined
  let timer: Fiber.Fiber<unknown> | undefined
  const fork = Effect.runForkWith(services)

  const runKey = (key: string) => {
    const command = keys.commandFor(key, where())
    if (command !== undefined) run(command)
  }
  /** Returns the waiting key, which waits no longer. */
  const take = (): string | undefined => {
    const key = first
    first = undefined
    if (timer !== undefined) Effect.runFork(Fiber.interrupt(timer))
    timer = undefined
    return key
  }

  const press = (key: string) => {
    const before = take()
    if (before !== undefined) {
      if (key === "escape") return
      const command = KeyBindings.isSequence(before + key) ? keys.commandFor(before + key, where()) : undefined
      if (command !== undefined) return run(command)
      runKey(before)
      return pressKey(key)
    }
    if (!keys.isPrefix(key, where())) return runKey(key)
    first = key
    timer = fork(
      Effect.andThen(
        Effect.sleep(MAX_WAIT),
        Effect.sync(() => {
          timer = undefined
          const waiting = take()
          if (waiting !== undefined) runKey(waiting)
        })
      )
    )
  }

  return { press }
}
