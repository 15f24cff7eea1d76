/** Decides about calls that change data: refuses them, asks the user to confirm them, or lets them run. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as McpSchema from "effect/ai/McpSchema"
import type { CatalogEntry } from "@tongs/core/contract/CatalogEntry"
import type * as Failure from "@tongs/core/contract/Failure"
import type { Answer, Arguments } from "../answer/Answer.ts"
import type { Call } from "./Call.ts"
import type { ToolError } from "./ToolError.ts"

/** The call that wants to change data. */
export interface Write {
  /** Name of the tool. */
  readonly tool: string
  readonly call: Call
  /** True to answer with the request, and send nothing. */
  readonly dryRun?: boolean
}

/**
 * `Run`: send the request, at the latest at `deadline`, which is later than the call's if the user took time to confirm.
 * With `isRestricted`, a redirect must not be followed, because its target was not checked.
 * `Answer`: end the call with this answer. `InputRequired`: end the call with it; the client asks the user and calls
 * again.
 */
export type Decision =
  | { readonly _tag: "Run"; readonly deadline: number; readonly isRestricted: boolean }
  | { readonly _tag: "Answer"; readonly answer: Answer }
  | McpSchema.InputRequired

/** Decides about every call of an operation. Operations that only read run. */
export class WriteGuard extends Context.Service<
  WriteGuard,
  {
    /**
     * Decides about a call. `input` is the flat input of the operation, complete with the repository. Fails if the server
     * may not change the target, or if the user does not confirm.
     */
    readonly check: (
      entry: CatalogEntry,
      input: Arguments,
      write: Write
    ) => Effect.Effect<Decision, Failure.Failure | ToolError, McpSchema.McpRequestContext>
  }
>()("@tongs/mcp/call/WriteGuard") {}
