/** A forge with fixed responses, and an MCP client of the server over it. */
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import type { RepositoryName } from "./call/Call.ts"
import * as TestServer from "./TestServer.test-support.ts"
import type * as ToolServer from "./ToolServer.ts"

const sha = "1".repeat(40)
const branch = (name: string) => ({ name, commit: { sha, url: "http://forge.test/x" }, protected: false })
const long = "x".repeat(2_000)

const file = (text: string) => ({
  type: "file",
  size: text.length,
  name: "f",
  path: "f",
  sha,
  url: "",
  git_url: null,
  html_url: null,
  download_url: null,
  _links: { self: "", git: null, html: null },
  encoding: "base64",
  content: Buffer.from(text).toString("base64")
})

const blob = (text: string) => ({
  sha,
  node_id: "",
  size: text.length,
  url: "",
  encoding: "base64",
  content: Buffer.from(text).toString("base64")
})

const signature = { name: "Mona", email: "mona@example.com", date: "2026-01-31T12:00:00Z" }

const gitCommit = (committer: string) => ({
  sha,
  node_id: "",
  url: "u",
  html_url: "u",
  author: signature,
  committer: { ...signature, name: committer },
  message: "m",
  tree: { sha, url: "u" },
  parents: [],
  verification: { verified: false, reason: "unsigned", signature: null, payload: null, verified_at: null }
})

const tree = (recursive: boolean) => ({
  sha,
  url: "u",
  truncated: false,
  tree: [
    { path: "link", mode: "120000", type: "blob", sha, size: 1, url: "u" },
    { path: "src", mode: "040000", type: "tree", sha, url: "u" },
    ...Array.from({ length: recursive ? 1_000 : 0 }, (_, index) => ({
      path: `src/${index}${"x".repeat(50)}`,
      mode: "100644",
      type: "blob",
      sha,
      size: index,
      url: "u"
    }))
  ]
})

const change = (filename: string, patch: string) => ({
  sha,
  filename,
  status: "modified",
  additions: 1,
  deletions: 0,
  changes: 1,
  blob_url: "u",
  raw_url: "u",
  contents_url: "u",
  patch
})

/** One such patch fits into a result, but two do not. */
const patch = "+const value = call(argument)\n".repeat(450)

const commit = {
  sha,
  node_id: "",
  url: "u",
  html_url: "u",
  comments_url: "u",
  commit: { ...gitCommit("Mona"), comment_count: 0 },
  author: null,
  committer: null,
  parents: [],
  stats: { additions: 2, deletions: 0, total: 2 },
  files: [change("src/a.ts", patch), change("src/b.ts", patch), change("srcs", "+c")]
}

/** Free-form data, whose members must all stay, even members with the names of API links. */
const payload = { url: "u", node_id: "n", _links: {}, empty: null, sender: { login: "mona", avatar_url: "a" } }

const hook = {
  type: "Repository",
  id: 1,
  name: "web",
  active: true,
  events: ["push"],
  config: { url: "https://hooks.example/in", content_type: "json" },
  updated_at: "2026-01-31T12:00:00Z",
  created_at: "2026-01-31T12:00:00Z",
  url: `${TestServer.BASE_URL}/repos/octo/hello/hooks/1`,
  ping_url: `${TestServer.BASE_URL}/repos/octo/hello/hooks/1/pings`,
  test_url: `${TestServer.BASE_URL}/repos/octo/hello/hooks/1/tests`,
  last_response: { code: null, status: "unused", message: null }
}

const delivery = {
  id: 2,
  guid: "g",
  delivered_at: "2026-01-31T12:00:00Z",
  redelivery: false,
  duration: 0.1,
  status: "OK",
  status_code: 200,
  event: "push",
  action: null,
  installation_id: null,
  repository_id: null,
  url: "https://hooks.example/in",
  request: { headers: null, payload },
  response: { headers: null, payload: null }
}

const responses: Readonly<
  Record<string, { readonly status?: number; readonly link?: string; readonly body: unknown }>
> = {
  "GET /repos/octo/hello/git/matching-refs/heads%2Fma": {
    body: [{ ref: "refs/heads/main", node_id: "N", url: "u", object: { type: "commit", sha, url: "u" } }]
  },
  "GET /repos/octo/hello/git/matching-refs/tags%2Fma": { body: [] },
  "GET /repos/octo/hello/git/ref/heads%2Fmain": {
    body: { ref: "refs/heads/\u202emain", node_id: "N", url: "u", object: { type: "commit", sha, url: "u" } }
  },
  "GET /repos/octo/hello/branches?per_page=30": {
    link: `<${TestServer.BASE_URL}/repos/octo/hello/branches?per_page=30&page=2>; rel="next"`,
    body: Array.from({ length: 30 }, (_, index) => branch(`${index}${long}`))
  },
  "GET /repos/octo/hello/branches?per_page=30&page=2": { body: [branch("last")] },
  "GET /repos/octo/hello/contents/f": {
    body: file(Array.from({ length: 1_000 }, (_, index) => `line\t${index} \u001b[31m${"y".repeat(40)}`).join("\n"))
  },
  "GET /repos/octo/hello/contents/large": { body: { ...file(""), encoding: "none", content: "", size: 2_000_000 } },
  [`GET /repos/octo/hello/git/blobs/${sha}`]: { body: blob("ahoy\n") },
  [`GET /repos/octo/hello/git/blobs/${"2".repeat(40)}`]: { body: blob("\u0000\u0001\u0002") },
  "GET /search/code?q=nowhere&per_page=30": { body: { total_count: 0, incomplete_results: false, items: [] } },
  "GET /repos/octo/hello/commits/main": { body: commit },
  "GET /repos/octo/hello/hooks?per_page=30": { body: [hook] },
  "GET /repos/octo/hello/hooks/1": { body: hook },
  "GET /repos/octo/hello/hooks/1/config": { body: hook.config },
  "GET /repos/octo/hello/hooks/1/deliveries/2": { body: delivery },
  "GET /": { body: { current_user_url: "http://forge.test/user" } },
  "GET /repos/octo/hello/git/trees/HEAD": { body: tree(false) },
  "GET /repos/octo/hello/git/trees/HEAD?recursive=1": { body: tree(true) },
  "GET /repos/octo/hello/contents/folder": {
    body: Array.from({ length: 900 }, (_, index) => ({ ...file(""), path: `folder/${index}${"x".repeat(50)}` }))
  },
  [`GET /repos/octo/hello/git/commits/${"1".repeat(40)}`]: { body: gitCommit("Mona") },
  [`GET /repos/octo/hello/git/commits/${"2".repeat(40)}`]: { body: gitCommit("Hubot") },
  "GET /repos/other/place/contents/f": { body: file("a\nb\nc\n") },
  "DELETE /repos/octo/hello/git/refs/heads%2Fold": { status: 204, body: undefined },
  "GET /user/blocks/wrecker": { status: 204, body: undefined },
  "PUT /user/blocks/tilda": { status: 204, body: undefined },
  "PUT /user/blocks/failing": { status: 500, body: { message: "Internal error" } },
  "GET /orgs/octo/actions/permissions/artifact-and-log-retention": { body: { days: 90, maximum_allowed_days: 400 } },
  "PUT /orgs/octo/actions/permissions/artifact-and-log-retention": { status: 204, body: undefined },
  "GET /user": { status: 401, body: { message: "Bad credentials" } }
}

/** The requests that the forge received. */
export const sent: Array<string> = []

const http = HttpClient.make((request, url) =>
  Effect.suspend(() => {
    sent.push(`${request.method} ${url.pathname}${url.search}`)
    if (url.pathname.endsWith("/hanging")) return Effect.never
    const response = responses[`${request.method} ${url.pathname}${url.search}`] ?? {
      status: 404,
      body: { message: "Not Found" }
    }
    const headers = {
      "content-type": "application/json",
      ...(response.link === undefined ? {} : { link: response.link })
    }
    const body = response.body === undefined ? null : JSON.stringify(response.body)
    return Effect.succeed(
      HttpClientResponse.fromWeb(request, new Response(body, { status: response.status ?? 200, headers }))
    )
  })
)

/** Connects a client to the tools. */
export const connect = (
  selection: Partial<ToolServer.Options> = {},
  defaultRepository: RepositoryName | null = { owner: "octo", repo: "hello" }
) => TestServer.connect(TestServer.forge(http, { defaultRepository: defaultRepository ?? undefined }), selection)

/** The text blocks of a tool result. */
export const texts = (result: { readonly content: ReadonlyArray<{ readonly type: string }> }) =>
  result.content.map((part) => ("text" in part ? String(part.text) : part.type))
