/**
 * Lets a stdio server answer `initialize` before opening the forge and loading the tools. Holds back all further
 * messages until then. If the forge cannot be opened, answers these messages with the reason, and tries again for the
 * next message.
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as JsonRpc from "./JsonRpc.ts"

/** Methods whose answers need neither tools nor the forge. */
const early: ReadonlySet<unknown> = new Set(["initialize", "server/discover", "ping"])

/** The result of an attempt to open the forge: undefined after a success, otherwise the reason of the failure. */
type Outcome = string | undefined

/** The state of the start. */
export interface StartGate {
  /** Records that an answer was written. The first one starts to open the forge. */
  readonly answered: Effect.Effect<void>
  /** Runs `open` when requested, and again after a failure. Completes when the forge is open. */
  readonly run: <R>(open: Effect.Effect<void, { readonly message: string }, R>) => Effect.Effect<void, never, R>
  /** Returns true once the forge is open. */
  readonly isOpen: () => boolean
  /** Decides on a message: returns undefined to pass the message on, or the responses to send instead. */
  readonly check: (line: string) => Effect.Effect<ReadonlyArray<JsonRpc.ErrorResponse> | undefined>
}

interface Attempt {
  readonly requested: Deferred.Deferred<void>
  readonly outcome: Deferred.Deferred<Outcome>
}

const attempt = (): Attempt => ({ requested: Deferred.makeUnsafe(), outcome: Deferred.makeUnsafe() })

/** Creates a closed gate. */
export const make = (): StartGate => {
  let current = attempt()
  let isOpen = false
  const request = Effect.suspend(() => Deferred.succeed(current.requested, undefined))
  return {
    answered: request,
    run: (open) =>
      Effect.suspend(() => Deferred.await(current.requested)).pipe(
        Effect.andThen(
          Effect.match(open, { onSuccess: (): Outcome => undefined, onFailure: ({ message }) => message })
        ),
        Effect.tap((outcome) =>
          Effect.suspend(() => {
            const { outcome: ended } = current
            if (outcome === undefined) isOpen = true
            else current = attempt()
            return Deferred.succeed(ended, outcome)
          })
        ),
        Effect.repeat({ until: (outcome) => outcome === undefined }),
        Effect.asVoid
      ),
    isOpen: () => isOpen,
    check: (line) =>
      Effect.suspend(() => {
        if (isOpen || line.trim() === "") return Effect.succeed(undefined)
        const message: unknown = JSON.parse(line)
        if (early.has(methodOf(message))) return Effect.succeed(undefined)
        const { outcome } = current
        return Effect.map(Effect.andThen(request, Deferred.await(outcome)), (reason) =>
          reason === undefined ? undefined : refusals(message, reason)
        )
      })
  }
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null

const methodOf = (message: unknown): unknown => (isObject(message) && "method" in message ? message.method : undefined)

/** JSON-RPC's code for an error of the server. */
const INTERNAL_ERROR = -32603

/** Returns the response to a request. Notifications have none. */
const refusals = (message: unknown, reason: string): ReadonlyArray<JsonRpc.ErrorResponse> =>
  JsonRpc.isRequest(message) ? [JsonRpc.errorResponse(INTERNAL_ERROR, reason, message.id)] : []
