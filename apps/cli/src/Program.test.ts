import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { runner } from "./CommandRunner.test-support.ts"
import * as Stub from "./ForgeStub.test-support.ts"

const ESCAPE = "\u001b[31m"
const long = `https://pages.test/${"far".repeat(50)}/end`

const forge = ({ body, method, path }: Stub.StubRequest): Stub.StubResponse | undefined => {
  switch (`${method} ${path}`) {
    case "GET /repos/octo/hello":
      return { body: { ...Stub.repository(`A ${ESCAPE}greeting`), homepage: long } }
    case "GET /repos/octo/hello/commits?sha=main&per_page=5":
    case "GET /repos/octo/hello/commits":
      return { body: [Stub.commit("1", `Say ${ESCAPE}hello\n\nAt length`), Stub.commit("2", "Begin")] }
    case "GET /repos/octo/hello/branches?per_page=100":
      return {
        body: Array.from({ length: 100 }, (_, index) => Stub.branch(`b${index}`)),
        headers: {
          link: `<${Stub.BASE_URL}/repos/octo/hello/branches?per_page=100&page=2>; rel="next", <${Stub.BASE_URL}/repos/octo/hello/branches?per_page=100&page=3>; rel="last"`
        }
      }
    case "GET /repos/octo/hello/branches?per_page=100&page=2":
      return { body: [Stub.branch("c1"), Stub.branch("c2")] }
    case "GET /repos/octo/hello/branches?per_page=100&page=3":
      return { body: [Stub.branch("last")] }
    case "GET /repos/octo/hello/branches":
      return { body: [Stub.branch(`b${ESCAPE}`)], headers: { link: `<${Stub.BASE_URL}/next>; rel="next"` } }
    case "GET /repos/octo/hello/tags?per_page=100":
      return { body: [] }
    case "GET /repos/octo/hello/git/trees/main?recursive=1":
      return {
        body: {
          sha: Stub.sha("9"),
          url: "",
          tree: [
            { path: "a.ts", mode: "100644", type: "blob", sha: Stub.sha("a"), size: 75 },
            { path: "b.md", mode: "100644", type: "blob", sha: Stub.sha("b"), size: 25 }
          ],
          truncated: false
        }
      }
    case "GET /repos/octo/hello/git/ref/heads%2Fmain":
      return { body: Stub.ref("heads/main") }
    case "POST /repos/octo/hello/git/refs":
      return { status: 422, body: { message: "Reference already exists", status: "422" } }
    case "PATCH /repos/octo/hello/git/refs/heads%2Fmain":
    case "POST /echo":
      return { body: path === "/echo" ? body : Stub.ref("heads/main") }
    case "GET /search/code?q=soon&per_page=30":
      return { body: { total_count: 0, incomplete_results: true, items: [] } }
    case "DELETE /repos/octo/hello/git/refs/heads%2Fold":
      return { status: 204 }
    default:
      return undefined
  }
}

const tongs = runner(forge)

describe("tongs", () => {
  it.effect("prints an overview without a terminal", () =>
    Effect.gen(function* () {
      const { code, stderr, stdout } = yield* tongs()
      assert.strictEqual(stderr, "")
      assert.strictEqual(code, 0)
      assert.match(stdout, /^octo\/hello\nA ␛\[31mgreeting\n/)
      assert.match(stdout, /Default branch +main\n/)
      assert.match(stdout, /Head +1111111  Say ␛\[31mhello\n +Mona Lisa, /)
      assert.match(stdout, /Branches +201\n/)
      assert.match(stdout, /Tags +0\n/)
      assert.match(stdout, /Files +2\n/)
      assert.match(stdout, /Languages +TypeScript 75%, Markdown 25%\n/)
      assert.notInclude(stdout, "\u001b")
      assert.isTrue(stdout.split("\n").every((line) => line.length <= 80))
    })
  )

  it.effect("prints it as JSON", () =>
    Effect.gen(function* () {
      const { stdout } = yield* tongs("--json")
      const { repository } = JSON.parse(stdout)
      assert.deepInclude(repository, { full_name: "octo/hello", branches: 201, tags: 0, files: 2 })
      assert.strictEqual(repository.head.subject, `Say ${ESCAPE}hello`)
    })
  )
})

describe("tongs <group> <operation>", () => {
  it.effect("takes the current repository, an argument, or flags", () =>
    Effect.gen(function* () {
      for (const words of [
        ["heads/main"],
        ["octo/hello", "heads/main"],
        ["--owner", "octo", "--repo", "hello", "--ref", "heads/main"]
      ]) {
        const { code, stdout } = yield* tongs("git-refs", "get", ...words)
        assert.strictEqual(stdout, `ref          refs/heads/main\nobject.type  commit\nobject.sha   ${Stub.sha("1")}\n`)
        assert.strictEqual(code, 0)
      }
      assert.deepStrictEqual(
        JSON.parse((yield* tongs("git-refs", "get", "heads/main", "--json")).stdout),
        Stub.ref("heads/main")
      )
    })
  )

  it.effect("prints lists in a pipe with tabs and escaped control characters", () =>
    Effect.gen(function* () {
      const { stderr, stdout } = yield* tongs("branches", "list")
      assert.strictEqual(stdout, `b␛[31m\t${"1".repeat(40)}\tfalse\n`)
      assert.strictEqual(stderr, "More items exist. Add --limit N or --all.\n")
      assert.match(
        (yield* tongs("commits", "list")).stdout,
        /^1{40}\tSay ␛\[31mhello\tMona Lisa\t2026-01-02T03:04:05Z\n/
      )
    })
  )

  it.effect("follows pages up to --limit", () =>
    Effect.gen(function* () {
      const { stdout } = yield* tongs("branches", "list", "octo/hello", "--all", "--json")
      assert.strictEqual(JSON.parse(stdout).length, 102)
      assert.strictEqual(JSON.parse((yield* tongs("branches", "list", "--limit", "100", "--json")).stdout).length, 100)
      assert.strictEqual((yield* tongs("branches", "list", "--limit", "5", "--all")).code, 2)
    })
  )

  it.effect("truncates nothing without a terminal", () =>
    Effect.gen(function* () {
      const { stdout } = yield* tongs("repositories", "get", "octo/hello")
      assert.include(stdout, long)
    })
  )

  it.effect("sends bodies from flags and from JSON", () =>
    Effect.gen(function* () {
      const { code, stdout } = yield* tongs(
        "git-refs",
        "update",
        "heads/main",
        "--sha",
        Stub.sha("2"),
        "--force",
        "--json"
      )
      assert.strictEqual(code, 0)
      assert.include(stdout, "refs/heads/main")
      const gone = yield* tongs("git-refs", "delete", "heads/old", "--yes")
      assert.deepStrictEqual(gone, { code: 0, stdout: "", stderr: "Done: delete a reference.\n" })
    })
  )

  it.effect("exits 2 with usage after wrong arguments", () =>
    Effect.gen(function* () {
      const missing = yield* tongs("git-refs", "update", "heads/main")
      assert.strictEqual(missing.code, 2)
      assert.match(missing.stderr, /Missing: sha\.\nAdd\n {2}--sha {2}Id of the object/)
      const typo = yield* tongs("git-refs", "get", "--own", "x")
      assert.strictEqual(typo.code, 2)
      assert.match(typo.stderr, /--own.*\n.*--owner/s)
      assert.match(typo.stderr, /Run `tongs git-refs get --help`/)
      const unknown = yield* tongs("git-ref")
      assert.strictEqual(unknown.code, 2)
      assert.include(unknown.stderr, "git-refs")
      assert.strictEqual(unknown.stdout, "")
      assert.strictEqual((yield* tongs("git-refs", "get", "a", "b", "c")).code, 2)
    })
  )

  it.effect("prints help", () =>
    Effect.gen(function* () {
      const { code, stdout } = yield* tongs("git-refs", "update", "--help")
      assert.strictEqual(code, 0)
      assert.include(stdout, "Update a reference.")
      assert.include(stdout, "PATCH /repos/:owner/:repo/git/refs/:ref")
      assert.include(stdout, "Permission: contents=write, or contents=write and workflows=write")
      assert.include(stdout, "Scope: public_repo or repo")
      assert.match(stdout, /--sha .*Id of the object that the reference/)
    })
  )

  it.effect("exits 4 if the resource does not exist", () =>
    Effect.gen(function* () {
      const { code, stderr, stdout } = yield* tongs("repositories", "get", "octo/nothing")
      assert.strictEqual(code, 4)
      assert.strictEqual(stdout, "")
      assert.match(stderr, /^tongs: GET \/repos\/octo\/nothing: Not Found/)
    })
  )
})

describe("tongs search", () => {
  it.effect("gives no advice on terms if results are incomplete", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* tongs("search", "soon", "--all"), {
        code: 0,
        stdout: "",
        stderr: "0 files; the search stopped early\nTry again in a moment.\n"
      })
    })
  )
})

describe("tongs api", () => {
  it.effect("fills in the current repository", () =>
    Effect.gen(function* () {
      const { code, stdout } = yield* tongs("api", "/repos/{owner}/{repo}/tags?per_page=100")
      assert.deepStrictEqual([code, stdout], [0, "[]"])
    })
  )

  it.effect("sends typed and untyped fields, by POST without a method", () =>
    Effect.gen(function* () {
      const { stdout } = yield* tongs(
        "api",
        "echo",
        "-f",
        "a=1",
        "-F",
        "b=1",
        "-F",
        "c=null",
        "-f",
        "list[]=x",
        "-f",
        "list[]=y",
        "-F",
        "deep[er]=true"
      )
      assert.deepStrictEqual(JSON.parse(stdout), { a: "1", b: 1, c: null, list: ["x", "y"], deep: { er: true } })
    })
  )

  it.effect("prints every page as one list", () =>
    Effect.gen(function* () {
      const { stdout } = yield* tongs("api", "--paginate", "GET", "/repos/octo/hello/branches?per_page=100")
      assert.strictEqual(JSON.parse(stdout).length, 102)
    })
  )

  it.effect("prints an error response as data and as a message", () =>
    Effect.gen(function* () {
      const { code, stderr, stdout } = yield* tongs(
        "api",
        "/repos/{owner}/{repo}/git/refs",
        "-f",
        "ref=refs/heads/main"
      )
      assert.strictEqual(code, 1)
      assert.deepInclude(JSON.parse(stdout), { message: "Reference already exists" })
      assert.include(stderr, "Reference already exists")
      assert.strictEqual((yield* tongs("api", "/nothing")).code, 4)
    })
  )

  it.effect("rejects another origin and invalid methods", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* tongs("api", "https://elsewhere.test/x")).code, 2)
      assert.strictEqual((yield* tongs("api", "FETCH", "/x")).code, 2)
      assert.match((yield* tongs("api", "GET")).stderr, /^tongs: No path after GET\.\n/)
      assert.strictEqual((yield* tongs("api", "POST", "/x", "--paginate")).code, 2)
      assert.strictEqual((yield* tongs("api", "/x", "-f", "novalue")).code, 2)
    })
  )
})
