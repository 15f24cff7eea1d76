import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { json } from "../../base/Output.ts"
import { runner } from "../../CommandRunner.test-support.ts"
import * as Stub from "../../ForgeStub.test-support.ts"

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
  /** A list of pages, which link to each other. */
  const pages = (...bodies: ReadonlyArray<string>) =>
    runner(({ path }) => {
      const page = Number(/[?&]page=(\d+)/.exec(path)?.[1] ?? 1)
      const next = `<${Stub.BASE_URL}/list?per_page=100&page=${page + 1}>; rel="next"`
      return { body: bodies[page - 1], headers: page < bodies.length ? { link: next } : {} }
    })
  const printed = (tongs: ReturnType<typeof pages>, ...flags: ReadonlyArray<string>) =>
    Effect.map(tongs("api", "/list", "--paginate", ...flags), ({ stdout }) => stdout)

  it.effect("prints pages of arrays as one array, and pages of objects one after the other", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* printed(pages("[]")), "[]")
      assert.strictEqual(yield* printed(pages('{"login":"mona"}')), '{"login":"mona"}')
      assert.strictEqual(yield* printed(pages("[1.0,2]", "[3]", "[4]")), "[1.0,2,3,4]")
      assert.strictEqual(yield* printed(pages("[]", "[3]", "[]")), "[3]")
      assert.strictEqual(yield* printed(pages('{"items":[1]}', '{"items":[2]}')), '{"items":[1]}{"items":[2]}')
    })
  )

  it.effect("prints pages as elements of an array with --slurp", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* printed(pages("[1]", "[2]"), "--slurp"), "[[1],[2]]")
      assert.strictEqual(yield* printed(pages("{}", "{}"), "--slurp"), "[{},{}]")
      const failed = yield* runner(() => undefined)("api", "/x", "--paginate", "--slurp")
      assert.deepStrictEqual([failed.code, failed.stdout], [4, '[{"message":"Not Found","status":"404"}]'])
    })
  )

  it.effect("requests pages of 100, unless the query has their size", () =>
    Effect.gen(function* () {
      const { lines, tongs } = recorder()
      yield* tongs("api", "/x", "--paginate")
      yield* tongs("api", "/x?per_page=2", "--paginate")
      yield* tongs("api", "-X", "GET", "/x", "-F", "per_page=3", "--paginate")
      assert.deepStrictEqual(lines(), ["GET /x?per_page=100", "GET /x?per_page=2", "GET /x?per_page=3"])
    })
  )

  it.effect("requires GET without --input, and --slurp requires it", () =>
    Effect.gen(function* () {
      const { lines, tongs } = recorder()
      for (const flags of [
        ["--paginate", "-X", "POST"],
        ["--paginate", "-f", "a=1"],
        ["--paginate", "--input", "-"],
        ["--slurp"],
        ["--silent", "--verbose"],
        ["--cache", "soon"]
      ])
        assert.strictEqual((yield* tongs("api", "/x", ...flags)).code, 2, flags.join(" "))
      assert.deepStrictEqual(lines(), [])
    })
  )
})

describe("a hostile response", () => {
  const nested = (levels: number) => JSON.parse("[".repeat(levels) + "]".repeat(levels)) as unknown // any JSON

  it.effect("is printed unchanged, and parsed only with flags that need it, up to a depth", () =>
    Effect.gen(function* () {
      const body = { message: "m", x: nested(3_000) }
      for (const [whole, flags] of [
        [body, []],
        [[body], ["--paginate"]]
      ] as const) {
        const printed = yield* runner(() => ({ body: whole }))("api", "/x", ...flags)
        assert.deepStrictEqual([printed.code, printed.stdout], [0, JSON.stringify(whole)])
      }
      const refused = yield* runner(() => ({ body }))("api", "/x", "--verbose")
      assert.deepStrictEqual(
        [refused.code, refused.stderr.split("\n")[0]],
        [2, "tongs: The JSON is nested more than 2000 levels deep."]
      )
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

describe("the response", () => {
  it.effect("has its status and headers with --include, also of an error", () =>
    Effect.gen(function* () {
      const tongs = runner(({ path }) => ({
        status: path === "/x" ? 200 : 422,
        headers: { "x-request-id": "7" },
        body: path === "/x" ? { a: 1 } : { message: "Wrong" }
      }))
      const head = (status: string) => `HTTP/1.1 ${status}\nContent-Type: application/json\r\nX-Request-Id: 7\r\n\r\n`
      assert.strictEqual((yield* tongs("api", "-i", "/x")).stdout, `${head("200 OK")}{"a":1}`)
      assert.strictEqual((yield* tongs("api", "-i", "--silent", "/x")).stdout, head("200 OK"))
      const failed = yield* tongs("api", "-i", "/y")
      assert.deepStrictEqual(
        [failed.code, failed.stdout],
        [1, `${head("422 Unprocessable Entity")}{"message":"Wrong"}`]
      )
    })
  )

  it.effect("is printed with its request by --verbose", () =>
    Effect.gen(function* () {
      const { tongs } = recorder()
      const { stdout } = yield* tongs("api", "/x", "-f", "a=1", "-H", "X-One: 1", "--verbose")
      assert.match(
        stdout,
        /^\* Request to http:\/\/forge\.test\/x\n> POST \/x HTTP\/1\.1\n> Host: forge\.test\n> X-One: 1\n[^]*\n\{"a":"1"\}\n\n< HTTP\/1\.1 200 OK\n[^]*\n\n\{\n {2}"a": "1"\n\}\n\* Request took \d+ms\n$/
      )
    })
  )

  it.effect("is unchanged if it is not text", () =>
    Effect.gen(function* () {
      const { stdout } = yield* runner(() => ({ body: "é\u0000", headers: { "content-type": "application/zip" } }))(
        "api",
        "/x"
      )
      assert.strictEqual(Buffer.from(stdout, "latin1").toString(), "é\u0000")
    })
  )
})

describe("flags of gh", () => {
  it.effect("--preview requests previews, and --template names the alternative", () =>
    Effect.gen(function* () {
      const { asked, tongs } = recorder()
      yield* tongs("api", "-p", "nebula,baptiste", "/x")
      assert.strictEqual(
        asked[0]?.headers["accept"],
        "application/vnd.github.nebula-preview+json, application/vnd.github.baptiste-preview"
      )
      const { code, stderr } = yield* tongs("api", "/x", "-t", "{{.}}")
      assert.deepStrictEqual([code, stderr.includes("Use --jq")], [2, true])
    })
  )

  it.effect("--hostname needs a profile on the host", () =>
    Effect.gen(function* () {
      const { asked, tongs } = recorder()
      const { code, stderr } = yield* tongs("api", "--hostname", "forge.example", "/x")
      assert.deepStrictEqual([code, asked], [2, []])
      assert.include(stderr, 'No profile has a URL on "forge.example".')
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
        "rows[][list][]=1",
        "rows[][list][]=2",
        "rows[][name]=m"
      ]
      const typed = ["n=-15", "text=1.5", "long=9007199254740993", "yes=true", "nothing=null", "of={repo}", "none[]"]
      yield* tongs("api", "/x", ...fields.flatMap((field) => ["-f", field]), ...typed.flatMap((field) => ["-F", field]))
      assert.deepStrictEqual(asked[0]?.body, {
        a: "1",
        list: ["x", "y"],
        deep: { er: { est: "z" } },
        rows: [{ name: "n", value: "v", list: ["1", "2"] }, { name: "m" }],
        n: -15,
        text: "1.5",
        long: JSON.parse("9007199254740993"),
        yes: true,
        nothing: null,
        of: "hello",
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
      assert.strictEqual((yield* tongs("api", "/x", "--media-type", "full")).stdout, '{"a":1}')
      assert.strictEqual((yield* tongs("api", "/x", "--media-type", "gif")).code, 2)
      assert.deepStrictEqual(accepts, ["application/vnd.service.raw+json", "application/vnd.service.full+json"])
    })
  )
})

describe("--jq", () => {
  it.effect("prints the results for each page, and an error response unchanged", () =>
    Effect.gen(function* () {
      const next = { link: `<${Stub.BASE_URL}/list?page=2>; rel="next"` }
      const tongs = runner(({ path }) =>
        path === "/none"
          ? undefined
          : { body: { items: [{ name: path }] }, headers: path.includes("page=2") ? {} : next }
      )
      const paged = yield* tongs("api", "/list", "--paginate", "-q", ".items[].name")
      assert.strictEqual(paged.stdout, "/list?per_page=100\n/list?page=2\n")
      const failed = yield* tongs("api", "/none", "-iq", ".x")
      assert.deepStrictEqual(
        [failed.code, failed.stdout.split("\r\n\r\n")[1]],
        [4, '{"message":"Not Found","status":"404"}']
      )
      assert.strictEqual((yield* tongs("api", "/list", "--jq", ".", "--silent")).code, 2)
      assert.strictEqual((yield* tongs("api", "/list", "--jq", ".", "--paginate", "--slurp")).code, 2)
    })
  )
})

describe("GraphQL", () => {
  it.effect("has fields as variables, and follows endCursor", () =>
    Effect.gen(function* () {
      const asked: Array<Stub.StubRequest> = []
      const tongs = runner((one) => {
        asked.push(one)
        const pageInfo = asked.length < 3 ? { hasNextPage: true, endCursor: `${asked.length}` } : { hasNextPage: false }
        return { body: { data: { list: { nodes: [asked.length], pageInfo } } } }
      })
      const { stdout } = yield* tongs("api", "graphql", "--paginate", "-f", "query={q}", "-F", "n=2", "--slurp")
      assert.deepStrictEqual(
        asked.map(({ body, path }) => [path, body]),
        [
          ["/graphql", { query: "{q}", variables: { n: 2 } }],
          ["/graphql", { query: "{q}", variables: { n: 2, endCursor: "1" } }],
          ["/graphql", { query: "{q}", variables: { n: 2, endCursor: "2" } }]
        ]
      )
      assert.lengthOf(JSON.parse(stdout), 3)
    })
  )

  it.effect("fails with the errors of the response, which is printed", () =>
    Effect.gen(function* () {
      const body = { data: null, errors: [{ message: "No such field" }, { message: "No such type" }] }
      const { code, stderr, stdout } = yield* runner(() => ({ body }))("api", "graphql", "-f", "query={q}")
      assert.deepStrictEqual([code, stdout], [1, JSON.stringify(body)])
      assert.strictEqual(stderr, "tongs: POST /graphql: No such field\nNo such type.\n")
    })
  )
})

describe("{owner} and {repo}", () => {
  it.effect("come from --repo or the working directory, and are explained if missing", () =>
    Effect.gen(function* () {
      const { lines, tongs } = recorder()
      yield* tongs("api", "repos/{owner}/{repo}/tags")
      yield* tongs("api", "repos/{owner}/{repo}/tags", "-R", "mona/other")
      yield* tongs("api", "repos/:owner/:repo/tags")
      assert.deepStrictEqual(lines(), [
        "GET /repos/octo/hello/tags",
        "GET /repos/mona/other/tags",
        "GET /repos/octo/hello/tags"
      ])
      const repositoryProblem = "the working directory has no git remote"
      const { tongs: nowhere } = recorder({ connection: { repository: undefined, repositoryProblem } })
      const { code, stderr } = yield* nowhere("api", "repos/{owner}/{repo}")
      assert.strictEqual(code, 2)
      assert.include(stderr, repositoryProblem)
      assert.strictEqual((yield* nowhere("api", "repos/{owner}/{repo}", "--repo", "mona")).code, 2)
    })
  )
})
