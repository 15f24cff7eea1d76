/** Every tool, registered through one adapter: answers travel once, as text, and failures say what to do next. */
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
import * as RecoveryHint from "./RecoveryHint.ts"
import * as CommitTool from "./CommitTool.ts"
import * as Confirmation from "./Confirmation.ts"
import * as SignedCursor from "./SignedCursor.ts"
import * as FileContentsTool from "./FileContentsTool.ts"
import * as OperationTool from "./OperationTool.ts"
import * as SearchCodeTool from "./SearchCodeTool.ts"
import * as TreeTool from "./TreeTool.ts"
import { sanitizeText } from "../output/SafeText.ts"
import { type RepositoryName, repositoryOf, type Property, type Tool, ToolError } from "./Tool.ts"

/** How long a call may wait for budget before it fails and says until when, in milliseconds. */
const PATIENCE = 30_000

/** The name of a group or an operation in the names of tools: `gitRefs` is `git_refs`. */
const normal = (name: string) => Operation.snake(name).toLowerCase()

/** The groups of the contract. */
export const toolsets: ReadonlyArray<string> = [
  ...new Set(Catalog.entries.map(({ group }) => normal(group).replaceAll("_", "-")))
]

export const hasToolset = (name: string): boolean => toolsets.includes(normal(name).replaceAll("_", "-"))

export interface Selection {
  readonly toolsets?: ReadonlyArray<string>
  readonly allowWrites: boolean
  readonly confirm: "ask" | "never"
}

/** Tools with their own arguments or answers, by name. */
const handWritten: Readonly<Record<string, typeof OperationTool.make>> = {
  search_code: SearchCodeTool.make,
  commits_get: CommitTool.make,
  file_contents: FileContentsTool.make,
  git_trees_get: TreeTool.make
}

/** The tools of a selection: one for each operation. */
export const tools = (
  { allowWrites, toolsets }: Pick<Selection, "allowWrites" | "toolsets">,
  here: RepositoryName | undefined
): ReadonlyArray<Tool> => {
  const wanted = toolsets?.map(normal)
  const entries = Catalog.entries.filter(
    (entry) => (entry.readonly || allowWrites) && wanted?.includes(normal(entry.group)) !== false
  )
  return entries.map((entry) => (handWritten[entry.tool] ?? OperationTool.make)(entry, here))
}

export const layer = (selection: Selection) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const registry = yield* McpServer.McpServer
      const forge = yield* Forge
      const { repository: here, kind } = yield* Connection
      const offered = tools(selection, here)
      const cursorsOf = SignedCursor.make()
      const names = offered.map(({ name }) => name)
      for (const tool of offered)
        yield* registry.addTool(
          registration(tool, { cursorsOf, here, forge, names, isRemote: kind === "remote", confirm: selection.confirm })
        )
    })
  )

interface Around {
  readonly cursorsOf: ReturnType<typeof SignedCursor.make>
  readonly here: RepositoryName | undefined
  readonly forge: Forge["Service"]
  /** The tools that there are. */
  readonly names: ReadonlyArray<string>
  readonly isRemote: boolean
  readonly confirm: Selection["confirm"]
}

const registration = (tool: Tool, { confirm, cursorsOf, forge, here, isRemote, names }: Around) => ({
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
      const input = yield* checked(tool, payload)
      const complete = { ...input, ...("repo" in tool.properties ? repositoryOf(input, here) : {}) }
      if (confirm === "ask" && !Operation.isReversible(tool.operation, input))
        yield* Confirmation.require(tool, complete)
      const deadline = (yield* Clock.currentTimeMillis) + PATIENCE
      const cursors = cursorsOf(tool.name, complete)
      const texts = yield* Effect.provideService(tool.run(input, { cursors, deadline }), Forge, forge)
      return result(texts, false)
    }).pipe(
      Effect.catch((error) =>
        Effect.map(Clock.currentTimeMillis, (now) => result([explain(error, { tool, names, now })], true))
      )
    )
})

/** What a host may show or decide by, from the effect that the contract declares. */
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

/** Arguments that a tool has, all that it needs, each of the kind and in the bounds that its schema says. */
const checked = (tool: Tool, payload: unknown): Effect.Effect<Readonly<Record<string, unknown>>, ToolError> => {
  const given: Record<string, unknown> = typeof payload === "object" && payload !== null ? { ...payload } : {}
  const names = Object.keys(tool.properties)
  const problems = [
    ...Object.keys(given)
      .filter((name) => !names.includes(name))
      .map((name) => `there is no argument ${JSON.stringify(name)}; there are ${names.join(", ")}`),
    ...tool.required.filter((name) => given[name] === undefined).map((name) => `${name} is missing`),
    ...Object.entries(given).flatMap(([name, value]) => {
      const property = tool.properties[name]
      const problem = property === undefined ? undefined : problemOf(property, value)
      return problem === undefined ? [] : [`${name} is ${problem}`]
    })
  ]
  return problems.length === 0
    ? Effect.succeed(given)
    : Effect.fail(new ToolError({ detail: `Wrong arguments: ${problems.join("; ")}.` }))
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

/** What is wrong with an argument, as `not one of asc, desc`. */
const problemOf = ({ enum: values, maximum = Infinity, minimum = -Infinity, type }: Property, value: unknown) => {
  if (!hasType(value, type)) return `not of type ${type}`
  if (values !== undefined && !values.some((one) => one === value)) return `not one of ${values.join(", ")}`
  if (typeof value !== "number" || (value >= minimum && value <= maximum)) return undefined
  return Number.isFinite(maximum) ? `not from ${minimum} to ${maximum}` : `less than ${minimum}`
}

/** Characters of a failure: an agent needs no more, and what it gave may be in it. */
const MAX_FAILURE = 1_000

/** The failure, and what the agent can do about it. */
const explain = (error: Failure.Failure | ToolError, context: RecoveryHint.Context): string => {
  const message = sanitizeText(error.message)
  const shown = message.length > MAX_FAILURE ? `${message.slice(0, MAX_FAILURE)}…` : message
  return [shown, RecoveryHint.hintFor(error, context)].filter((text) => text !== "").join(" ")
}
