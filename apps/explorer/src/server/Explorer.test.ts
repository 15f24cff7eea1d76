import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Explorer from "./Explorer.ts"
import * as Stub from "./FakeForge.test-support.ts"
import { get, json, pageFolder, reply, start, token } from "./TestServer.test-support.ts"

describe("serve", () => {
  it.live("serves the page for every view", () =>
    Effect.gen(function* () {
      const url = yield* start
      for (const path of ["", "search?q=a.ts", "file?repo=octo/hello&path=a.ts", "tree?repo=octo/hello"]) {
        const { status, text } = yield* get(`${url}${path}`, { accept: "text/html" })
        assert.deepStrictEqual([status, text.includes("<title>page</title>")], [200, true], path)
      }
    }).pipe(Effect.provide(Stub.layer({})))
  )

  it.live("names the port that is in use", () =>
    Effect.gen(function* () {
      const url = yield* start
      const page = yield* pageFolder
      const port = Number(new URL(url).port)
      const error = yield* Effect.flip(Explorer.serve({ port, host: "127.0.0.1", page, token }))
      assert.strictEqual(error.reason, "PortInUse")
      assert.strictEqual(
        error.message,
        `Port ${port} is in use. Choose another with --port, or 0 for any that is free.`
      )
    }).pipe(Effect.provide(Stub.layer({})))
  )

  it.live("fails if the page is not built", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(Explorer.serve({ port: 0, host: "127.0.0.1", page: "/nowhere", token }))
      assert.strictEqual(error.reason, "PageMissing")
    }).pipe(Effect.provide(Stub.layer({})))
  )

  it.live("interrupts the forge's request when the browser disconnects", () =>
    Effect.gen(function* () {
      const began = yield* Deferred.make<void>()
      const ended = yield* Deferred.make<void>()
      const never = Deferred.succeed(began, undefined).pipe(
        Effect.andThen(Effect.never),
        Effect.onInterrupt(() => Deferred.succeed(ended, undefined))
      )
      yield* Effect.gen(function* () {
        const url = yield* start
        const request = yield* Effect.forkChild(get(`${url}api/search?q=x`))
        yield* Deferred.await(began)
        request.interruptUnsafe()
        yield* Deferred.await(ended)
      }).pipe(Effect.provide(Stub.layer({ "/search/code": never })))
    })
  )

  it.live(
    "ends without waiting for running requests",
    () =>
      Effect.gen(function* () {
        const began = yield* Deferred.make<void>()
        const never = Effect.andThen(Deferred.succeed(began, undefined), Effect.never)
        yield* Effect.gen(function* () {
          const url = yield* start
          yield* Effect.forkDetach(get(`${url}api/search?q=x`))
          yield* Deferred.await(began)
        }).pipe(Effect.scoped, Effect.provide(Stub.layer({ "/search/code": never })))
      }),
    15_000
  )
})

describe("api", () => {
  it.live("connection", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* json(`${yield* start}api/connection`), [
        200,
        {
          kind: "remote",
          label: "forge.example",
          here: { owner: "octo", repo: "hello" },
          notices: ["a notice"],
          capabilities: { index: false },
          workTrees: 0,
          budget: [
            { resource: "code_search", limit: 30, remaining: 28, reset: 1_800_000_000_000 },
            { resource: "core", limit: 5000, remaining: 4999, reset: 1_800_000_000_000 }
          ]
        }
      ])
    }).pipe(
      Effect.provide(
        Stub.layer(
          {
            "/rate_limit": reply({
              resources: {
                core: { limit: 5000, used: 1, remaining: 4999, reset: 1_800_000_000 },
                code_search: { limit: 30, used: 2, remaining: 28, reset: 1_800_000_000 }
              }
            })
          },
          "remote"
        )
      )
    )
  )

  it.live("connection, without limits if the forge is slow to report them", () =>
    Effect.gen(function* () {
      const [status, body] = yield* json(`${yield* start}api/connection`)
      assert.strictEqual(status, 200)
      assert.deepNestedInclude(body, { label: "forge.example", budget: [] })
    }).pipe(Effect.provide(Stub.layer({ "/rate_limit": Effect.never }, "remote")))
  )

  it.live("repositories", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* json(`${yield* start}api/repositories`), [
        200,
        {
          repositories: [
            {
              owner: "octo",
              repo: "hello",
              description: "says hello",
              defaultBranch: "main",
              language: "TypeScript",
              private: false,
              archived: false,
              size: 1024,
              pushedAt: "2026-01-02T03:04:05Z"
            }
          ],
          more: false
        }
      ])
    }).pipe(Effect.provide(Stub.layer({ "/user/repos": reply([Stub.repository]) })))
  )

  const latest = (date: string, message: string) => ({
    ...Stub.commit,
    commit: { ...Stub.commit.commit, message, author: { name: "Ada", email: "", date } }
  })

  it.live("activity of the readable repositories, newest first", () =>
    Effect.gen(function* () {
      const names = ["octo/hello", "octo/empty", "octo/other", "no-name"].map((name) => `repo=${name}`).join("&")
      const change = (repo: string, date: string, summary: string) => ({
        owner: "octo",
        repo,
        commit: Stub.commitId,
        author: "Ada",
        date,
        summary
      })
      assert.deepStrictEqual(yield* json(`${yield* start}api/activity?days=2&${names}`), [
        200,
        {
          days: [0, 0],
          latest: [
            change("hello", "2026-01-03T00:00:00Z", "third"),
            change("other", "2026-01-02T00:00:00Z", "second"),
            change("hello", "2026-01-01T00:00:00Z", "first")
          ]
        }
      ])
    }).pipe(
      Effect.provide(
        Stub.layer({
          "/repos/octo/hello/commits": reply([
            latest("2026-01-03T00:00:00Z", "third\n\nat length"),
            latest("2026-01-01T00:00:00Z", "first")
          ]),
          "/repos/octo/other/commits": reply([latest("2026-01-02T00:00:00Z", "second")])
        })
      )
    )
  )

  it.live("activity reads few repositories of a remote forge, and tries the extension once", () => {
    const requests: Array<string> = []
    return Effect.gen(function* () {
      const names = Array.from({ length: 9 }, (_, at) => `repo=octo/r${at}`).join("&")
      yield* json(`${yield* start}api/activity?days=2&${names}`)
      assert.deepStrictEqual(requests, [
        "GET /api/v3/tongs/repos/octo/r0/activity?days=2",
        ...["r0", "r1", "r2"].map((repo) => `GET /api/v3/repos/octo/${repo}/commits?per_page=100`)
      ])
    }).pipe(Effect.provide(Stub.layer({}, "remote", requests)))
  })

  const searching: Stub.Replies = {
    "/search/code": Effect.succeed({
      headers: { link: '<https://forge.example/api/v3/search/code?q=hit&page=2>; rel="next"' },
      body: { total_count: 40, incomplete_results: true, items: [Stub.found("src/a.ts", "the hit", [4, 7])] }
    }),
    [`/repos/octo/hello/git/blobs/${"b".repeat(40)}`]: reply({
      sha: "b".repeat(40),
      node_id: "B",
      url: "",
      size: 20,
      encoding: "base64",
      content: Stub.base64("one\ntwo\nthe hit\n")
    })
  }

  const page = (line: number | null) => ({
    total: 40,
    incomplete: true,
    hits: [
      {
        owner: "octo",
        repo: "hello",
        path: "src/a.ts",
        inPath: [[0, 3]],
        fragments: [{ text: "the hit", line, matches: [[4, 7]] }]
      }
    ],
    next: 2
  })

  it.live("search adds line numbers if reading files is free", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* json(`${yield* start}api/search?q=hit`), [200, page(3)])
    }).pipe(Effect.provide(Stub.layer(searching)))
  )

  it.live("search sends one request if reading files costs requests", () => {
    const requests: Array<string> = []
    return Effect.gen(function* () {
      assert.deepStrictEqual(yield* json(`${yield* start}api/search?q=hit&page=1`), [200, page(null)])
      assert.deepStrictEqual(requests, ["GET /api/v3/search/code?q=hit&per_page=30&page=1"])
    }).pipe(Effect.provide(Stub.layer(searching, "remote", requests)))
  })

  it.live("an invalid query sends no request", () => {
    const requests: Array<string> = []
    return Effect.gen(function* () {
      const [status, body] = yield* json(`${yield* start}api/search?q=repo:a/b`)
      assert.strictEqual(status, 422)
      assert.propertyVal(body, "kind", "ValidationFailed")
      assert.deepStrictEqual(requests, [])
    }).pipe(Effect.provide(Stub.layer(searching, "remote", requests)))
  })

  it.live("an exhausted budget reports its reset", () =>
    Effect.gen(function* () {
      const [status, body] = yield* json(`${yield* start}api/search?q=hit`)
      assert.strictEqual(status, 429)
      assert.propertyVal(body, "kind", "RateLimited")
      assert.property(body, "until")
    }).pipe(
      Effect.provide(
        Stub.layer(
          {
            "/search/code": Effect.succeed({
              status: 403,
              headers: {
                "x-ratelimit-limit": "30",
                "x-ratelimit-remaining": "0",
                "x-ratelimit-used": "30",
                "x-ratelimit-resource": "code_search",
                "x-ratelimit-reset": "4102444800"
              },
              body: { message: "API rate limit exceeded" }
            })
          },
          "remote"
        )
      )
    )
  )

  const file = (more: Readonly<Record<string, unknown>>) =>
    Effect.gen(function* () {
      return yield* json(`${yield* start}api/file?owner=octo&repo=hello&path=src/a.ts`)
    }).pipe(
      Effect.provide(
        Stub.layer({
          ...Stub.repositoryReplies,
          "/repos/octo/hello/contents/src/a.ts": reply(Stub.entry("src/a.ts", more))
        })
      )
    )

  const answer = (content: unknown, size = 3): [number, unknown] => [
    200,
    { owner: "octo", repo: "hello", path: "src/a.ts", ref: "main", commit: Stub.commitId, size, content }
  ]

  it.live("file, pinned to the commit of the default branch", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(
        yield* file({ encoding: "base64", content: Stub.base64("é\r\n<b>") }),
        answer({ kind: "text", text: "é\r\n<b>" })
      )
      assert.deepStrictEqual(
        yield* file({ encoding: "base64", content: Stub.base64("a\0b") }),
        answer({ kind: "binary" })
      )
      assert.deepStrictEqual(
        yield* file({ encoding: "base64", content: Stub.base64(Uint8Array.of(0xff, 0xfe)) }),
        answer({ kind: "binary" })
      )
      assert.deepStrictEqual(
        yield* file({ encoding: "none", content: "", size: 9_000_000 }),
        answer({ kind: "large" }, 9_000_000)
      )
      assert.deepStrictEqual(yield* file({ type: "symlink", target: "b.ts" }), answer({ kind: "link", target: "b.ts" }))
      assert.deepStrictEqual(
        yield* file({ type: "submodule" }),
        answer({ kind: "submodule", url: null, commit: "b".repeat(40) })
      )
    })
  )

  it.live("tree, folders first", () =>
    Effect.gen(function* () {
      const [status, body] = yield* json(`${yield* start}api/tree?owner=octo&repo=hello&ref=${Stub.commitId}`)
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(body, {
        owner: "octo",
        repo: "hello",
        path: "",
        ref: Stub.commitId,
        commit: Stub.commitId,
        entries: [
          { name: "src", path: "src", kind: "dir", size: 0 },
          { name: "a2", path: "a2", kind: "file", size: 3 },
          { name: "a10", path: "a10", kind: "file", size: 3 }
        ],
        total: 3
      })
    }).pipe(
      Effect.provide(
        Stub.layer({
          "/repos/octo/hello/contents": reply([
            Stub.entry("a10"),
            Stub.entry("a2"),
            Stub.entry("src", { type: "dir", size: 0 })
          ])
        })
      )
    )
  )

  it.live("refs", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* json(`${yield* start}api/refs?owner=octo&repo=hello`), [
        200,
        { branches: ["main", "feature/x"], tags: ["v1"], more: false }
      ])
    }).pipe(
      Effect.provide(
        Stub.layer({
          "/repos/octo/hello/branches": reply(
            ["main", "feature/x"].map((name) => ({ name, commit: { sha: Stub.commitId, url: "" }, protected: false }))
          ),
          "/repos/octo/hello/tags": reply([
            { name: "v1", commit: { sha: Stub.commitId, url: "" }, zipball_url: "", tarball_url: "", node_id: "T" }
          ])
        })
      )
    )
  )

  it.live("failures with a kind and a message", () =>
    Effect.gen(function* () {
      const url = yield* start
      const [status, body] = yield* json(`${url}api/file?owner=octo&repo=none&path=x`)
      assert.strictEqual(status, 404)
      assert.propertyVal(body, "kind", "NotFound")
      assert.deepStrictEqual(yield* json(`${url}api/file?owner=octo`), [
        400,
        { kind: "BadRequest", message: 'Invalid request. Missing key\n  at ["repo"]' }
      ])
      assert.deepStrictEqual(yield* json(`${url}api/nothing`), [
        404,
        { kind: "NotFound", message: "Unknown path /api/nothing." }
      ])
    }).pipe(Effect.provide(Stub.layer({})))
  )
})
