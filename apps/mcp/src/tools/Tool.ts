/** What a tool is here, whichever operation it stands for. */
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Forge } from "@tongs/core/client/Forge"
import type * as Failure from "@tongs/core/contract/Failure"
import type { Operation } from "@tongs/core/contract/Operation"
import type { CursorCodec } from "./SignedCursor.ts"
import type { NestedSchema } from "./BodySchema.ts"

export interface RepositoryName {
  readonly owner: string
  readonly repo: string
}

/** One argument, as JSON Schema describes it. */
export interface Property extends NestedSchema {
  readonly type: "string" | "integer" | "boolean" | "array" | "object"
  readonly description?: string
  readonly enum?: ReadonlyArray<string>
  readonly minimum?: number
  readonly maximum?: number
}

export interface CallOptions {
  /** Until when the call may wait for budget, in epoch milliseconds. */
  readonly deadline: number
  readonly cursors: CursorCodec
}

export interface Tool {
  readonly name: string
  /** The operation that the tool calls: its title, and the hints about its effect. */
  readonly operation: Operation
  readonly description: string
  readonly properties: Readonly<Record<string, Property>>
  readonly required: ReadonlyArray<string>
  /** The texts of the answer; the arguments have been checked against the properties. */
  readonly run: (
    input: Readonly<Record<string, unknown>>,
    options: CallOptions
  ) => Effect.Effect<ReadonlyArray<string>, Failure.Failure | ToolError, Forge>
}

/** An answer that a tool gives before or instead of the forge: the agent asked for something that cannot be. */
export class ToolError extends Schema.TaggedError<ToolError>()("ToolError", {
  /** What is wrong, and what to do instead. */
  detail: Schema.String
}) {
  override get message() {
    return this.detail
  }
}

/** Owner and repository as arguments: needed where the server does not run in a repository. */
export const repositoryProperties = (
  here: RepositoryName | undefined
): Readonly<Record<"owner" | "repo", Property>> => ({
  owner: {
    type: "string",
    description: here === undefined ? "Account that owns the repository." : `Default: ${here.owner}.`
  },
  repo: { type: "string", description: here === undefined ? "Name of the repository." : `Default: ${here.repo}.` }
})

/** The repository that a call is about. The default holds for both names or for none. */
export const repositoryOf = (
  input: Readonly<Record<string, unknown>>,
  here: RepositoryName | undefined
): Partial<RepositoryName> => {
  const { owner, repo } = input
  if (owner === undefined && repo === undefined) return here ?? {}
  return {
    ...(typeof owner === "string" ? { owner } : here === undefined ? {} : { owner: here.owner }),
    ...(typeof repo === "string" ? { repo } : here === undefined ? {} : { repo: here.repo })
  }
}

/** The path that a call is about, from the root and without slashes around it; the root is the empty one. */
export const pathOf = ({ path }: Readonly<Record<string, unknown>>): string =>
  typeof path === "string" ? path.replace(/^\/+|\/+$/g, "") : ""

/** Whether a path is somewhere in a folder. */
export const isWithin = (path: string, folder: string): boolean => folder === "" || path.startsWith(`${folder}/`)
