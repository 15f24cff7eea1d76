/** Limits the concurrent pushes to each repository. `Transfers` limits the total. */
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as ApiError from "../../api/ApiError.ts"
import * as KeyedSemaphore from "../../base/KeyedSemaphore.ts"

/** Maximum concurrent pushes per repository, and maximum wait of a further push. */
const PER_REPOSITORY = 4
const wait = Duration.seconds(60)

export class PushQueue extends Context.Service<
  PushQueue,
  {
    /** Waits for a permit, which the scope releases. Fails with 503 after a minute. */
    enter(gitDir: string): Effect.Effect<void, ApiError.ApiError, Scope.Scope>
  }
>()("@tongs/service/features/smartHttp/PushQueue") {
  static readonly layer = Layer.sync(PushQueue, () => {
    const permits = KeyedSemaphore.make(PER_REPOSITORY)
    return PushQueue.of({
      enter: (gitDir) =>
        Effect.timeoutOrElse(permits.take(gitDir), {
          duration: wait,
          orElse: () =>
            Effect.fail(ApiError.unavailable("Other pushes to this repository are running. Try again later"))
        })
    })
  })
}
