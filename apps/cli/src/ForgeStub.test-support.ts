/** A stub forge for tests of commands, behind the real client. */
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import { Connection } from "@tongs/connection/Connection"
import { Forge } from "@tongs/core/client/Forge"
import { repositoryUrls } from "@tongs/core/contract/groups/Repository"
import { Scheduler } from "@tongs/core/limits/Scheduler"

export interface StubRequest {
  readonly method: string
  /** URL path with query. */
  readonly path: string
  readonly body: unknown
  readonly headers: Readonly<Record<string, string | undefined>>
}

export interface StubResponse {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

export const BASE_URL = "http://forge.test"

/** Provides a connection to a forge that responds with the result of `answer`, or with 404 without a result. */
export const layer = (
  answer: (asked: StubRequest) => StubResponse | undefined,
  connection: Partial<Context.Service.Shape<typeof Connection>> = {}
): Layer.Layer<Connection | Forge | Scheduler> => {
  const http = HttpClient.make((request, url) =>
    Effect.sync(() => {
      const body = request.body._tag === "Uint8Array" ? parsed(new TextDecoder().decode(request.body.body)) : undefined
      const asked = { method: request.method, path: url.pathname + url.search, body, headers: request.headers }
      const found = answer(asked)
      const { headers = {}, status = 200 } = found ?? { status: 404 }
      const data = found === undefined ? { message: "Not Found", status: "404" } : found.body
      const text = data === undefined || status === 205 ? null : typeof data === "string" ? data : JSON.stringify(data)
      return HttpClientResponse.fromWeb(
        request,
        new Response(text, {
          status,
          headers: { "content-type": "application/json", ...headers }
        })
      )
    })
  )
  return Layer.mergeAll(
    Layer.provide(Forge.layer({ baseUrl: BASE_URL }), Layer.succeed(HttpClient.HttpClient, http)),
    Layer.succeed(Connection, {
      kind: "embedded",
      label: "embedded forge",
      baseUrl: BASE_URL,
      repository: { owner: "octo", repo: "hello" },
      notices: [],
      changes: Stream.empty,
      ...connection
    })
  ).pipe(Layer.provideMerge(Scheduler.layerMemory))
}

/** Parses a body as JSON. Returns the text of a body that is not JSON. */
const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

export const sha = (digit: string): string => digit.repeat(40)

const signature = { name: "Mona Lisa", email: "mona@example.com", date: "2026-01-02T03:04:05Z" }

/** Creates a commit as in a list of commits. */
export const commit = (digit: string, message: string) => ({
  url: "",
  sha: sha(digit),
  node_id: "",
  html_url: "",
  comments_url: "",
  commit: {
    url: "",
    author: signature,
    committer: signature,
    message,
    comment_count: 0,
    tree: { sha: sha("9"), url: "" }
  },
  author: null,
  committer: null,
  parents: []
})

/** Creates a branch as in a list of branches. */
export const branch = (name: string) => ({ name, commit: { sha: sha("1"), url: "" }, protected: false })

/** Creates a git reference. */
export const ref = (name: string) => ({
  ref: `refs/${name}`,
  node_id: "",
  url: "",
  object: { type: "commit", sha: sha("1"), url: "" }
})

const owner = {
  login: "octo",
  id: 1,
  node_id: "",
  avatar_service_id: null,
  type: "User",
  site_admin: false,
  ...Object.fromEntries(
    "avatar url html followers following gists starred subscriptions organizations repos events received_events"
      .split(" ")
      .map((name) => [name === "url" ? name : `${name}_url`, ""])
  )
}

/** Creates a repository with all members. */
export const repository = (description: string | null = "A greeting") => ({
  id: 1,
  node_id: "",
  name: "hello",
  full_name: "octo/hello",
  owner,
  private: false,
  html_url: "",
  description,
  fork: false,
  url: "",
  ...Object.fromEntries(repositoryUrls.map((name) => [name, ""])),
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
  has_issues: false,
  has_projects: false,
  has_wiki: false,
  has_pages: false,
  pushed_at: null,
  created_at: null,
  updated_at: null,
  license: null
})
