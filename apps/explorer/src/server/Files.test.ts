import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stub from "./FakeForge.test-support.ts"
import { get, json, reply, start } from "./TestServer.test-support.ts"

const at = (path: string, route = "file") =>
  Effect.map(start, (url) => `${url}api/${route}?owner=octo&repo=hello&path=${encodeURIComponent(path)}`)

const blob = (bytes: string | Uint8Array): Stub.Replies => ({
  [`/repos/octo/hello/git/blobs/${"b".repeat(40)}`]: reply({
    sha: "b".repeat(40),
    node_id: "B",
    url: "",
    size: bytes.length,
    encoding: "base64",
    content: Stub.base64(bytes)
  })
})

const world = (path: string, more: Readonly<Record<string, unknown>>, rest: Stub.Replies = {}) =>
  Stub.layer({
    ...Stub.repositoryReplies,
    [`/repos/octo/hello/contents/${path}`]: reply(Stub.entry(path, more)),
    ...rest
  })

describe("file", () => {
  it.live("reads a blob whose content the entry lacks", () =>
    Effect.gen(function* () {
      const [, body] = yield* json(yield* at("big.txt"))
      assert.deepNestedInclude(body, { "content.kind": "text", "content.text": "all of it" })
    }).pipe(Effect.provide(world("big.txt", { encoding: "none", content: "", size: 1_200_000 }, blob("all of it"))))
  )

  it.live("names the missing path and revision", () =>
    Effect.gen(function* () {
      const [status, body] = yield* json(yield* at("src/none.ts"))
      assert.strictEqual(status, 404)
      assert.include(JSON.stringify(body), "src/none.ts at main")
    }).pipe(Effect.provide(Stub.layer(Stub.repositoryReplies)))
  )

  it.live("names the missing branch", () =>
    Effect.gen(function* () {
      const [status, body] = yield* json(`${yield* at("a.ts")}&ref=nowhere`)
      assert.strictEqual(status, 404)
      assert.include(JSON.stringify(body), "nowhere in octo/hello")
    }).pipe(Effect.provide(Stub.layer({})))
  )
})

describe("tree", () => {
  it.live("reads the git tree of a folder whose contents the forge cuts", () => {
    const name = (index: number) => `f${index}.txt`
    const sha = "b".repeat(40)
    const tree = Array.from({ length: 10_200 }, (_, index) => ({
      path: name(index),
      mode: "100644",
      type: "blob",
      sha,
      size: 3
    }))
    return Effect.gen(function* () {
      const [status, body] = yield* Effect.flatMap(at("big", "tree"), json)
      assert.strictEqual(status, 200)
      assert.deepNestedInclude(body, {
        total: 10_200,
        "entries.length": 10_000,
        "entries[9999].path": "big/f9999.txt"
      })
    }).pipe(
      Effect.provide(
        Stub.layer({
          ...Stub.repositoryReplies,
          "/repos/octo/hello/contents/big": reply(tree.slice(0, 1_000).map(({ path }) => Stub.entry(`big/${path}`))),
          "/repos/octo/hello/contents": reply([Stub.entry("big", { type: "dir" })]),
          [`/repos/octo/hello/git/trees/${sha}`]: reply({ sha, tree, truncated: false })
        })
      )
    )
  })

  const tree = Effect.flatMap(at("", "tree"), json)

  it.live("names the missing repository", () =>
    Effect.gen(function* () {
      const [status, body] = yield* tree
      assert.strictEqual(status, 404)
      assert.include(JSON.stringify(body), '"octo/hello: Not Found')
    }).pipe(Effect.provide(Stub.layer({})))
  )

  it.live("reports a repository without commits", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* tree, [409, { kind: "Conflict", message: "octo/hello: no commits yet." }])
    }).pipe(
      Effect.provide(
        Stub.layer({
          ...Stub.repositoryReplies,
          "/repos/octo/hello/commits": Effect.succeed({ status: 409, body: { message: "Git Repository is empty." } })
        })
      )
    )
  )
})

describe("history", () => {
  const commit = (message: string) => ({
    ...Stub.commit,
    commit: {
      ...Stub.commit.commit,
      author: { name: "Ada", email: "ada@example.org", date: "2026-01-02T03:04:05Z" },
      message
    }
  })

  it.live("lists the commits of a path, with the first line of their messages", () =>
    Effect.gen(function* () {
      const [status, body] = yield* json(yield* at("src/a.ts", "history"))
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(body, {
        commits: [
          { commit: Stub.commitId, author: "Ada", date: "2026-01-02T03:04:05Z", summary: "Say why", path: "src/a.ts" }
        ],
        next: 2
      })
    }).pipe(
      Effect.provide(
        Stub.layer({
          "/repos/octo/hello/commits": Effect.succeed({
            headers: { link: '<https://forge.example/api/v3/repos/octo/hello/commits?page=2>; rel="next"' },
            body: [commit("Say why\n\nAt length.")]
          })
        })
      )
    )
  )
})

describe("raw", () => {
  const raw = (path: string, bytes: string | Uint8Array, destination = "document") =>
    Effect.flatMap(at(path, "raw"), (url) => get(url, { "sec-fetch-dest": destination })).pipe(
      Effect.provide(world(path, { encoding: "base64", content: Stub.base64(bytes) }))
    )

  it.live("is sent as text if a browser could run it", () =>
    Effect.gen(function* () {
      for (const path of ["page.html", "logo.svg", "a.js", "a.xml"]) {
        const { headers, status, text } = yield* raw(path, "<script>alert(1)</script>")
        assert.strictEqual(status, 200)
        assert.strictEqual(text, "<script>alert(1)</script>")
        assert.strictEqual(headers["content-type"], "text/plain; charset=utf-8", path)
        assert.strictEqual(headers["x-content-type-options"], "nosniff")
        assert.strictEqual(
          headers["content-security-policy"],
          "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'"
        )
      }
    })
  )

  it.live("is an SVG image only for an image element", () =>
    Effect.gen(function* () {
      const { headers } = yield* raw("logo.svg", "<svg/>", "image")
      assert.strictEqual(headers["content-type"], "image/svg+xml")
      assert.include(headers["content-security-policy"] ?? "", "sandbox")
      for (const destination of ["iframe", "object", "embed", "empty"]) {
        const { headers } = yield* raw("logo.svg", "<svg/>", destination)
        assert.strictEqual(headers["content-type"], "text/plain; charset=utf-8", destination)
      }
    })
  )

  it.live("is a download with its own name if it is binary", () =>
    Effect.gen(function* () {
      const { headers } = yield* raw("naïve 'a'.bin", Uint8Array.of(1, 0, 2))
      assert.strictEqual(headers["content-type"], "application/octet-stream")
      assert.strictEqual(headers["content-disposition"], "attachment; filename*=UTF-8''na%C3%AFve%20%27a%27.bin")
    })
  )

  it.live("is the target of a symbolic link, and fails for a folder", () =>
    Effect.gen(function* () {
      const { text } = yield* Effect.flatMap(at("ln", "raw"), get).pipe(
        Effect.provide(world("ln", { type: "symlink", target: "över/there" }))
      )
      assert.strictEqual(text, "över/there")
      const { status } = yield* Effect.flatMap(at("sub", "raw"), get).pipe(
        Effect.provide(world("sub", { type: "submodule" }))
      )
      assert.strictEqual(status, 404)
    })
  )
})
