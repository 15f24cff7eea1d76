/** A forge whose responses a test computes, resources for this forge, and a client that follows answers to the end. */
import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import type { Connection } from "@tongs/connection/Connection"
import { CommitSummary, FileChange } from "@tongs/core/contract/groups/Commits"
import * as Samples from "@tongs/core/contract/Samples.test-support"
import { texts } from "../McpClient.test-support.ts"
import * as TestServer from "../TestServer.test-support.ts"
import type * as ToolServer from "../ToolServer.ts"

/** A response of the forge. */
export interface Answer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: unknown
}

/** Returns the page of a list that a URL requests by number. */
export const page = (
  url: URL,
  items: ReadonlyArray<unknown>,
  wrap: (items: ReadonlyArray<unknown>) => unknown = (items) => items
): Answer => {
  const size = Number(url.searchParams.get("per_page") ?? 30)
  const number = Number(url.searchParams.get("page") ?? 1)
  return part(url, items, { start: (number - 1) * size, size, next: ["page", String(number + 1)] }, wrap)
}

/** Returns the page of a list that a URL requests by cursor. */
export const cursorPage = (url: URL, items: ReadonlyArray<unknown>): Answer => {
  const size = Number(url.searchParams.get("per_page") ?? 30)
  const start = Number(url.searchParams.get("cursor") ?? 0)
  return part(url, items, { start, size, next: ["cursor", String(start + size)] }, (items) => items)
}

const part = (
  url: URL,
  items: ReadonlyArray<unknown>,
  { next, size, start }: { readonly start: number; readonly size: number; readonly next: readonly [string, string] },
  wrap: (items: ReadonlyArray<unknown>) => unknown
): Answer => {
  const following = new URL(url)
  following.searchParams.set(...next)
  return {
    body: wrap(items.slice(start, start + size)),
    ...(start + size < items.length ? { headers: { link: `<${following.href}>; rel="next"` } } : {})
  }
}

/** Returns a resource with every member that the schema declares. The caller gives some of the values. */
export const resource = (schema: Schema.Top, given: object): object => ({ ...Object(Samples.of(schema)), ...given })

/** Returns a commit id. */
export const sha = (number: number): string => number.toString(16).padStart(7, "0").padEnd(40, "a")

export const commit = (
  number: number,
  {
    author = null,
    email = "mona@example.com",
    message = `Subject ${number}`,
    name = "Mona"
  }: {
    readonly author?: object | null
    readonly email?: string
    readonly message?: string
    readonly name?: string
  } = {}
): object => {
  const signature = { name, email, date: new Date(Date.UTC(2026, 0, 31) - number * 60_000).toISOString() }
  return resource(CommitSummary, {
    sha: sha(number),
    author,
    committer: null,
    parents: [{ sha: sha(number + 1), url: "u" }],
    commit: {
      url: "u",
      author: signature,
      committer: signature,
      message,
      comment_count: 0,
      tree: { sha: sha(0), url: "u" }
    }
  })
}

/** Returns a change to a file. */
export const change = (filename: string, given: object = {}): object => ({
  ...resource(FileChange, { filename, status: "modified", additions: 1, deletions: 0, changes: 1, patch: "@@\n+a" }),
  previous_filename: undefined,
  ...given
})

/** Connects a client to the tools of a forge. `requests` are the paths that the forge received. */
export const connect = Effect.fnUntraced(function* (
  respond: (url: URL) => Answer | "never" | undefined,
  options: Partial<ToolServer.Options> = {},
  kind: Connection["Service"]["kind"] = "embedded"
) {
  const requests: Array<string> = []
  const http = HttpClient.make((request, url) =>
    Effect.suspend(() => {
      requests.push(url.pathname)
      const answer = respond(url) ?? { status: 404, body: { message: "Not Found" } }
      if (answer === "never") return Effect.never
      const { body, headers = {}, status = 200 } = answer
      return Effect.succeed(HttpClientResponse.fromWeb(request, Response.json(body, { status, headers })))
    })
  )
  const defaultRepository = { owner: "octo", repo: "hello" }
  const client = yield* TestServer.connect(TestServer.forge(http, { kind, defaultRepository }), options)

  /** Calls a tool. Returns the text of the answer. */
  const read = (name: string, args: Readonly<Record<string, unknown>>) =>
    Effect.map(client.callTool({ name, arguments: args }), (result) => texts(result).join("\n"))

  /** Calls a tool that answers with structured content. */
  const data = (name: string, args: Readonly<Record<string, unknown>>) =>
    Effect.map(client.callTool({ name, arguments: args }), ({ structuredContent }): Data => Object(structuredContent))

  /** Follows an answer with structured content to the end. Returns all items. */
  const walk = Effect.fnUntraced(function* (name: string, args: Readonly<Record<string, unknown>>) {
    const items: Array<Readonly<Record<string, unknown>>> = []
    let next: Readonly<Record<string, unknown>> | undefined = args
    let calls = 0
    for (; next !== undefined; calls++) {
      if (calls > 200) return yield* Effect.die(`${name} does not end`)
      const answer: Data = yield* data(name, next)
      items.push(...answer.items)
      next = answer.next
    }
    return { items, calls }
  })

  return { client, read, data, walk, requests }
})

/** Structured content of an answer. */
export interface Data {
  readonly source: Readonly<Record<string, unknown>>
  readonly items: ReadonlyArray<Readonly<Record<string, unknown>>>
  readonly next?: Readonly<Record<string, unknown>>
  readonly notes?: ReadonlyArray<string>
}
