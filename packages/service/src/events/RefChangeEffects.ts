import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { GitError } from "../git/values/GitError.ts"
import type { EventContext } from "./NewEvent.ts"
import type { RefMove } from "./PushPayload.ts"

/** Further changes of the database by the move of a reference, for example of the issues that the commits name. */
export class RefChangeEffects extends Context.Service<
  RefChangeEffects,
  {
    /**
     * Reads git and returns the writes, which run once: in the transaction that records the event of the move.
     */
    prepare(at: EventContext, move: RefMove): Effect.Effect<Effect.Effect<void, GitError>, GitError>
  }
>()("@tongs/service/events/RefChangeEffects") {}
