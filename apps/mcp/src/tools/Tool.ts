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

/** Context of one tool call. */
export interface CallOptions {
  /** Latest time at which a request of the call may leave the rate-limit queue, in epoch milliseconds. */
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
  /** Runs the tool with an input that matches its properties. Succeeds with the text blocks of the result. */
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

/** The `owner` and `repo` arguments. */
export const repositoryProperties = (
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

/** `owner` and `repo` are required only without a default repository. */
export const requiredRepository = (defaultRepository: RepositoryName | undefined): ReadonlyArray<string> =>
  defaultRepository === undefined ? ["owner", "repo"] : []

/** The repository that a call names; a missing owner or name comes from the default repository. */
export const repositoryOf = (
  { owner, repo }: Readonly<Record<string, unknown>>,
  defaultRepository: RepositoryName | undefined
): Partial<RepositoryName> => ({
  ...defaultRepository,
  ...(typeof owner === "string" ? { owner } : {}),
  ...(typeof repo === "string" ? { repo } : {})
})

/** The `path` argument relative to the root, without leading and trailing slashes. Empty for the root. */
export const pathOf = ({ path }: Readonly<Record<string, unknown>>): string =>
  typeof path === "string" ? path.replace(/^\/+|\/+$/g, "") : ""

/** True if the path is inside the folder, at any depth. */
export const isWithin = (path: string, folder: string): boolean => folder === "" || path.startsWith(`${folder}/`)
