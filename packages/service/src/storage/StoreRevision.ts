import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

/** A string that changes whenever this or another process changes the database. */
export class StoreRevision extends Context.Service<
  StoreRevision,
  {
    /** The revision at the end of the last `refresh`, or a later one. A call takes microseconds. */
    readonly current: () => string
    /** Like `current`, but may stay equal after changes that do not change who may read which repository, or its name. */
    readonly access: () => string
    /**
     * Asks the database for the revision, before the first read of a request. Undefined while `current` knows the changes
     * of all processes. `known` is the `answered` of another process that has asked for the same request: if this process
     * had the same answer, it need not ask.
     */
    readonly refresh: (known?: string) => Effect.Effect<void> | undefined
    /** The last answer of a database that several processes ask. Undefined if there was none. */
    readonly answered: () => string | undefined
    /**
     * True in a transaction whose changes other fibers do not see, so that values read in the transaction must not be
     * cached. Undefined if other fibers cannot read during a transaction.
     */
    readonly isIsolated: Effect.Effect<boolean> | undefined
  }
>()("@tongs/service/storage/StoreRevision") {}
