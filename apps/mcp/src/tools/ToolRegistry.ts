/**
 * Registers the tools with the MCP server. Validates the arguments of calls, asks for confirmation, reports failures.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as McpSchema from "effect/ai/McpSchema"
import * as McpServer from "effect/ai/McpServer"
import { Connection } from "@tongs/connection/Connection"
import { Forge } from "@tongs/core/client/Forge"
import * as Catalog from "@tongs/core/contract/Catalog"
import type * as Failure from "@tongs/core/contract/Failure"
import * as Operation from "@tongs/core/contract/Operation"
import { sanitizeText } from "../output/SafeText.ts"
import * as CommitTool from "./CommitTool.ts"
import * as Confirmation from "./Confirmation.ts"
import * as FileContentsTool from "./FileContentsTool.ts"
import * as OperationTool from "./OperationTool.ts"
import * as RecoveryHint from "./RecoveryHint.ts"
import * as SearchCodeTool from "./SearchCodeTool.ts"
import * as SignedCursor from "./SignedCursor.ts"
import { type Property, type RepositoryName, repositoryOf, type Tool, ToolError } from "./Tool.ts"
import * as TreeTool from "./TreeTool.ts"

/** Maximum time in milliseconds that a tool call waits for the rate limit. */
const MAX_WAIT = 30_000

/** Converts the name of a group to its spelling in tool names: `gitRefs` and `git-refs` become `git_refs`. */
const normalize = (name: string) => Operation.toSnakeCase(name).toLowerCase()

/** Names of the toolsets, which are the groups of the contract, for example `git-refs`. */
export const toolsets: ReadonlyArray<string> = [
  ...new Set(Catalog.entries.map(({ group }) => normalize(group).replaceAll("_", "-")))
]

/** Returns true if a toolset has this name, in any spelling: `git-refs`, `git_refs` or `gitRefs`. */
export const hasToolset = (name: string): boolean => toolsets.includes(normalize(name).replaceAll("_", "-"))

/** The tools to offer, and how to treat calls that cannot be undone. */
export interface Selection {
  /** Toolsets to offer, in any spelling. Default: all except Tongs' extensions of the API, which few forges have. */
  readonly toolsets?: ReadonlyArray<string>
  /** Also offers the tools that change data. */
  readonly allowWrites: boolean
  /** `ask`: calls that cannot be undone need the user's confirmation. `never`: all calls run without confirmation. */
  readonly confirm: "ask" | "never"
}

/** Factories of the tools whose arguments or results differ from the operation's, by tool name. */
const handWritten: Readonly<Record<string, typeof OperationTool.make>> = {
  search_code: SearchCodeTool.make,
  commits_get: CommitTool.make,
  file_contents: FileContentsTool.make,
  git_trees_get: TreeTool.make
}

/** Returns the tools of a selection, one for each operation. */
export const tools = (
  { allowWrites, toolsets }: Pick<Selection, "allowWrites" | "toolsets">,
  defaultRepository: RepositoryName | undefined
): ReadonlyArray<Tool> => {
  const groups = toolsets?.map(normalize)
  const entries = Catalog.entries.filter(
    (entry) =>
      (entry.readonly || allowWrites) &&
      (groups === undefined ? !entry.operation.extension : groups.includes(normalize(entry.group)))
  )
  return entries.map((entry) => (handWritten[entry.tool] ?? OperationTool.make)(entry, defaultRepository))
}

/** Registers the tools of a selection. */
export const layer = (selection: Selection) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const server = yield* McpServer.McpServer
      const forge = yield* Forge
      const { repository: defaultRepository, kind } = yield* Connection
      const selected = tools(selection, defaultRepository)
      const context = {
        codecFor: SignedCursor.make(),
        confirm: selection.confirm,
        defaultRepository,
        forge,
        isRemote: kind === "remote",
        names: selected.map(({ name }) => name)
      }
      for (const tool of selected) yield* server.addTool(registration(tool, context))
    })
  )

/** Values that all registered tools share. */
interface ServerContext {
  readonly codecFor: ReturnType<typeof SignedCursor.make>
  readonly confirm: Selection["confirm"]
  readonly defaultRepository: RepositoryName | undefined
  readonly forge: Forge["Service"]
  readonly isRemote: boolean
  /** Names of the registered tools. */
  readonly names: ReadonlyArray<string>
}

const registration = (tool: Tool, { codecFor, confirm, defaultRepository, forge, isRemote, names }: ServerContext) => ({
  tool: new McpSchema.Tool({
    name: tool.name,
    title: tool.operation.summary,
    description: tool.description,
    inputSchema: {
      type: "object",
      properties: tool.properties,
      required: [...tool.required],
      additionalProperties: false
    },
    annotations: {
      ...hints(tool.operation),
      openWorldHint: isRemote
    }
  }),
  annotations: Context.empty(),
  handle: (payload: unknown) =>
    Effect.gen(function* () {
      const input = yield* validate(tool, payload)
      const completeInput = { ...input, ...("repo" in tool.properties ? repositoryOf(input, defaultRepository) : {}) }
      if (confirm === "ask" && !Operation.isReversible(tool.operation, input))
        yield* Confirmation.confirm(tool, completeInput)
      const deadline = (yield* Clock.currentTimeMillis) + MAX_WAIT
      const cursors = codecFor(tool.name, completeInput)
      const texts = yield* Effect.provideService(tool.run(input, { cursors, deadline }), Forge, forge)
      return result(texts, false)
    }).pipe(
      Effect.catch((error) =>
        Effect.map(Clock.currentTimeMillis, (now) => result([describeFailure(error, { tool, names, now })], true))
      )
    )
})

/** Returns the MCP annotations that follow from the operation's declared `effect`. */
const hints = (operation: Operation.Operation) => ({
  title: operation.summary,
  readOnlyHint: operation.effect === "read",
  destructiveHint: operation.effect === "update" || operation.effect === "delete" || !Operation.isReversible(operation),
  idempotentHint: operation.idempotent
})

const result = (texts: ReadonlyArray<string>, isError: boolean) =>
  new McpSchema.CallToolResult({
    content: texts.map((text) => ({ type: "text", text })),
    ...(isError ? { isError } : {})
  })

/** Validates arguments. Fails with a `ToolError` that lists every unknown, missing and invalid argument. */
const validate = (tool: Tool, payload: unknown): Effect.Effect<Readonly<Record<string, unknown>>, ToolError> => {
  const input: Record<string, unknown> = typeof payload === "object" && payload !== null ? { ...payload } : {}
  const names = Object.keys(tool.properties)
  const problems = [
    ...Object.keys(input)
      .filter((name) => !names.includes(name))
      .map((name) => `unknown argument ${JSON.stringify(name)}, expected one of ${names.join(", ")}`),
    ...tool.required.filter((name) => input[name] === undefined).map((name) => `${name} is missing`),
    ...Object.entries(input).flatMap(([name, value]) => {
      const property = tool.properties[name]
      const requirement = property === undefined ? undefined : violatedRequirement(property, value)
      return requirement === undefined ? [] : [`${name} must be ${requirement}`]
    })
  ]
  return problems.length === 0
    ? Effect.succeed(input)
    : Effect.fail(new ToolError({ detail: `Invalid arguments: ${problems.join("; ")}.` }))
}

const hasType = (value: unknown, type: string): boolean => {
  switch (type) {
    case "integer":
      return Number.isInteger(value)
    case "array":
      return Array.isArray(value)
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value)
    default:
      return typeof value === type
  }
}

/** Returns the requirement that a value violates, for example `one of asc, desc`. */
const violatedRequirement = (
  { enum: values, maximum = Infinity, minimum = -Infinity, type }: Property,
  value: unknown
) => {
  if (!hasType(value, type)) return `of type ${type}`
  if (values !== undefined && !values.some((one) => one === value)) return `one of ${values.join(", ")}`
  if (typeof value !== "number" || (value >= minimum && value <= maximum)) return undefined
  return Number.isFinite(maximum) ? `from ${minimum} to ${maximum}` : `at least ${minimum}`
}

/** Maximum number of characters in a failure's message, which can quote the arguments of the call. */
const MAX_MESSAGE_LENGTH = 1_000

const describeFailure = (error: Failure.Failure | ToolError, context: RecoveryHint.Context): string => {
  const message = sanitizeText(error.message)
  const shown = message.length > MAX_MESSAGE_LENGTH ? `${message.slice(0, MAX_MESSAGE_LENGTH)}…` : message
  return [shown, RecoveryHint.hintFor(error, context)].filter((text) => text !== "").join(" ")
}
