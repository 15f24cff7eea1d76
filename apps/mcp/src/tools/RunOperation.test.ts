import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as TestClock from "effect/testing/TestClock"
import { maxTokens } from "../answer/Answer.ts"
import { connect, sent, texts } from "../McpClient.test-support.ts"
import { estimateTokens } from "../text/TokenEstimate.ts"

const sha = "1".repeat(40)

/** Runs an operation. Returns the text of the answer. */
const run = Effect.fnUntraced(function* (operation: string, given: object = {}, view: object = {}) {
  const client = yield* connect()
  const result = yield* client.callTool({ name: "run_operation", arguments: { operation, arguments: given, ...view } })
  return { text: texts(result).join("\n"), isError: result.isError === true }
}, Effect.scoped)

/** Runs an operation, and follows the cursors. Returns the lines inside the frames. */
const all = Effect.fnUntraced(function* (operation: string, given: object, view: object = {}) {
  const client = yield* connect()
  const lines: Array<string> = []
  let next: string | undefined = JSON.stringify({ operation, arguments: given, ...view })
  while (next !== undefined) {
    const result: { readonly content: ReadonlyArray<{ readonly type: string }> } = yield* client.callTool({
      name: "run_operation",
      arguments: JSON.parse(next)
    })
    const text: string = texts(result).join("\n")
    assert.isAtMost(estimateTokens(text), "limit" in view ? maxTokens : 2_000)
    const [, body = "", rest = ""]: ReadonlyArray<string> =
      /<untrusted [^\n]*\n([^]*)\n<\/untrusted \d+>([^]*)/.exec(text) ?? []
    lines.push(...body.split("\n"))
    next = /^More: call again with (.*)$/m.exec(rest)?.[1]
  }
  return lines
}, Effect.scoped)

describe("run_operation", () => {
  it.effect("accepts the id of an operation, the name of its tool, its command, and its method and path", () =>
    Effect.gen(function* () {
      for (const name of ["tags.list", "tags_list", "tags list", "GET /repos/{owner}/{repo}/tags", "Tags.List"]) {
        assert.include((yield* run(name)).text, "GET /repos/octo/hello/tags", name)
      }
      const { isError, text } = yield* run("branch.lst")
      assert.isTrue(isError)
      assert.include(text, "branches.list")
    })
  )

  it.effect("accepts the repository as owner/name, or as owner and repo", () =>
    Effect.gen(function* () {
      for (const given of [{ repo: "other/place" }, { owner: "other", repo: "place" }]) {
        sent.length = 0
        yield* run("contents.get", { ...given, path: "f" })
        assert.deepStrictEqual(sent, ["GET /repos/other/place/contents/f"])
      }
    })
  )

  it.effect("takes the arguments in a path", () =>
    Effect.gen(function* () {
      sent.length = 0
      yield* run("GET /repos/other/place/contents/f?ref=main")
      yield* run("GET https://forge.test/repos/other/place/git/ref/heads/a%20b", { repo: "octo/hello" })
      yield* run("GET /repos/{owner}/{repo}/branches", {}, { limit: 5 })
      yield* run("GET /repos/other/place/contents")
      assert.deepStrictEqual(sent, [
        "GET /repos/other/place/contents/f?ref=main",
        "GET /repos/octo/hello/git/ref/heads%2Fa%20b",
        "GET /repos/octo/hello/branches?per_page=5",
        "GET /repos/other/place/contents"
      ])
      sent.length = 0
      for (const path of [".", "/", "", "/f/"]) yield* run("contents.get", { path })
      const root = "GET /repos/octo/hello/contents"
      assert.deepStrictEqual(sent, [root, root, root, `${root}/f`])
    })
  )

  it.effect("accepts arguments as JSON text, and says where arguments belong", () =>
    Effect.gen(function* () {
      const client = yield* connect()
      const call = (given: Record<string, unknown>) =>
        Effect.map(client.callTool({ name: "run_operation", arguments: given }), (result) => texts(result).join(""))
      const hook = { operation: "repositoryHooks.get" }
      assert.include(yield* call({ ...hook, arguments: '{"hook_id":1}', fields: "id, name" }), "\nid: 1\nname: web\n")
      assert.include(yield* call({ ...hook, arguments: "hook_id" }), "arguments: Expected object")
      assert.include(
        yield* call({ ...hook, hook_id: 1 }),
        'Unknown: "hook_id". Put arguments of the operation into "arguments"'
      )
    }).pipe(Effect.scoped)
  )

  it.effect("answers a check with yes or no", () =>
    Effect.gen(function* () {
      assert.include((yield* run("blocks.checkBlocked", { username: "wrecker" })).text, "Yes.")
      const { isError, text } = yield* run("blocks.checkBlocked", { username: "nobody" })
      assert.isFalse(isError)
      assert.include(text, "No: the forge answered Not Found.")
    })
  )

  it.effect("names every problem of the arguments, and only looks for the name of a repository", () =>
    Effect.gen(function* () {
      sent.length = 0
      const fails = (operation: string, given: object, view: object = {}) =>
        Effect.map(run(operation, given, view), ({ isError, text }) => {
          assert.isTrue(isError)
          return text
        })
      assert.match(
        yield* fails("repositoryHooks.get", { hok_id: 1 }),
        /"hok_id" is unknown, did you mean hook_id\?; hook_id is missing\. Its parameters: repo\*, hook_id\*/
      )
      assert.match(yield* fails("repositoryHooks.get", { hook_id: "x" }), /hook_id: Expected number/)
      assert.match(
        yield* fails("repositories.listForOrg", { org: "o", direction: "up" }),
        /direction: Expected "asc" | "desc"/
      )
      assert.match(yield* fails("branches.list", { per_page: 5 }), /pass limit or cursor beside operation/)
      for (const path of ["../x", "a/..", "a/%2e%2e/b"])
        assert.match(yield* fails("contents.get", { path }), /path cannot contain "\.\."/)
      assert.match(yield* fails("branches.list", { repo: 1 }), /expected the text owner\/name/)
      assert.match(yield* fails("branches.list", {}, { limit: 0 }), /limit/)
      assert.match(
        yield* fails("branches.list", {}, { fields: ["nam", "x.y"] }),
        /"nam", did you mean name.*"x\.y".*Fields: name, commit/
      )
      assert.match(yield* fails("branches.list", {}, { field: [] }), /field/)
      assert.match(yield* fails("gitRefs.delete", { ref: "heads/old" }), /only reads.*--allow-writes/)
      assert.isAtMost(
        (yield* fails(
          "repositoryHooks.get",
          Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`hook_${index}`, 1]))
        )).length,
        1_500
      )
      assert.deepStrictEqual(sent, [])
      assert.match(yield* fails("branches.list", { repo: "octo" }), /expected owner\/name/)
      assert.deepStrictEqual(sent, ["GET /user/repos?sort=full_name&per_page=100"])
    })
  )

  it.effect("accepts dates and ages as times", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2026-01-31T12:00:00Z"))
      sent.length = 0
      yield* run("commits.list", { since: "7d", until: "2026-01-30" })
      yield* run("insights.getSummaryStats", { org: "o", min_timestamp: "2 weeks", max_timestamp: "2026-01-30" })
      assert.deepStrictEqual(sent.map(decodeURIComponent), [
        "GET /repos/octo/hello/commits?since=2026-01-24T12:00:00Z&until=2026-01-30T23:59:59Z&per_page=30",
        "GET /orgs/o/insights/api/summary-stats?min_timestamp=2026-01-17T12:00:00Z&max_timestamp=2026-01-30T23:59:59Z"
      ])
      assert.match((yield* run("commits.list", { since: "soon" })).text, /since: Expected a timestamp/)
    })
  )

  it.effect("asks for the repository if there is no default one", () =>
    Effect.gen(function* () {
      const client = yield* connect({}, null)
      const result = yield* client.callTool({ name: "run_operation", arguments: { operation: "branches.list" } })
      assert.include(texts(result).join(""), "repo is missing")
    }).pipe(Effect.scoped)
  )

  it.effect("reports a failure of the forge with the tools that help", () =>
    Effect.gen(function* () {
      assert.match((yield* run("gitRefs.get", { ref: "heads/no" })).text, /Not Found[^]*list_files/)
      assert.match((yield* run("users.getAuthenticated")).text, /Only the user who runs this server/)
    })
  )

  it.effect("shows a resource without links, with hidden characters visible", () =>
    Effect.gen(function* () {
      const { text } = yield* run("gitRefs.get", { ref: "heads/main" })
      assert.include(text, `\nref: refs/heads/<U+202E>main\nobject:\n  type: commit\n  sha: ${sha}\n</untrusted`)
      assert.include(
        (yield* run("gitRefs.get", { ref: "heads/main" }, { fields: ["*"] })).text,
        '"node_id":"N","url":"u"'
      )
      assert.include((yield* run("gitRefs.get", { ref: "heads/main" }, { fields: ["url"] })).text, "\nurl: u\n")
      assert.include((yield* run("root.get")).text, "current_user_url: http://forge.test/user")
    })
  )

  it.effect("keeps the target of a webhook, and free-form data complete", () =>
    Effect.gen(function* () {
      const hook = (yield* run("repositoryHooks.get", { hook_id: 1 })).text
      assert.include(hook, "  url: https://hooks.example/in\n")
      assert.notInclude(hook, "forge.test/repos")
      assert.include((yield* run("repositoryHooks.getConfig", { hook_id: 1 })).text, "url: https://hooks.example/in\n")
      assert.include((yield* run("repositoryHooks.list")).text, "1\thttps://hooks.example/in\tpush\ttrue\t2026-01-31")
      const delivery = (yield* run("repositoryHooks.getDelivery", { hook_id: 1, delivery_id: 2 })).text
      assert.include(delivery, "\nurl: https://hooks.example/in\n")
      assert.include(
        delivery,
        'request.payload: {"url":"u","node_id":"n","_links":{},"empty":null,"sender":{"login":"mona","avatar_url":"a"}}'
      )
    })
  )

  it.effect("shows times with their distance from now, and commits without a repeated committer", () =>
    Effect.gen(function* () {
      const { text } = yield* run("gitCommits.get", { commit_sha: sha })
      assert.match(text, /date: 2026-01-31T12:00:00Z \((in )?\d+ \w+( ago)?\)/)
      assert.notInclude(text, "committer")
      assert.include((yield* run("gitCommits.get", { commit_sha: "2".repeat(40) })).text, "  name: Hubot\n")
    })
  )

  it.effect("shows selected members, also inside lists, as text and as structured content", () =>
    Effect.gen(function* () {
      const commit = yield* run("commits.get", { ref: "main" }, { fields: ["sha", "files.filename", "files.status"] })
      assert.include(
        commit.text,
        `\nsha: ${sha}\nfiles (3): filename\tstatus\nsrc/a.ts\tmodified\nsrc/b.ts\tmodified\nsrcs\tmodified\n`
      )
      const client = yield* connect({ structured: true })
      const { structuredContent } = yield* client.callTool({
        name: "run_operation",
        arguments: { operation: "commits.get", arguments: { ref: "main" }, fields: ["sha", "files.filename"] }
      })
      assert.deepStrictEqual(Object(structuredContent).items, [
        { sha, files: [{ filename: "src/a.ts" }, { filename: "src/b.ts" }, { filename: "srcs" }] }
      ])
    }).pipe(Effect.scoped)
  )

  it.effect("continues a list without losing items", () =>
    Effect.gen(function* () {
      const lines = yield* all("branches.list", {}, { fields: ["name"] })
      const names = lines.filter((line) => line !== "name").map((line) => line.replaceAll("x", "").replace(/….*/, ""))
      assert.deepStrictEqual(names, [...Array.from({ length: 30 }, (_, index) => String(index)), "last"])
    })
  )

  it.effect("continues a long tree and a long folder without losing entries", () =>
    Effect.gen(function* () {
      const numbers = (folder: string, length: number) => Array.from({ length }, (_, index) => `${folder}/${index}`)
      const paths = (lines: ReadonlyArray<string>) =>
        lines
          .filter((line) => line.includes("\t") && !/^path|^tree/.test(line))
          .map((line) => (line.split("\t")[0] ?? "").replaceAll("x", ""))
      const tree = paths(yield* all("gitTrees.get", { tree_sha: "HEAD", recursive: 1 }))
      assert.deepStrictEqual(tree, ["link", "src", ...numbers("src", 1_000)])
      assert.deepStrictEqual(paths(yield* all("contents.get", { path: "folder" })), numbers("folder", 900))
      const some = yield* all("gitTrees.get", { tree_sha: "HEAD", recursive: 1 }, { limit: 100 })
      assert.deepStrictEqual(paths(some), tree)
    })
  )

  it.effect("continues a long text without losing lines", () =>
    Effect.gen(function* () {
      const lines = yield* all("contents.get", { path: "f" }, { fields: ["content"] })
      const numbers = lines.flatMap((line) => /^line\t(\d+) ␛/.exec(line)?.[1] ?? [])
      assert.deepStrictEqual(
        numbers,
        Array.from({ length: 1_000 }, (_, index) => String(index))
      )
    })
  )

  it.effect("decodes text, and does not show binary content", () =>
    Effect.gen(function* () {
      assert.include((yield* run("gitBlobs.get", { file_sha: sha })).text, "\ncontent: ahoy\n")
      const binary = (yield* run("gitBlobs.get", { file_sha: "2".repeat(40) })).text
      assert.include(binary, "\nsize: 3\nbinary: true\n")
      assert.include((yield* run("contents.get", { path: "large" })).text, "gitBlobs.get with its sha")
    })
  )
})
