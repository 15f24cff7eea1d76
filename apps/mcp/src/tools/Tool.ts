/** A tool of the server, and the arguments that many tools share. */
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Forge } from "@tongs/core/client/Forge"
import type * as Failure from "@tongs/core/contract/Failure"
import type { Operation } from "@tongs/core/contract/Operation"
import type { NestedSchema } from "./BodySchema.ts"
import type { CursorCodec } from "./SignedCursor.ts"

/** A repository by owner and name. */
export interface RepositoryName {
  readonly owner: string
  readonly repo: string
}

/** The JSON Schema of one argument. */
export interface Property extends NestedSchema {
  readonly type: "string" | "integer" | "boolean" | "array" | "object"
  readonly description?: string
  readonly enum?: ReadonlyArray<string>
  readonly minimum?: number
  readonly maximum?: number
}

/** Options of one tool call. */
export interface CallOptions {
  /** Latest time in epoch milliseconds at which the rate-limit scheduler may start a request of the call. */
  readonly deadline: number
  readonly cursors: CursorCodec
}

/** A tool as agents see it, with its implementation. */
export interface Tool {
  readonly name: string
  /** The operation that the tool calls. */
  readonly operation: Operation
  readonly description: string
  readonly properties: Readonly<Record<string, Property>>
  readonly required: ReadonlyArray<string>
  /** Runs the tool with an input that matches `properties`. Returns the text blocks of the result. */
  readonly run: (
    input: Readonly<Record<string, unknown>>,
    options: CallOptions
  ) => Effect.Effect<ReadonlyArray<string>, Failure.Failure | ToolError, Forge>
}

/** A failure of the tool itself, not of the forge: invalid arguments, or a call that the user did not confirm. */
export class ToolError extends Schema.TaggedError<ToolError>()("ToolError", {
  /** What failed, and what the agent can do instead. */
  detail: Schema.String
}) {
  override get message() {
    return this.detail
  }
}

/** Returns the JSON Schemas of the arguments `owner` and `repo`. */
export const repositoryParameters = (
  defaultRepository: RepositoryName | undefined
): Readonly<Record<"owner" | "repo", Property>> => ({
  owner: {
    type: "string",
    description:
      defaultRepository === undefined ? "Account that owns the repository." : `Default: ${defaultRepository.owner}.`
  },
  repo: {
    type: "string",
    description: defaultRepository === undefined ? "Name of the repository." : `Default: ${defaultRepository.repo}.`
  }
})

/** Returns the names of the required arguments: `owner` and `repo`, or none with a default repository. */
export const requiredRepository = (defaultRepository: RepositoryName | undefined): ReadonlyArray<string> =>
  defaultRepository === undefined ? ["owner", "repo"] : []

/** Returns the repository that the arguments name. Takes a missing owner or name from the default repository. */
export const repositoryOf = (
  { owner, repo }: Readonly<Record<string, unknown>>,
  defaultRepository: RepositoryName | undefined
): Partial<RepositoryName> => ({
  ...defaultRepository,
  ...(typeof owner === "string" ? { owner } : {}),
  ...(typeof repo === "string" ? { repo } : {})
})

/** Returns the argument `path` without leading and trailing slashes. Empty for the root of the repository. */
export const pathOf = ({ path }: Readonly<Record<string, unknown>>): string =>
  typeof path === "string" ? path.replace(/^\/+|\/+$/g, "") : ""

/** Returns true if the path is inside the folder, at any depth. */
export const isWithin = (path: string, folder: string): boolean => folder === "" || path.startsWith(`${folder}/`)
