/** Decides about calls that change data: refuses the call, asks the user for confirmation, or runs the call. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as McpSchema from "effect/ai/McpSchema"
import type { CatalogEntry } from "@tongs/core/contract/CatalogEntry"
import type * as Failure from "@tongs/core/contract/Failure"
import type { Answer, Arguments } from "../answer/Answer.ts"
import type { Call } from "./Call.ts"
import type { ToolError } from "./ToolError.ts"

/** A file that a call writes. */
export interface WrittenFile {
  readonly path: string | undefined
  readonly text: string
  /** True if the caller decided about encoding and ends of lines. */
  readonly isBytes: boolean
  /** The file that the text replaces; undefined for a new file. */
  readonly base: { readonly id: string; readonly bytes: Uint8Array } | undefined
}

/** The call that wants to change data. */
export interface Write {
  /** Name of the tool. */
  readonly tool: string
  readonly call: Call
  /** True to answer with the request, and send nothing. */
  readonly dryRun?: boolean
  /** The written files, if known to the tool. By default, the guard finds the files in the input of the operation. */
  readonly files?: ReadonlyArray<WrittenFile>
  /**
   * The question to the user, if the request is only a part of the change: the name of the change, and the content to
   * show.
   */
  readonly question?: { readonly summary: string; readonly body: Arguments }
}

/**
 * `Run`: send the request, at the latest at `deadline`, which is later than the call's if the user took time to confirm.
 * With `isRestricted`, a redirect must not be followed, because the target was not checked.
 * `DryRun`: end the call with this answer; `notes` say whether the user would be asked, or the call refused.
 * `InputRequired`: end the call with this result; the client asks the user and calls again.
 */
export type Decision =
  | { readonly _tag: "Run"; readonly deadline: number; readonly isRestricted: boolean }
  | { readonly _tag: "DryRun"; readonly answer: Answer; readonly notes: ReadonlyArray<string> }
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
