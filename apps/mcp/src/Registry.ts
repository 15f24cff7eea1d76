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
import * as FileContents from "./FileContents.ts"
import * as OperationTool from "./OperationTool.ts"
import * as SearchCode from "./SearchCode.ts"
import { safe } from "./Text.ts"
import type { Place, Tool } from "./Tool.ts"
import { ToolProblem } from "./Tool.ts"

/** How long a call may wait for budget before it fails and says until when, in milliseconds. */
const PATIENCE = 30_000

/** The name of a group or an operation in the names of tools: `gitRefs` is `git_refs`. */
const normal = (name: string) => OperationTool.snake(name).replaceAll("-", "_").toLowerCase()

/** The groups of the contract. */
export const toolsets: ReadonlyArray<string> = [
  ...new Set(Catalog.entries.map(({ group }) => normal(group).replaceAll("_", "-")))
]

export interface Selection {
  readonly toolsets?: ReadonlyArray<string>
  readonly allowWrites: boolean
}

/** The tools of a selection. Two operations have a tool of their own kind: code search and file contents. */
export const tools = ({ allowWrites, toolsets }: Selection, here: Place | undefined): ReadonlyArray<Tool> => {
  const wanted = toolsets?.map(normal)
  const entries = Catalog.entries.filter(
    (entry) => (entry.readonly || allowWrites) && wanted?.includes(normal(entry.group)) !== false
  )
  return entries.map((entry) => {
    if (entry.group === "search" && entry.name === "code") return SearchCode.make(here)
    if (entry.group === "contents" && entry.name === "get") return FileContents.make(entry, here)
    return OperationTool.make(entry, here)
  })
}

export const layer = (selection: Selection) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const registry = yield* McpServer.McpServer
      const forge = yield* Forge
      const { here, kind } = yield* Connection
      for (const tool of tools(selection, here)) yield* registry.addTool(registration(tool, forge, kind === "remote"))
    })
  )

const registration = (tool: Tool, forge: Forge["Service"], isRemote: boolean) => ({
  tool: new McpSchema.Tool({
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: {
      type: "object",
      properties: tool.properties,
      required: [...tool.required],
      additionalProperties: false
    },
    annotations: {
      title: tool.title,
      readOnlyHint: tool.readonly,
      destructiveHint: !tool.readonly,
      idempotentHint: tool.readonly,
      openWorldHint: isRemote
    }
  }),
  annotations: Context.empty(),
  handle: (payload: unknown) =>
    Effect.gen(function* () {
      const input = yield* checked(tool, payload)
      const deadline = (yield* Clock.currentTimeMillis) + PATIENCE
      const texts = yield* Effect.provideService(tool.run(input, { deadline }), Forge, forge)
      return result(texts, false)
    }).pipe(Effect.catch((error) => Effect.succeed(result([explain(error)], true))))
})

const result = (texts: ReadonlyArray<string>, isError: boolean) =>
  new McpSchema.CallToolResult({
    content: texts.map((text) => ({ type: "text", text })),
    ...(isError ? { isError } : {})
  })

/** Arguments that a tool has, all that it needs, each of the kind it is. */
const checked = (tool: Tool, payload: unknown): Effect.Effect<Readonly<Record<string, unknown>>, ToolProblem> => {
  const given: Record<string, unknown> = typeof payload === "object" && payload !== null ? { ...payload } : {}
  const names = Object.keys(tool.properties)
  const problems = [
    ...Object.keys(given)
      .filter((name) => !names.includes(name))
      .map((name) => `there is no argument ${JSON.stringify(name)}; there are ${names.join(", ")}`),
    ...tool.required.filter((name) => given[name] === undefined).map((name) => `${name} is missing`),
    ...Object.entries(given).flatMap(([name, value]) => {
      const type = tool.properties[name]?.type
      return type === undefined || hasType(value, type) ? [] : [`${name} is not of type ${type}`]
    })
  ]
  return problems.length === 0
    ? Effect.succeed(given)
    : Effect.fail(new ToolProblem({ detail: `Wrong arguments: ${problems.join("; ")}.` }))
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

/** What went wrong, and what the agent can do about it. */
const explain = (error: Failure.Failure | ToolProblem): string =>
  safe([error.message, advice(error)].filter((text) => text !== "").join(" "))

const advice = (error: Failure.Failure | ToolProblem): string => {
  switch (error._tag) {
    case "NotFound":
      return "Check the spelling with repositories_mine, branches_list or file_contents of the folder above."
    case "RateLimited":
      return "Do something else until then; the same call works after it."
    case "Conflict":
      return "Read the present state, then decide again."
    case "Unreachable":
    case "ServiceFailed":
      return "Reading may be tried again."
    case "BadCredentials":
    case "Forbidden":
      return "Only the person who runs this server can change that: tell them."
    case "ToolProblem":
    case "Gone":
    case "ValidationFailed":
    case "UnexpectedResponse":
    case "UntrustedLink":
      return ""
  }
}
