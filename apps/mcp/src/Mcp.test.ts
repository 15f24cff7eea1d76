import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Stream } from "effect"
import { McpTest } from "effect/ai"
import { HttpClient, HttpClientResponse } from "effect/http"
import { Connection } from "@tongs/connection/Connection"
import { Forge } from "@tongs/core/client/Forge"
import { Scheduler } from "@tongs/core/limits/Scheduler"
import { protocolVersions } from "./Mcp.ts"
import * as ToolRegistry from "./tools/ToolRegistry.ts"
import * as TokenEstimate from "./output/TokenEstimate.ts"
import { MAX_RESULT_TOKENS } from "./output/Truncation.ts"
import type { RepositoryName } from "./tools/Tool.ts"

const baseUrl = "http://forge.test"
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

/** One such patch fits into a result, two do not. */
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

/** Free-form data, whose members must all stay, even those with the names of API links. */
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
  url: `${baseUrl}/repos/octo/hello/hooks/1`,
  ping_url: `${baseUrl}/repos/octo/hello/hooks/1/pings`,
  test_url: `${baseUrl}/repos/octo/hello/hooks/1/tests`,
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
  "GET /repos/octo/hello/git/ref/heads%2Fmain": {
    body: { ref: "refs/heads/\u202emain", node_id: "N", url: "u", object: { type: "commit", sha, url: "u" } }
  },
  "GET /repos/octo/hello/branches?per_page=30": {
    link: `<${baseUrl}/repos/octo/hello/branches?per_page=30&page=2>; rel="next"`,
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
  "GET /user": { status: 401, body: { message: "Bad credentials" } }
}

/** The requests that the forge received. */
const sent: Array<string> = []

const http = HttpClient.make((request, url) =>
  Effect.sync(() => {
    sent.push(`${request.method} ${url.pathname}${url.search}`)
    const response = responses[`${request.method} ${url.pathname}${url.search}`] ?? {
      status: 404,
      body: { message: "Not Found" }
    }
    const headers = {
      "content-type": "application/json",
      ...(response.link === undefined ? {} : { link: response.link })
    }
    const body = response.body === undefined ? null : JSON.stringify(response.body)
    return HttpClientResponse.fromWeb(request, new Response(body, { status: response.status ?? 200, headers }))
  })
)

const forge = (defaultRepository: RepositoryName | undefined) =>
  Layer.mergeAll(
    Layer.provide(Forge.layer({ baseUrl }), Layer.succeed(HttpClient.HttpClient, http)),
    Layer.succeed(Connection, {
      kind: "embedded",
      label: "embedded forge",
      baseUrl,
      repository: defaultRepository,
      notices: [],
      changes: Stream.empty
    })
  ).pipe(Layer.provide(Scheduler.layerMemory))

const connect = (
  selection: Partial<ToolRegistry.Selection> = {},
  defaultRepository: RepositoryName | null = { owner: "octo", repo: "hello" }
) =>
  McpTest.makeClient(
    ToolRegistry.layer({ allowWrites: false, confirm: "ask", ...selection }).pipe(
      Layer.provide(forge(defaultRepository ?? undefined))
    ),
    { protocols: protocolVersions }
  )

/** The text blocks of a tool result. */
const texts = (result: { readonly content: ReadonlyArray<{ readonly type: string }> }) =>
  result.content.map((part) => ("text" in part ? String(part.text) : part.type))

describe("the list of tools", () => {
  it.effect("has the read operations with their arguments and annotations", () =>
    Effect.gen(function* () {
      const { tools } = yield* (yield* connect()).listTools({})
      const names = tools.map(({ name }) => name)
      assert.includeMembers(names, [
        "git_refs_get",
        "commits_list",
        "search_code",
        "file_contents",
        "repositories_mine"
      ])
      assert.notInclude(names, "git_refs_create")
      const get = tools.find(({ name }) => name === "git_refs_get")
      assert.deepStrictEqual(get?.inputSchema.required, ["ref"])
      assert.include(JSON.stringify(get?.inputSchema.properties?.owner), "Default: octo.")
      assert.deepInclude(get?.annotations, { title: "Get a reference", readOnlyHint: true, destructiveHint: false })
      const direction = tools.find(({ name }) => name === "repositories_mine")?.inputSchema.properties?.direction
      assert.deepInclude(direction, { type: "string", enum: ["asc", "desc"] })
    })
  )

  it.effect("has writes only with allowWrites, and only the selected toolsets", () =>
    Effect.gen(function* () {
      const { tools } = yield* (yield* connect({ allowWrites: true, toolsets: ["git-refs"] })).listTools({})
      assert.deepStrictEqual(
        tools.map(({ name }) => name),
        ["git_refs_matching", "git_refs_get", "git_refs_create", "git_refs_update", "git_refs_delete"]
      )
      const hints = Object.fromEntries(tools.map(({ annotations, name }) => [name, annotations?.destructiveHint]))
      assert.deepStrictEqual(hints, {
        git_refs_matching: false,
        git_refs_get: false,
        git_refs_create: false,
        git_refs_update: true,
        git_refs_delete: true
      })
    })
  )

  it("accepts any spelling of a toolset", () => {
    for (const name of ["git-refs", "gitRefs", "git_refs"]) assert.isTrue(ToolRegistry.hasToolset(name), name)
    assert.isFalse(ToolRegistry.hasToolset("gitrefs"))
  })

  it.effect("describes the items of arrays and the properties of objects", () =>
    Effect.gen(function* () {
      const { tools } = yield* (yield* connect({ allowWrites: true })).listTools({})
      const properties = (name: string) => tools.find((tool) => tool.name === name)?.inputSchema.properties
      const config = properties("repository_hooks_create")?.config
      assert.deepInclude(config, { type: "object", required: ["url"] })
      assert.nestedPropertyVal(config, "properties.url.type", "string")
      assert.deepInclude(properties("git_commits_create")?.parents, { type: "array", items: { type: "string" } })
      assert.deepInclude(properties("project_views_create_for_user")?.visible_fields, { items: { type: "integer" } })
      const rules = JSON.stringify(properties("rulesets_create")?.rules)
      assert.include(rules, '"enum":["required_linear_history"]')
      assert.notMatch(JSON.stringify(tools), /\$ref|900719/)
    })
  )

  it.effect("requires owner and repo without a default repository", () =>
    Effect.gen(function* () {
      const { tools } = yield* (yield* connect({}, null)).listTools({})
      const required = tools.find(({ name }) => name === "git_refs_get")?.inputSchema.required
      assert.deepStrictEqual(required, ["owner", "repo", "ref"])
    })
  )
})

describe("a tool call", () => {
  it.effect("returns one text without API links, with hidden characters escaped", () =>
    Effect.gen(function* () {
      const client = yield* connect()
      const result = yield* client.callTool({ name: "git_refs_get", arguments: { ref: "heads/main" } })
      assert.isUndefined(result.structuredContent)
      assert.deepStrictEqual(
        texts(result).map((text) => JSON.parse(text)),
        [{ ref: "refs/heads/<U+202E>main", object: { type: "commit", sha } }]
      )
      const verbose = yield* client.callTool({ name: "git_refs_get", arguments: { ref: "heads/main", verbose: true } })
      assert.deepInclude(JSON.parse(texts(verbose)[0] ?? ""), { node_id: "N", url: "u" })
    })
  )

  it.effect("returns a long list in parts without losing items", () =>
    Effect.gen(function* () {
      const client = yield* connect()
      const names: Array<string> = []
      let cursor: string | undefined
      let answers = 0
      do {
        const result = yield* client.callTool({
          name: "branches_list",
          arguments: cursor === undefined ? {} : { cursor }
        })
        const [text = ""] = texts(result)
        assert.isAtMost(TokenEstimate.estimateTokens(text), MAX_RESULT_TOKENS)
        const { items, nextCursor } = JSON.parse(text)
        names.push(...items.map((item: { readonly name: string }) => item.name.replaceAll("x", "")))
        cursor = nextCursor
        answers += 1
      } while (cursor !== undefined)
      assert.deepStrictEqual(names, [...Array.from({ length: 30 }, (_, index) => String(index)), "last"])
      assert.isAbove(answers, 2)
    })
  )

  it.effect("accepts a cursor only for the call that it came from, and sends no request for any other", () =>
    Effect.gen(function* () {
      const client = yield* connect()
      const list = (name: string, given: Record<string, unknown>) =>
        Effect.map(client.callTool({ name, arguments: given }), (result) => texts(result)[0] ?? "")
      const { nextCursor } = JSON.parse(yield* list("branches_list", {}))
      // Naming the default repository and changing per_page keep a cursor valid.
      const named = { owner: "octo", repo: "hello", cursor: nextCursor, verbose: true, per_page: 5 }
      assert.include(yield* list("branches_list", named), '"items":[')
      const another = yield* (yield* connect()).callTool({ name: "branches_list", arguments: { cursor: nextCursor } })
      const bytes = Buffer.from(nextCursor, "base64url")
      const page = { page: Buffer.from(JSON.stringify({ next: `${baseUrl}/user` })).toString("base64url"), skip: 0 }
      const forged = [
        Buffer.from(JSON.stringify(page)),
        Buffer.concat([bytes.subarray(0, 16), Buffer.from(JSON.stringify(page))]),
        Buffer.concat([Buffer.alloc(16), bytes.subarray(16)]),
        bytes.subarray(0, 16),
        bytes.subarray(0, -1)
      ].map((bytes) => bytes.toString("base64url"))
      sent.length = 0
      for (const cursor of forged) assert.match(yield* list("branches_list", { cursor }), /Invalid cursor/)
      const other = { owner: "octo", repo: "other", cursor: nextCursor }
      assert.match(yield* list("branches_list", other), /Invalid cursor/)
      assert.match(yield* list("tags_list", { cursor: nextCursor }), /Invalid cursor/)
      assert.match(texts(another)[0] ?? "", /Invalid cursor/)
      assert.deepStrictEqual(sent, [])
    })
  )

  it.effect("keeps the target of a webhook, and removes API links", () =>
    Effect.gen(function* () {
      const client = yield* connect()
      const read = (name: string, given: Record<string, unknown>) =>
        Effect.map(client.callTool({ name, arguments: given }), (result) => JSON.parse(texts(result)[0] ?? ""))
      const { config, url } = yield* read("repository_hooks_get", { hook_id: 1 })
      assert.deepStrictEqual([config.url, url], ["https://hooks.example/in", undefined])
      assert.strictEqual((yield* read("repository_hooks_get_config", { hook_id: 1 })).url, "https://hooks.example/in")
      assert.deepStrictEqual((yield* read("repository_hooks_list", {})).items[0].config, {
        url: "https://hooks.example/in",
        content_type: "json"
      })
      const delivery = yield* read("repository_hooks_delivery", { hook_id: 1, delivery_id: 2 })
      assert.strictEqual(delivery.url, "https://hooks.example/in")
      assert.deepStrictEqual(delivery.request.payload, payload)
    })
  )

  it.effect("returns a long tree and a long folder in parts without losing entries", () =>
    Effect.gen(function* () {
      const client = yield* connect()
      const all = Effect.fnUntraced(function* (name: string, given: Record<string, unknown>) {
        const paths: Array<string> = []
        let cursor: string | undefined
        do {
          const [text = ""] = texts(
            yield* client.callTool({ name, arguments: cursor === undefined ? given : { ...given, cursor } })
          )
          assert.isAtMost(TokenEstimate.estimateTokens(text), MAX_RESULT_TOKENS)
          const { items, nextCursor } = JSON.parse(text)
          paths.push(...items.map((item: { readonly path: string }) => item.path.replaceAll("x", "")))
          cursor = nextCursor
        } while (cursor !== undefined)
        return paths
      })
      const numbers = (folder: string, length: number) => Array.from({ length }, (_, index) => `${folder}/${index}`)
      assert.deepStrictEqual(yield* all("git_trees_get", {}), ["link", "src"])
      assert.deepStrictEqual(yield* all("git_trees_get", { recursive: true }), [
        "link",
        "src",
        ...numbers("src", 1_000)
      ])
      assert.deepStrictEqual(yield* all("git_trees_get", { path: "/src/" }), numbers("src", 1_000))
      assert.deepStrictEqual(yield* all("file_contents", { path: "folder" }), numbers("folder", 900))
    })
  )

  it.effect("shows modes and ids of a tree only with verbose", () =>
    Effect.gen(function* () {
      const client = yield* connect()
      const read = (given: Record<string, unknown>) =>
        Effect.map(client.callTool({ name: "git_trees_get", arguments: given }), (result) =>
          JSON.parse(texts(result)[0] ?? "")
        )
      assert.deepStrictEqual(yield* read({}), {
        total_count: 2,
        items: [
          { path: "link", type: "link", size: 1 },
          { path: "src", type: "tree" }
        ]
      })
      assert.deepStrictEqual((yield* read({ verbose: true })).items[1], {
        path: "src",
        mode: "040000",
        type: "tree",
        sha
      })
      assert.include((yield* read({ path: "nowhere" })).note, "No entries")
    })
  )

  it.effect("includes the committer only if it differs from the author", () =>
    Effect.gen(function* () {
      const client = yield* connect()
      const read = (commit_sha: string) =>
        Effect.map(client.callTool({ name: "git_commits_get", arguments: { commit_sha } }), (result) =>
          JSON.parse(texts(result)[0] ?? "")
        )
      assert.hasAllKeys(yield* read(sha), ["sha", "author", "message", "tree", "parents"])
      assert.strictEqual((yield* read("2".repeat(40))).committer.name, "Hubot")
    })
  )

  it.effect("reads a long commit by file or folder, with or without patches", () =>
    Effect.gen(function* () {
      const client = yield* connect()
      const read = (given: Record<string, unknown>) =>
        Effect.map(client.callTool({ name: "commits_get", arguments: { ref: "main", ...given } }), (result) => {
          const { files, note } = JSON.parse(texts(result)[0] ?? "")
          return { files: files.map(({ filename }: { readonly filename: string }) => filename), first: files[0], note }
        })
      const all = yield* read({})
      assert.deepStrictEqual(all.files, ["src/a.ts", "src/b.ts", "srcs"])
      assert.match(all.first.patch, /more characters\)$/)
      const one = yield* read({ path: "src/a.ts" })
      assert.deepStrictEqual([one.files, one.first.patch.length], [["src/a.ts"], patch.length])
      const bare = yield* read({ path: "/src/", patch: false })
      assert.deepStrictEqual(bare.files, ["src/a.ts", "src/b.ts"])
      assert.notProperty(bare.first, "patch")
      assert.include((yield* read({ path: "nowhere" })).note, "no changes in this path")
    })
  )

  it.effect("keeps the links of a response that contains only links", () =>
    Effect.gen(function* () {
      const result = yield* (yield* connect()).callTool({ name: "root_get", arguments: {} })
      assert.include(texts(result)[0], "http://forge.test/user")
    })
  )

  it.effect("reads a long file in parts, and keeps tabs", () =>
    Effect.gen(function* () {
      const client = yield* connect()
      const lines: Array<string> = []
      let start: number | undefined = 1
      while (start !== undefined) {
        const [about = "", text = ""]: ReadonlyArray<string> = texts(
          yield* client.callTool({ name: "file_contents", arguments: { path: "f", start_line: start } })
        )
        assert.isAtMost(TokenEstimate.estimateTokens(text), MAX_RESULT_TOKENS)
        lines.push(...text.split("\n"))
        start = JSON.parse(about).next_start_line
      }
      assert.strictEqual(lines.length, 1_000)
      assert.strictEqual(lines[999], `line\t999 ␛[31m${"y".repeat(40)}`)
    })
  )

  it.effect("reads some lines of a file of another repository", () =>
    Effect.gen(function* () {
      const client = yield* connect()
      const result = yield* client.callTool({
        name: "file_contents",
        arguments: { owner: "other", repo: "place", path: "/f", start_line: 2, end_line: 2 }
      })
      assert.deepInclude(JSON.parse(texts(result)[0] ?? ""), { lines: 3, start_line: 2, end_line: 2 })
      assert.strictEqual(texts(result)[1], "b")
    })
  )

  it.effect("reports a failure with the next step", () =>
    Effect.gen(function* () {
      const client = yield* connect({ allowWrites: true })
      const fails = (name: string, given: Record<string, unknown>) =>
        Effect.map(client.callTool({ name, arguments: given }), (result) => {
          assert.isTrue(result.isError, name)
          return texts(result).join("\n")
        })
      assert.match(yield* fails("git_refs_get", { ref: "heads/no" }), /Not Found.*branches_list/)
      assert.match(yield* fails("git_refs_get", {}), /ref is missing/)
      assert.match(yield* fails("git_refs_get", { ref: 1 }), /ref must be of type string/)
      assert.match(
        yield* fails("git_refs_get", { reff: "x" }),
        /unknown argument "reff", expected one of owner, repo, ref/
      )
      assert.match(yield* fails("users_me", {}), /Only the user who runs this server/)
      assert.match(yield* fails("branches_list", { cursor: "???" }), /Invalid cursor/)
      assert.match(yield* fails("branches_list", { per_page: 0 }), /per_page must be from 1 to 100/)
      assert.match(yield* fails("repositories_mine", { direction: "up" }), /direction must be one of asc, desc/)
      assert.match(yield* fails("file_contents", { path: "f", start_line: 0 }), /start_line must be at least 1/)
      assert.isAtMost((yield* fails("file_contents", { path: "x".repeat(100_000) })).length, 1_200)
      assert.notMatch(yield* fails("users_get", { username: "no" }), /branches_list/)
      assert.match(yield* fails("search_code", { query: "size:big x" }), /Write a size in bytes/)
      assert.match(yield* fails("file_contents", { path: "f", start_line: 5_000 }), /lines 1 to 1000/)
    })
  )

  it.effect("decodes text, and marks binary content", () =>
    Effect.gen(function* () {
      const client = yield* connect()
      const read = (file_sha: string) =>
        Effect.map(client.callTool({ name: "git_blobs_get", arguments: { file_sha } }), (result) =>
          JSON.parse(texts(result)[0] ?? "")
        )
      assert.deepStrictEqual(yield* read(sha), { sha, size: 5, encoding: "utf-8", content: "ahoy\n" })
      assert.deepStrictEqual(yield* read("2".repeat(40)), { sha, size: 3, binary: true })
      const large = yield* client.callTool({ name: "file_contents", arguments: { path: "large" } })
      assert.include(JSON.parse(texts(large)[0] ?? "").note, "Too large")
    })
  )

  it.effect("suggests other queries if nothing matches", () =>
    Effect.gen(function* () {
      const client = yield* connect()
      const result = yield* client.callTool({ name: "search_code", arguments: { query: "nowhere" } })
      assert.deepInclude(JSON.parse(texts(result)[0] ?? ""), { total_count: 0, items: [] })
      assert.include(texts(result)[0], "Try fewer or shorter words")
    })
  )

  it.effect("reports that a write is done", () =>
    Effect.gen(function* () {
      const client = yield* connect({ allowWrites: true, confirm: "never" })
      const result = yield* client.callTool({ name: "git_refs_delete", arguments: { ref: "heads/old" } })
      assert.deepStrictEqual(texts(result), ['{"done":"Delete a reference"}'])
    })
  )

  it.effect("that cannot be undone sends no request unless the user allows it", () =>
    Effect.gen(function* () {
      const client = yield* connect({ allowWrites: true })
      const run = (name: string, given: Record<string, unknown>) =>
        Effect.map(client.callTool({ name, arguments: given }), (result) => texts(result).join("\n"))
      const update = { ref: "heads/old", sha }
      sent.length = 0
      assert.match(yield* run("git_refs_delete", { ref: "heads/old" }), /nothing was done.*--confirm=never/)
      assert.match(yield* run("git_refs_update", { ...update, force: true }), /nothing was done.*--confirm=never/)
      assert.match(yield* run("repositories_update", { visibility: "public" }), /nothing was done/)
      assert.deepStrictEqual(sent, [])
      assert.match(yield* run("git_refs_update", { ...update, force: false }), /Not Found/)
      assert.deepStrictEqual(sent, ["PATCH /repos/octo/hello/git/refs/heads%2Fold"])
    })
  )
})
