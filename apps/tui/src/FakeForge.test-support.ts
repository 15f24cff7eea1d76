/** A fake forge for tests of the real client: a repository with many commits, unusual names and control characters. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientError from "effect/http/HttpClientError"
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import { Connection } from "@tongs/connection/Connection"
import { Forge } from "@tongs/core/client/Forge"
import { repositoryUrls } from "@tongs/core/contract/groups/Repository"
import { Scheduler } from "@tongs/core/limits/Scheduler"
import * as PathText from "@tongs/core/text/PathText"

const BASE_URL = "http://forge.test"

export interface FakeRequest {
  readonly method: string
  /** The JSON of the body; undefined without a body. */
  readonly body: unknown
}

/** A response of the fake forge. `body` is sent as JSON; undefined sends no body. */
export interface FakeResponse {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: unknown
}

/** Responses of the fake forge. */
export interface Options {
  readonly kind?: "embedded" | "remote"
  readonly searchesWorkTrees?: boolean
  /** The current repository; by default octo/hello. */
  readonly repository?: { readonly owner: string; readonly repo: string } | undefined
  readonly notices?: ReadonlyArray<string>
  /** Replaces the response for a path. `refuse` refuses the connection, and `hang` never responds. */
  readonly respond?: (
    path: string,
    query: URLSearchParams,
    request: FakeRequest
  ) => FakeResponse | "refuse" | "hang" | undefined
  /** Delays the response for a path until the deferred is done. */
  readonly delay?: (path: string) => Deferred.Deferred<void> | undefined
  /** Called for every request. */
  readonly onRequest?: (path: string, method: string) => void
}

/** Provides a connection to the fake forge. */
export const layer = (options: Options = {}): Layer.Layer<Connection | Forge | Scheduler> => {
  const http = HttpClient.make((request, url) =>
    Effect.gen(function* () {
      const path = decodeURIComponent(url.pathname)
      options.onRequest?.(url.pathname + url.search, request.method)
      const gate = options.delay?.(path)
      if (gate !== undefined) yield* Deferred.await(gate)
      const given = options.respond?.(path, url.searchParams, { method: request.method, body: bodyOf(request) })
      if (given === "hang") return yield* Effect.never
      if (given === "refuse")
        return yield* new HttpClientError.HttpClientError({
          reason: new HttpClientError.TransportError({
            request,
            cause: Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" })
          })
        })
      const { body, headers, status } = { headers: {}, status: 200, ...(given ?? responseFor(path, url.searchParams)) }
      return HttpClientResponse.fromWeb(
        request,
        new Response(body === undefined ? null : JSON.stringify(body), {
          status,
          headers: { "content-type": "application/json", etag: '"as it is now"', ...limits, ...headers }
        })
      )
    })
  )
  return Layer.mergeAll(
    Layer.provide(Forge.layer({ baseUrl: BASE_URL }), Layer.succeed(HttpClient.HttpClient, http)),
    Layer.succeed(Connection, {
      kind: options.kind ?? "embedded",
      label: "embedded forge",
      searchesWorkTrees: options.searchesWorkTrees ?? false,
      baseUrl: BASE_URL,
      repository: "repository" in options ? options.repository : { owner: "octo", repo: "hello" },
      notices: options.notices ?? [],
      changes: Stream.empty
    })
  ).pipe(Layer.provideMerge(Scheduler.layerMemory))
}

const bodyOf = ({ body }: HttpClientRequest.HttpClientRequest): unknown =>
  body._tag === "Uint8Array" ? JSON.parse(new TextDecoder().decode(body.body)) : undefined

const limits = {
  "x-ratelimit-limit": "5000",
  "x-ratelimit-remaining": "4990",
  "x-ratelimit-used": "10",
  "x-ratelimit-reset": "4102444800",
  "x-ratelimit-resource": "core"
}

const responseFor = (path: string, query: URLSearchParams): FakeResponse => {
  if (path === "/user/repos") return page(path, query, repositories)
  if (path.startsWith("/tongs/")) return { status: 501, body: { message: "No extensions" } }
  if (path === "/search/code")
    return page(path, query, matches, (items) => ({ total_count: matches.length, incomplete_results: false, items }))
  const [, , , name = "", ...rest] = path.split("/")
  const under = rest.join("/")
  if (under === "") return { body: repository(name) }
  if (under === "branches") return page(path, query, branches)
  if (under === "tags") return page(path, query, name === "empty" ? [] : tags)
  if (under === "commits")
    return name === "empty"
      ? { status: 409, body: { message: "Git Repository is empty." } }
      : page(path, query, commits)
  if (under.startsWith("commits/"))
    return {
      body: {
        ...commits.find(({ sha }) => `commits/${sha}` === under),
        stats: { additions: 3, deletions: 1, total: 4 },
        files
      }
    }
  if (name === "empty") return { status: 404, body: { message: "This repository is empty." } }
  const entry = contents[under]
  return entry === undefined ? { status: 404, body: { message: "Not Found" } } : { body: entry }
}

/** Creates one page of a list, with links to the next and the last page. */
export const page = (
  path: string,
  query: URLSearchParams,
  all: ReadonlyArray<unknown>,
  wrap = (items: ReadonlyArray<unknown>): unknown => items
): FakeResponse => {
  const size = Number(query.get("per_page") ?? 30)
  const number = Number(query.get("page") ?? 1)
  const last = Math.ceil(all.length / size)
  const link = (page: number, rel: string) =>
    `<${BASE_URL}${path}?${new URLSearchParams({ ...Object.fromEntries(query), page: String(page) }).toString()}>; rel="${rel}"`
  return {
    body: wrap(all.slice((number - 1) * size, number * size)),
    headers: number < last ? { link: `${link(number + 1, "next")}, ${link(last, "last")}` } : {}
  }
}

const hex = (index: number) => index.toString(16).padStart(40, "0")

const owner = {
  ...Object.fromEntries(
    "node_id avatar_url url html_url followers_url following_url gists_url starred_url subscriptions_url organizations_url repos_url events_url received_events_url"
      .split(" ")
      .map((name) => [name, ""])
  ),
  avatar_service_id: null,
  login: "octo",
  id: 1,
  type: "User",
  site_admin: false
}

const counts = "forks_count stargazers_count watchers_count size open_issues_count forks open_issues watchers".split(
  " "
)
const flags = "fork archived disabled has_issues has_projects has_wiki has_pages".split(" ")

const repository = (name: string, description = "") => ({
  ...Object.fromEntries(
    [...repositoryUrls, "git_url", "ssh_url", "clone_url", "svn_url", "node_id", "html_url", "url"].map((key) => [
      key,
      ""
    ])
  ),
  ...Object.fromEntries(counts.map((key) => [key, 0])),
  ...Object.fromEntries(flags.map((key) => [key, false])),
  id: 1,
  name,
  full_name: `octo/${name}`,
  owner,
  private: name === "secret",
  description,
  mirror_url: null,
  homepage: null,
  language: "TypeScript",
  default_branch: "main",
  pushed_at: "2026-01-02T03:04:05Z",
  created_at: null,
  updated_at: null,
  license: null
})

const repositories = [
  repository("hello", "Says hello, in 日本語 and with 👩‍👩‍👧 a family"),
  repository("secret", `hostile \u001b[31mred\u001b[0m text`),
  repository("empty", "Nothing in it yet"),
  repository("a-very-long-name-that-does-not-fit-on-a-narrow-screen-at-all", "x".repeat(200))
]

const branches = ["main", "feature/日本語-と-emoji-🎉", "evil\u001b]0;title\u0007branch", "release/1.x"].map(
  (name, index) => ({
    name,
    commit: { sha: hex(index + 1), url: "" },
    protected: name === "main"
  })
)

const tags = Array.from({ length: 12 }, (_, index) => ({
  name: `v1.${index}.0`,
  commit: { sha: hex(index + 1), url: "" },
  zipball_url: "",
  tarball_url: "",
  node_id: ""
}))

const signature = { name: "Mona Lisa", email: "mona@example.com", date: "2026-01-02T03:04:05Z" }

const subject = (index: number) => {
  if (index === 1)
    return "Evil \u001b[2J subject\u0007 with escapes\n\nA body that is long enough to be wrapped on a narrow screen, because it goes on and on without a break.\n"
  if (index === 2)
    return "広い文字 と 👩‍👩‍👧 emoji in a subject that is rather long, so that it must be cut somewhere on most screens"
  return `Commit number ${index}`
}

/** 251 commits: three pages of the list. */
export const commits = Array.from({ length: 251 }, (_, index) => ({
  url: "",
  sha: hex(index + 4096),
  node_id: "",
  html_url: index === 1 ? "file:///etc/passwd" : `https://forge.test/octo/hello/commit/${hex(index + 4096)}`,
  comments_url: "",
  commit: {
    url: "",
    author: signature,
    committer: signature,
    message: subject(index),
    comment_count: 0,
    tree: { sha: hex(9), url: "" }
  },
  author: null,
  committer: null,
  parents: [{ sha: hex(index + 4097), url: "" }]
}))

/** Creates a changed file of a commit. */
export const file = (filename: string, patch: string | undefined, additions: number, deletions: number) => ({
  sha: hex(7),
  filename,
  status: "modified",
  additions,
  deletions,
  changes: additions + deletions,
  blob_url: null,
  raw_url: null,
  contents_url: "",
  ...(patch === undefined ? {} : { patch })
})

const files = [
  file("src/index.ts", "@@ -1,3 +1,5 @@\n one\n-two\n+zwei\n+\u001b[31mdrei\n three", 2, 1),
  file("src/picture.png", undefined, 0, 0),
  file("docs/long.md", Array.from({ length: 60 }, (_, index) => `+line ${index}`).join("\n"), 60, 0)
]

/** Creates a file with its content, or an entry of a folder. */
export const entry = (type: string, path: string, text?: string) => ({
  type,
  size: text?.length ?? 0,
  name: PathText.nameOf(path),
  path,
  sha: hex(8),
  url: "",
  git_url: null,
  html_url: null,
  download_url: null,
  _links: { self: "", git: null, html: null },
  ...(text === undefined ? {} : { encoding: "base64", content: Buffer.from(text).toString("base64") })
})

const source = Array.from({ length: 80 }, (_, index) =>
  index === 40 ? '\tconst needle = "\u001b[31m" // 41' : `export const line${index + 1} = ${index + 1}`
).join("\n")

const contents: Readonly<Record<string, unknown>> = {
  "contents/": [entry("file", "README.md"), entry("dir", "src"), entry("symlink", "link")],
  contents: [entry("file", "README.md"), entry("dir", "src"), entry("symlink", "link")],
  "contents/src": [entry("file", "src/index.ts"), entry("file", "src/data.bin"), entry("file", "src/none.txt")],
  "contents/src/index.ts": entry("file", "src/index.ts", source),
  "contents/src/data.bin": entry("file", "src/data.bin", "a\u0000b"),
  "contents/src/none.txt": entry("file", "src/none.txt", ""),
  "contents/README.md": entry("file", "README.md", "# Hello\n\nThis is the **readme**.\n\n```sh\nnpm start\n```\n"),
  "contents/link": { ...entry("symlink", "link"), target: "src/index.ts" }
}

const matches = [
  {
    name: "index.ts",
    path: "src/index.ts",
    sha: hex(8),
    url: "",
    git_url: "",
    html_url: "",
    repository: repository("hello"),
    text_matches: [
      {
        object_url: "",
        object_type: "FileContent",
        property: "content",
        fragment: 'export const line40 = 40\n\tconst needle = "\u001b[31m" // 41',
        matches: [{ text: "needle", indices: [32, 38] }]
      }
    ]
  }
]
