import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { json } from "../base/Output.ts"
import { runner } from "../CommandRunner.test-support.ts"
import type * as Stub from "../ForgeStub.test-support.ts"

/** A forge that responds to everything and records the requests. */
const recorder = (options: Parameters<typeof runner>[1] = {}) => {
  const asked: Array<Stub.StubRequest> = []
  const tongs = runner((one) => {
    asked.push(one)
    return { body: one.body ?? {} }
  }, options)
  return { asked, tongs, lines: () => asked.map(({ method, path }) => `${method} ${path}`) }
}

describe("the method", () => {
  it.effect("is a flag, the first argument, or derived from the body", () =>
    Effect.gen(function* () {
      const { lines, tongs } = recorder()
      yield* tongs("api", "-X", "post", "/x")
      yield* tongs("api", "--method", "DELETE", "/x")
      yield* tongs("api", "PUT", "/x")
      yield* tongs("api", "/x", "-f", "a=1")
      yield* tongs("api", "-X", "GET", "/x", "-f", "a=1")
      assert.deepStrictEqual(lines(), ["POST /x", "DELETE /x", "PUT /x", "POST /x", "GET /x?a=1"])
      assert.strictEqual((yield* tongs("api", "-X", "POST", "PUT", "/x")).code, 2)
      assert.strictEqual((yield* tongs("api", "-X", "FETCH", "/x")).code, 2)
      assert.strictEqual((yield* tongs("api", "-X", "TRACE", "/x")).code, 2)
      assert.strictEqual((yield* tongs("api", "/x/../y")).code, 2)
      assert.strictEqual(lines().length, 5)
    })
  )
})

describe("--paginate", () => {
  it.effect("prints an empty list as [], and a response without a list unchanged", () =>
    Effect.gen(function* () {
      const bodies: Readonly<Record<string, unknown>> = {
        "/none": [],
        "/found": { total_count: 0, items: [] },
        "/user": { login: "mona" }
      }
      const tongs = runner(({ path }) => ({ body: bodies[path.replace(/\?.*/, "")] }))
      const printed = (path: string) =>
        Effect.map(tongs("api", path, "--paginate"), ({ stdout }): unknown => JSON.parse(stdout))
      assert.deepStrictEqual(yield* printed("/none"), [])
      assert.deepStrictEqual(yield* printed("/found"), [])
      assert.deepStrictEqual(yield* printed("/user"), { login: "mona" })
    })
  )
})

describe("a hostile response", () => {
  const nested = (levels: number) => JSON.parse("[".repeat(levels) + "]".repeat(levels)) as unknown // any JSON

  it.effect("is printed without indentation or rejected if nested deeply", () =>
    Effect.gen(function* () {
      const printed = yield* runner(() => ({ body: nested(1_500) }))("api", "/x")
      assert.strictEqual(printed.code, 0)
      assert.lengthOf(printed.stdout, 3_001)
      const body = { message: "m", x: nested(3_000) }
      for (const [whole, flags] of [
        [body, []],
        [[body], ["--paginate"]]
      ] as const) {
        const refused = yield* runner(() => ({ body: whole }))("api", "/x", ...flags)
        assert.deepStrictEqual(
          [refused.code, refused.stderr.split("\n")[0]],
          [2, "tongs: The JSON is nested more than 2000 levels deep."]
        )
      }
      const failed = yield* runner(() => ({ status: 422, body }))("api", "/x")
      assert.deepStrictEqual([failed.code, JSON.parse(failed.stdout)], [1, { message: "m" }])
    })
  )

  it("escapes invisible characters on a terminal", () => {
    const text = json({ message: "a\u001b[31m\u009b2J\u202e\u200b\u3164\udc00" }, true)
    assert.notMatch(text, /[\u0000-\u0009\u007f-\u009f\u202e\u200b\u3164]/)
    assert.deepStrictEqual(JSON.parse(text), { message: "a\u001b[31m\u009b2J\u202e\u200b\u3164\udc00" })
  })
})

describe("headers", () => {
  it.effect("are sent, and joined if they share a name", () =>
    Effect.gen(function* () {
      const { asked, tongs } = recorder()
      const given = ["-H", "Accept: text/plain", "--header", "X-One:1", "-H", "x-one: 2"]
      assert.strictEqual((yield* tongs("api", "/x", ...given)).code, 0)
      assert.deepInclude(asked[0]?.headers, { accept: "text/plain", "x-one": "1, 2" })
    })
  )

  it.effect("may not contain credentials or line breaks, and are never quoted", () =>
    Effect.gen(function* () {
      const { asked, tongs } = recorder()
      for (const header of [
        "Authorization: secret",
        "COOKIE: secret",
        "Host: secret",
        "x: secret\nsecret",
        "secret",
        "a b: secret"
      ]) {
        const { code, stderr } = yield* tongs("api", "/x", "-H", header)
        assert.strictEqual(code, 2, header)
        assert.notInclude(stderr, "secret")
      }
      assert.deepStrictEqual(asked, [])
    })
  )
})

describe("a body", () => {
  it.effect("is sent from a file unchanged, with fields in the query", () =>
    Effect.gen(function* () {
      const { asked, lines, tongs } = recorder()
      const folder = mkdtempSync(join(tmpdir(), "tongs-api-"))
      const file = join(folder, "body")
      writeFileSync(file, "[1,2]")
      yield* tongs("api", "/x", "--input", file, "-f", "a=1")
      writeFileSync(file, "# Hello")
      yield* tongs("api", "PUT", "/x", "--input", file, "-H", "content-type: text/plain")
      assert.deepStrictEqual(lines(), ["POST /x?a=1", "PUT /x"])
      assert.deepStrictEqual(
        asked.map(({ body, headers }) => [body, headers["content-type"]]),
        [
          [[1, 2], "application/json"],
          ["# Hello", "text/plain"]
        ]
      )
      assert.strictEqual((yield* tongs("api", "GET", "/x", "--input", file)).code, 2)
      const missing = yield* tongs("api", "/x", "--input", join(folder, "none"))
      assert.strictEqual(missing.code, 2)
      assert.include(missing.stderr, "no such file")
      rmSync(folder, { recursive: true })
    })
  )

  it.effect("is built from fields as in gh api", () =>
    Effect.gen(function* () {
      const { asked, tongs } = recorder()
      const fields = [
        "a=1",
        "list[]=x",
        "list[]=y",
        "deep[er][est]=z",
        "rows[][name]=n",
        "rows[][value]=v",
        "rows[][name]=m"
      ]
      yield* tongs("api", "/x", ...fields.flatMap((field) => ["-f", field]), "-F", "n=1.5", "-F", "none[]")
      assert.deepStrictEqual(asked[0]?.body, {
        a: "1",
        list: ["x", "y"],
        deep: { er: { est: "z" } },
        rows: [{ name: "n", value: "v" }, { name: "m" }],
        n: 1.5,
        none: []
      })
      for (const given of [
        ["a=1", "a=2"],
        ["a=1", "a[]=2"],
        ["a[]=1", "a[b]=2"],
        ["a[b]=1", "a[b][c]=2"],
        ["a"],
        ["__proto__=1"]
      ]) {
        const { code } = yield* tongs("api", "/x", ...given.flatMap((field) => ["-f", field]))
        assert.strictEqual(code, 2, given.join(" "))
      }
    })
  )
})

describe("a media type", () => {
  it.effect("is requested by its name, and a raw file is printed unchanged", () =>
    Effect.gen(function* () {
      const accepts: Array<string | undefined> = []
      const tongs = runner(({ headers }) => {
        accepts.push(headers["accept"])
        return { body: '{"a":1}' }
      })
      assert.strictEqual((yield* tongs("api", "/x", "--media-type", "raw")).stdout, '{"a":1}')
      assert.strictEqual((yield* tongs("api", "/x", "--media-type", "full")).stdout, '{\n  "a": 1\n}\n')
      assert.strictEqual((yield* tongs("api", "/x", "--media-type", "gif")).code, 2)
      assert.deepStrictEqual(accepts, ["application/vnd.service.raw+json", "application/vnd.service.full+json"])
    })
  )
})

describe("{owner} and {repo}", () => {
  it.effect("come from --repo or the working directory, and are explained if missing", () =>
    Effect.gen(function* () {
      const { lines, tongs } = recorder()
      yield* tongs("api", "repos/{owner}/{repo}/tags")
      yield* tongs("api", "repos/{owner}/{repo}/tags", "-R", "mona/other")
      assert.deepStrictEqual(lines(), ["GET /repos/octo/hello/tags", "GET /repos/mona/other/tags"])
      const repositoryProblem = "the working directory has no git remote"
      const { tongs: nowhere } = recorder({ connection: { repository: undefined, repositoryProblem } })
      const { code, stderr } = yield* nowhere("api", "repos/{owner}/{repo}")
      assert.strictEqual(code, 2)
      assert.include(stderr, repositoryProblem)
      assert.strictEqual((yield* nowhere("api", "repos/{owner}/{repo}", "--repo", "mona")).code, 2)
    })
  )
})
