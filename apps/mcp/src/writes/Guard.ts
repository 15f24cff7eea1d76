/** Decides about calls that change data, by the flags of the server. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Operation from "@tongs/core/contract/Operation"
import { ToolError } from "../call/ToolError.ts"
import type { WriteGuard } from "../call/WriteGuard.ts"
import * as Confirmation from "./Confirmation.ts"

/** Settings of writes. */
export interface Options {
  /** Also offers the tools that change data. */
  readonly allowWrites: boolean
  /** `ask`: calls that cannot be undone need the user's confirmation. `never`: all calls run without confirmation. */
  readonly confirm: "ask" | "never"
  /** Owners whose data writes may change, together with `allowRepositories`. Default: no restriction. */
  readonly allowOwners?: ReadonlyArray<string>
  /** Repositories that writes may change, as `owner/name`. Default: no restriction. */
  readonly allowRepositories?: ReadonlyArray<string>
  /** Answers what a write would send, and sends nothing. */
  readonly dryRun: boolean
}

/** Creates the guard of a server. */
export const make = (options: Options): Effect.Effect<WriteGuard["Service"]> =>
  Effect.succeed({
    check: Effect.fnUntraced(function* (entry, input, { call }) {
      if (entry.readonly) return { _tag: "Run", deadline: call.deadline } as const
      if (!options.allowWrites) {
        return yield* new ToolError({ detail: "This server only reads. The user can start it with --allow-writes." })
      }
      const asked = yield* Clock.currentTimeMillis
      if (options.confirm === "ask" && !Operation.isReversible(entry.operation, input)) {
        yield* call.pauseDeadline(Confirmation.confirm(entry, input))
      }
      const answered = yield* Clock.currentTimeMillis
      return { _tag: "Run", deadline: call.deadline + answered - asked } as const
    })
  })
