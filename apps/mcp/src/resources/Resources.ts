/** Resources: files, commits and references by URI, with the same answers as the tools for reading. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as McpSchema from "effect/ai/McpSchema"
import type * as McpServer from "effect/ai/McpServer"
import type { Forge } from "@tongs/core/client/Forge"
import type * as Failure from "@tongs/core/contract/Failure"
import type { Arguments } from "../answer/Answer.ts"
import type { RepositoryName } from "../call/Call.ts"
import type { Tool } from "../call/Tool.ts"
import type { ToolError } from "../call/ToolError.ts"
import * as Completions from "./Completions.ts"
import * as ResourceError from "./ResourceError.ts"

/** The parts of the server that resources use. */
export interface Options {
  readonly forge: Forge["Service"]
  readonly defaultRepository: RepositoryName | undefined
  /** The tools whose answers resources have. */
  readonly tools: ReadonlyArray<Tool>
  readonly run: (
    tool: Tool,
    args: Arguments
  ) => Effect.Effect<
    McpSchema.CallToolResult | McpSchema.InputRequired,
    Failure.Failure | ToolError,
    McpSchema.McpRequestContext
  >
  /** Formats a failure for the agent. */
  readonly describe: (error: Failure.Failure | ToolError, tool: Tool) => Effect.Effect<string>
}

/** The tool call that reads a resource. */
interface Call {
  readonly tool: string
  readonly args: Arguments
}

/** Whole files, up to the maximum size of an answer. */
const ALL_LINES = "1-999999999"

/** Registers the resources and the templates. */
export const register = Effect.fnUntraced(function* (server: McpServer.McpServer["Service"], options: Options) {
  const completions = Completions.make(options.forge, options.defaultRepository)
  const { owner, path, ref, repo, sha } = completions
  yield* server.addResource({
    resource: new McpSchema.Resource({
      uri: "forge://limits",
      name: "limits",
      description: "Rate limits of the credential",
      mimeType: "text/plain"
    }),
    annotations: Context.empty(),
    handle: Effect.catchTag(
      read("forge://limits", { tool: "limits", args: {} }, options),
      "InvalidParams",
      ({ message }) => Effect.fail(new McpSchema.InternalError({ message }))
    )
  })
  const template = (
    name: string,
    uriTemplate: string,
    routerPath: string,
    description: string,
    completions: Readonly<Record<string, Completions.Complete>>,
    call: (parts: Parts) => Call
  ) =>
    server.addResourceTemplate({
      template: new McpSchema.ResourceTemplate({ uriTemplate, name, description }),
      annotations: Context.empty(),
      routerPath,
      completions,
      handle: (uri) => {
        const parts = parse(uri)
        return parts === undefined ? Effect.fail(ResourceError.notFound(uri)) : read(uri, call(parts), options)
      }
    })
  yield* template(
    "contents",
    "forge://{owner}/{repo}/contents/{path}{?ref}",
    "forge:://:0/:1/contents/*",
    "A file with line numbers, or the files of a folder if the path ends with a slash",
    { owner, repo, path, ref },
    ({ ref, repo, rest }) => {
      const args = { repo, path: rest, ...(ref === undefined ? {} : { ref }) }
      return rest === "" || rest.endsWith("/")
        ? { tool: "list_files", args }
        : { tool: "read_file", args: { ...args, lines: ALL_LINES } }
    }
  )
  yield* template(
    "commit",
    "forge://{owner}/{repo}/commits/{sha}",
    "forge:://:0/:1/commits/*",
    "A commit with its files",
    { owner, repo, sha },
    ({ repo, rest }) => ({ tool: "read_commit", args: { repo, ref: rest } })
  )
  yield* template(
    "refs",
    "forge://{owner}/{repo}/refs",
    "forge:://:0/:1/refs",
    "Branches and tags with their commits",
    { owner, repo },
    ({ repo }) => ({ tool: "list_refs", args: { repo, kind: "all" } })
  )
})

interface Parts {
  readonly repo: string
  /** The path after the kind of the resource, decoded. */
  readonly rest: string
  readonly ref: string | undefined
}

/** Parses a URI such as `forge://octo/hello/contents/src/a.ts?ref=main`. Slashes of the path may be encoded. */
const parse = (uri: string): Parts | undefined => {
  const [, owner, repo, rest = "", query = ""] =
    /^forge:\/\/([^/?#]+)\/([^/?#]+)\/\w+\/?([^?#]*)(?:\?([^#]*))?$/.exec(uri) ?? []
  if (owner === undefined || repo === undefined) return undefined
  try {
    return {
      repo: `${decodeURIComponent(owner)}/${decodeURIComponent(repo)}`,
      rest: decodeURIComponent(rest),
      ref: new URLSearchParams(query).get("ref") ?? undefined
    }
  } catch {
    return undefined
  }
}

const read = Effect.fnUntraced(function* (uri: string, { args, tool: name }: Call, { describe, run, tools }: Options) {
  const tool = tools.find((one) => one.name === name)
  if (tool === undefined) return yield* ResourceError.notFound(uri)
  const result = yield* run(tool, args).pipe(
    Effect.catch((error) =>
      Effect.flatMap(describe(error, tool), (message) => Effect.fail(ResourceError.make(error, uri, message)))
    )
  )
  return contents(uri, name, result)
})

const contents = (uri: string, tool: string, result: McpSchema.CallToolResult | McpSchema.InputRequired) => {
  if ("_tag" in result) return { contents: [] }
  const embedded = result.content.flatMap((part) => (part.type === "resource" ? [{ ...part.resource, uri }] : []))
  if (embedded.length > 0) return { contents: embedded }
  if (result.structuredContent !== undefined)
    return { contents: [{ uri, mimeType: "application/json", text: JSON.stringify(result.structuredContent) }] }
  const text = result.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n")
  return { contents: [{ uri, mimeType: "text/plain", text: nameTool(text, tool) }] }
}

/** Names the tool in the call that continues the answer: the last line, outside of the frame. */
const nameTool = (text: string, tool: string): string =>
  text.replace(/\nMore: call again with (?=\{[^\n]*\}$)/, `\nMore: call ${tool} with `)
