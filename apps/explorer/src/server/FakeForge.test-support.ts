/** A fake forge for tests. Responds by path, without a socket. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import { Connection } from "@tongs/connection/Connection"
import { Forge } from "@tongs/core/client/Forge"
import { repositoryUrls } from "@tongs/core/contract/groups/Repository"
import { Scheduler } from "@tongs/core/limits/Scheduler"
import * as PathText from "@tongs/core/text/PathText"

export interface Reply {
  readonly status?: number
  readonly headers?: Record<string, string>
  /** JSON, or the lines of a stream as one string. */
  readonly body: unknown
}

/** Replies by path, with or without the query. */
export type Replies = Readonly<Record<string, Effect.Effect<Reply>>>

export const TOKEN = "secret-token-of-this-test"
export const commitId = "c".repeat(40)

const BASE = "https://forge.example/api/v3"

/**
 * A connection to a forge with these replies, and 404 for other paths. Adds each request to `requests`. The owner can
 * read `workTrees`.
 */
export const layer = (
  replies: Replies,
  kind: "embedded" | "remote" = "embedded",
  requests: Array<string> = [],
  workTrees: ReadonlyMap<string, string> = new Map()
) => {
  const transport = HttpClient.make((request, url) => {
    requests.push(`${request.method} ${url.pathname}${url.search}`)
    const path = decodeURIComponent(url.pathname.slice(new URL(BASE).pathname.length))
    const reply =
      replies[path + decodeURIComponent(url.search)] ??
      replies[path] ??
      Effect.succeed<Reply>({ status: 404, body: { message: "Not Found" } })
    return Effect.map(reply, ({ body, headers, status }) =>
      HttpClientResponse.fromWeb(
        request,
        new Response(body instanceof ReadableStream ? body : JSON.stringify(body), {
          status: status ?? 200,
          headers: { "content-type": "application/json", ...headers }
        })
      )
    )
  })
  return Layer.mergeAll(
    Forge.layer({ baseUrl: BASE, token: Redacted.make(TOKEN) }),
    Layer.succeed(
      Connection,
      Connection.of({
        kind,
        label: "forge.example",
        baseUrl: BASE,
        repository: { owner: "octo", repo: "hello" },
        searchesWorkTrees: workTrees.size > 0,
        workTrees,
        notices: ["a notice"],
        changes: Stream.empty
      })
    )
  ).pipe(Layer.provide(Layer.succeed(HttpClient.HttpClient, transport)), Layer.provideMerge(Scheduler.layerMemory))
}

export const owner = {
  login: "octo",
  id: 1,
  node_id: "U1",
  avatar_url: "",
  avatar_service_id: "",
  url: "",
  html_url: "",
  followers_url: "",
  following_url: "",
  gists_url: "",
  starred_url: "",
  subscriptions_url: "",
  organizations_url: "",
  repos_url: "",
  events_url: "",
  received_events_url: "",
  type: "User",
  site_admin: false
}

export const summary = {
  id: 7,
  node_id: "R7",
  name: "hello",
  full_name: "octo/hello",
  owner,
  private: false,
  html_url: "",
  description: "says hello",
  fork: false,
  url: "",
  ...Object.fromEntries(repositoryUrls.map((name) => [name, ""]))
}

export const repository = {
  ...summary,
  git_url: "",
  ssh_url: "",
  clone_url: "",
  mirror_url: null,
  svn_url: "",
  homepage: null,
  language: "TypeScript",
  forks_count: 0,
  stargazers_count: 0,
  watchers_count: 0,
  size: 1,
  open_issues_count: 0,
  forks: 0,
  open_issues: 0,
  watchers: 0,
  default_branch: "main",
  archived: false,
  disabled: false,
  has_issues: true,
  has_projects: false,
  has_wiki: false,
  has_pages: false,
  pushed_at: "2026-01-02T03:04:05Z",
  created_at: null,
  updated_at: null,
  license: null
}

export const commit = {
  sha: commitId,
  node_id: "C1",
  url: "",
  html_url: "",
  comments_url: "",
  commit: {
    url: "",
    author: null,
    committer: null,
    message: "first",
    comment_count: 0,
    tree: { sha: "d".repeat(40), url: "" }
  },
  author: null,
  committer: null,
  parents: []
}

/** An entry of a folder: a file, or with `type: "dir"` a folder. */
export const entry = (path: string, more: Readonly<Record<string, unknown>> = {}) => ({
  type: "file",
  size: 3,
  name: PathText.nameOf(path),
  path,
  sha: "b".repeat(40),
  url: "",
  git_url: null,
  html_url: null,
  download_url: null,
  _links: { self: "", git: null, html: null },
  ...more
})

export const base64 = (content: string | Uint8Array): string => Buffer.from(content).toString("base64")

/** A search result with one fragment. */
export const found = (path: string, fragment: string, indices: ReadonlyArray<number>) => ({
  name: PathText.nameOf(path),
  path,
  sha: "b".repeat(40),
  url: "",
  git_url: "",
  html_url: "",
  repository: summary,
  score: 1,
  text_matches: [
    {
      object_url: "",
      object_type: "FileContent",
      property: "content",
      fragment,
      matches: [{ text: fragment.slice(indices[0], indices[1]), indices }]
    },
    {
      object_url: "",
      object_type: "FileContent",
      property: "path",
      fragment: path,
      matches: [{ text: path.slice(0, 3), indices: [0, 3] }]
    }
  ]
})

/** The replies that lead to the commit of the default branch. */
export const repositoryReplies: Replies = {
  "/repos/octo/hello": Effect.succeed({ body: repository }),
  "/repos/octo/hello/commits": Effect.succeed({ body: [commit] })
}
