/** Connections to the forges of profiles, and the change from one to another while the program runs. */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import { Forge } from "@tongs/core/client/Forge"
import type * as Model from "./model/Model.ts"
import * as RunningModel from "./RunningModel.ts"

/** The function that connects, and the settings that the models of all profiles share. */
export interface Options<E> extends Pick<RunningModel.Settings, "isReadOnly" | "keys" | "profiles"> {
  /** Connects to the forge of a profile; without a name, to the current forge. */
  readonly connect: (profile: string | undefined) => Layer.Layer<RunningModel.Services, E>
  /** The folder for the file with the sessions; undefined saves none. */
  readonly stateFolder: string | undefined
}

/** A connection that lasts until the scope closes. */
interface Connected {
  readonly services: Context.Context<RunningModel.Services>
  readonly scope: Scope.Closeable
}

/** Connects to a profile; without a name, to the current profile. */
export const connect = Effect.fnUntraced(function* <E>(options: Options<E>, profile: string | undefined) {
  const scope = yield* Effect.acquireRelease(Scope.make(), (scope) => Scope.close(scope, Exit.void))
  const services = yield* Layer.buildWithScope(options.connect(profile), scope).pipe(
    // Releases the resources of a failed connection, while the program continues with another connection.
    Effect.onError(() => Scope.close(scope, Exit.void))
  )
  return { services, scope }
})

/** Time for the first response of a profile. */
const PROBE_TIMEOUT = "10 seconds"

/** The error if the forge of a profile does not respond, or rejects the credential. */
class ProfileError extends Schema.TaggedError<ProfileError>()("ProfileError", { problem: Schema.String }) {
  override get message() {
    return this.problem
  }
}

/** Connects to a profile, and fails if the forge does not respond or rejects the credential. */
const connectChecked = Effect.fnUntraced(function* <E>(options: Options<E>, profile: string) {
  const connected = yield* connect(options, profile)
  const problem = yield* Context.get(connected.services, Forge)
    .users.getAuthenticated()
    .pipe(
      Effect.as(undefined),
      Effect.timeoutOrElse({
        duration: PROBE_TIMEOUT,
        orElse: () => Effect.succeed("The forge does not respond within 10 seconds.")
      }),
      Effect.catchTags({
        Unreachable: (error) => Effect.succeed(error.message),
        BadCredentials: (error) => Effect.succeed(error.message)
      }),
      // The forge responds. Screens show any other problem.
      Effect.catch(() => Effect.succeed(undefined))
    )
  if (problem === undefined) return connected
  yield* Scope.close(connected.scope, Exit.void)
  return yield* new ProfileError({ problem })
})

/**
 * Runs a program with the services of a connection, and again with other services when the user changes the profile.
 */
export const run = <E, R>(
  options: Options<E>,
  first: Connected,
  show: (
    services: Context.Context<RunningModel.Services>,
    settings: RunningModel.Settings
  ) => Effect.Effect<Model.ExitReason, never, R>
) =>
  Effect.gen(function* () {
    const outer = yield* Effect.scope
    const runPromise = Effect.runPromiseWith(yield* Effect.context())
    let current: Connected = first
    for (;;) {
      const changed = yield* Deferred.make<Connected>()
      const session = RunningModel.sessionOf(options.stateFolder, current.services)
      const settings: RunningModel.Settings = {
        ...options,
        session,
        switchProfile: (name) =>
          runPromise(
            connectChecked(options, name).pipe(
              Scope.provide(outer),
              Effect.flatMap((next) => Deferred.succeed(changed, next)),
              Effect.as(undefined),
              // A defect of one connection must not end the program, which has another connection.
              Effect.catchCause((cause) => Effect.succeed(problemOf(name, cause)))
            )
          )
      }
      const end = yield* Effect.raceFirst(show(current.services, settings), Deferred.await(changed))
      if ("_tag" in end) return end
      yield* Scope.close(current.scope, Exit.void)
      current = end
    }
  })

const problemOf = (profile: string, cause: Cause.Cause<unknown>): string => {
  const error = Cause.squash(cause)
  return `Profile ${profile}: ${error instanceof Error ? error.message : String(error)}`
}
