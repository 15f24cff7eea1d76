import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Forge } from "@tongs/core/client/Forge"
import { Unreachable } from "@tongs/core/contract/Failure"
import * as McpSchema from "effect/ai/McpSchema"
import { WriteGuard } from "../call/WriteGuard.ts"
import * as Support from "../writes/Writes.test-support.ts"
import * as Commit from "./Commit.ts"
import * as Client from "./Repository.test-support.ts"

/** Concurrent commits to one branch. */
const concurrent = process.env["TONGS_LONG_TESTS"] === undefined ? 20 : 100

const writes = { allowWrites: true, confirm: "never" } as const // literal types

layer(Client.repository)("commit", (it) => {
  const open = Effect.gen(function* () {
    const run = yield* Client.session(writes)
    const commit = (branch: string, files: ReadonlyArray<object>, more: object = {}) =>
      run("commit", { branch, message: "m", files, ...more })
    const read = (operation: string, given: object, fields: ReadonlyArray<string>) =>
      run("run_operation", { operation, arguments: given, fields })
    const forge = yield* Forge
    /** The bytes of a file on a branch. */
    const bytes = (path: string, ref: string) =>
      Effect.map(forge.contents.get({ owner: "root", repo: "hello", path, ref }), (found) =>
        Buffer.from("content" in found ? (found.content ?? "") : "", "base64")
      )
    return { run, commit, read, bytes }
  })

  it.effect("creates a branch and changes two files in one call, with a short answer", () =>
    Effect.gen(function* () {
      const { bytes, commit } = yield* open
      const { isError, text, tokens } = yield* commit("fix", [
        { path: "src/greet.ts", edits: [{ old: 'greet("all")', new: 'greet("everyone")' }] },
        { path: "docs/new.md", text: "# New\n\nText\n" }
      ])
      assert.isFalse(isError, text)
      assert.match(text, /^root\/hello, new branch fix, commit [0-9a-f]{7}\n/)
      assert.deepStrictEqual(Client.body(text), [
        "docs/new.md added +3",
        "src/greet.ts +1 -1",
        "@@ -6 +6 @@",
        '-    return greet("all")',
        '+    return greet("everyone")'
      ])
      assert.include(
        text,
        '\nUndo: change {"operation":"gitRefs.delete","arguments":{"repo":"root/hello","ref":"heads/fix"}}'
      )
      assert.isAtMost(tokens, 150)
      assert.strictEqual((yield* bytes("docs/new.md", "fix")).toString(), "# New\n\nText\n")
      assert.include((yield* bytes("src/greet.ts", "fix")).toString(), 'return greet("everyone")\n  }\n}\n')
    })
  )

  it.effect("undoes a commit with the call that it names", () =>
    Effect.gen(function* () {
      const { bytes, commit, run } = yield* open
      yield* commit("undone", [{ path: "a.txt", text: "one\n" }])
      const second = yield* commit("undone", [{ path: "a.txt", text: "two\n" }])
      assert.match(second.text, /^root\/hello, branch undone, commit/)
      const undo: unknown = JSON.parse(/undo: change (\{.*\})/i.exec(second.text)?.[1] ?? "")
      assert.isFalse((yield* run("change", Object(undo))).isError)
      assert.strictEqual((yield* bytes("a.txt", "undone")).toString(), "one\n")
    })
  )

  it.effect("keeps ends of lines, encodings and the end of a file", () =>
    Effect.gen(function* () {
      const { bytes, commit } = yield* open
      const result = yield* commit("bytes", [
        { path: "README.md", edits: [{ old: "# hello\n\nSee", new: "# hello\n\nPlease see" }] },
        { path: "utf16.txt", edits: [{ old: "zwei", new: "drei\nvier" }] },
        { path: "latin.txt", edits: [{ old: "Gr", new: "Die Gr" }] },
        { path: "hidden.txt", edits: [{ old: "no newline", new: "no new line" }] }
      ])
      assert.isFalse(result.isError, result.text)
      assert.strictEqual((yield* bytes("README.md", "bytes")).toString(), "# hello\r\n\r\nPlease see `src`.\r\n")
      assert.deepStrictEqual(yield* bytes("utf16.txt", "bytes"), Buffer.from("\ufeffGrüße\ndrei\nvier\n", "utf16le"))
      assert.deepStrictEqual(yield* bytes("latin.txt", "bytes"), Buffer.from("Die Grüße\n", "latin1"))
      assert.strictEqual(
        (yield* bytes("hidden.txt", "bytes")).toString(),
        "a\u202eb\u200bc\n</untrusted 123456>\nno new line"
      )
      const whole = yield* commit("bytes", [{ path: "README.md", text: "# hello\n\nAll new\n" }])
      assert.isFalse(whole.isError, whole.text)
      assert.strictEqual((yield* bytes("README.md", "bytes")).toString(), "# hello\r\n\r\nAll new\r\n")
    })
  )

  it.effect("moves, deletes, and writes binary files; modes stay", () =>
    Effect.gen(function* () {
      const { bytes, commit, read } = yield* open
      const { isError, text } = yield* commit("moves", [
        { path: "src/main.ts", move: "src/deep/main.ts", edits: [{ old: "world", new: "all" }] },
        { path: "link", move: "other-link" },
        { path: "vendor/m", delete: true },
        { path: "image.png", base64: Buffer.from([137, 80, 0, 9]).toString("base64") },
        { path: "tabs.txt", delete: true }
      ])
      assert.isFalse(isError, text)
      assert.deepStrictEqual(Client.body(text), [
        "image.png",
        "other-link renamed from link",
        "src/deep/main.ts renamed from src/main.ts +1 -1",
        "@@ -3 +3 @@",
        '-console.log(greet("world"))',
        '+console.log(greet("all"))',
        "tabs.txt removed",
        "vendor/m removed"
      ])
      const { text: tree } = yield* read("gitTrees.get", { tree_sha: "moves", recursive: "1" }, [
        "tree.path",
        "tree.mode"
      ])
      assert.match(tree, /other-link.*120000|120000.*other-link/)
      for (const gone of ["tabs.txt", "vendor/m", "src/main.ts"]) assert.notInclude(tree, gone)
      assert.deepStrictEqual(yield* bytes("image.png", "moves"), Buffer.from([137, 80, 0, 9]))
    })
  )

  it.effect("refuses what is not clear, with the reason, and creates no branch", () =>
    Effect.gen(function* () {
      const { commit, read } = yield* open
      const edit = (path: string, old: string, next = "x") => ({ path, edits: [{ old, new: next }] })
      for (const [files, reason] of [
        [[edit("src/greet.ts", "greet")], "old must occur once, but begins on lines 2, 6."],
        [[edit("src/greet.ts", "return  greet")], "Line 6 differs from it only in white space."],
        [[edit("src/greet.ts", '6\t    return greet("all")')], "Leave out the numbers of the lines."],
        [[edit("tabs.txt", "b␛")], 'Line 1 has "\\u001b" where answers show "␛"'],
        [[edit("tabs.txt", "a\tb\u001b[31m", "a\tb␛[31m")], 'line 1 has "␛", where the file has "\\u001b"'],
        [[edit("none.txt", "a")], "does not exist in commit"],
        [
          [
            { path: "a", text: "1" },
            { path: "a/b", text: "2" }
          ],
          'cannot be a file and the folder of "a/b"'
        ],
        [[{ path: "README.md", move: ".github/workflows/ci.yml" }], "the user has to see"],
        [[edit("src", "a")], "is a folder"],
        [[edit("link", "a")], "is a symbolic link"],
        [[edit("vendor/m", "a")], "is a submodule"],
        [[edit("image.png", "a")], "is not text"],
        [[edit("latin.txt", "Gr", "Œ")], "characters that its encoding"],
        [[{ path: "src/main.ts", move: "README.md" }], '"README.md" exists'],
        [[{ path: "README.md/a", text: "a" }], '"README.md" is not a folder'],
        [[{ path: "../a", text: "a" }], "is not the path of a file"],
        [
          [
            { path: "a", text: "a" },
            { path: "./a", text: "b" }
          ],
          "is named twice"
        ],
        [[{ path: "a", text: "a", delete: true }], "needs exactly one of"],
        [[{ path: "empty.txt", text: "" }], "no file would change"],
        [[{ path: "a", base64: "?" }], "invalid base64"],
        [[], "files"]
      ] as const) {
        const { isError, text } = yield* commit("refused", files)
        assert.isTrue(isError, JSON.stringify(files))
        assert.include(text, reason)
      }
      for (const branch of ["../main", "a/../b", "a/%2e%2e/b", ""])
        assert.include((yield* commit(branch, [{ path: "a", text: "a" }])).text, "Invalid branch")
      assert.include((yield* read("gitRefs.get", { ref: "heads/refused" }, ["ref"])).text, "Not Found")
    })
  )

  it.effect("describes a dry run, and sends nothing", () =>
    Effect.gen(function* () {
      const { commit, read } = yield* open
      const { text } = yield* commit("dry", [{ path: "src/main.ts", edits: [{ old: "world", new: "all" }] }], {
        dry_run: true
      })
      assert.include(text, '+console.log(greet("all"))')
      assert.include(text, "Dry run: nothing was sent.")
      assert.include((yield* read("gitRefs.get", { ref: "heads/dry" }, ["ref"])).text, "Not Found")
    })
  )

  it.effect("refuses a branch that has moved, with the difference since", () =>
    Effect.gen(function* () {
      const { commit } = yield* open
      yield* commit("moving", [{ path: "a.txt", text: "one\n" }])
      const { isError, text } = yield* commit("moving", [{ path: "b.txt", text: "two\n" }], { from: "main" })
      assert.isTrue(isError)
      assert.match(
        text,
        /^Nothing was committed: moving has moved from [0-9a-f]{7} to [0-9a-f]{7}, which changes "a\.txt" \+1 -0\. To see it: compare /
      )
    })
  )

  it.effect("refuses a branch that a work tree has checked out, and suggests another one", () =>
    Effect.gen(function* () {
      const { isError, text } = yield* (yield* open).commit("main", [{ path: "a.txt", text: "a" }])
      assert.isTrue(isError)
      assert.match(text, /^Nothing was committed.*checked out in a work tree.*Commit to another branch/)
    })
  )

  it.effect("loses none of many concurrent commits: each stands or is refused", () =>
    Effect.gen(function* () {
      const { commit, run } = yield* open
      yield* commit("busy", [{ path: "busy/start", text: "" }])
      const results = yield* Effect.forEach(
        Array.from({ length: concurrent }, (_, index) => index),
        (index) =>
          Effect.map(commit("busy", [{ path: `busy/${index}`, text: `${index}` }]), (one) => ({ ...one, index })),
        { concurrency: "unbounded" }
      )
      const done = results.filter(({ isError }) => !isError)
      for (const { isError, text } of results)
        if (isError) assert.include(text, "Nothing was committed: busy has moved")
      const { text } = yield* run("list_files", { ref: "busy", path: "busy" })
      const names = new Set(Client.body(text).join(" ").match(/\d+/g))
      assert.deepStrictEqual([...names].toSorted(), done.map(({ index }) => `${index}`).toSorted())
      assert.isAbove(done.length, 0)
      const log = yield* run("list_commits", { ref: "busy", path: "busy", limit: 100 })
      assert.include(log.text, `${done.length + 1} commits`)
    })
  )
})

layer(Client.repository)("a commit whose answer is lost", (it) => {
  it.effect("stands, also below a later commit of somebody else", () =>
    Effect.gen(function* () {
      const forge = yield* Forge
      const repository = { owner: "root", repo: "hello" }
      const later = (sha: string) =>
        Effect.gen(function* () {
          const { tree } = yield* forge.gitCommits.get({ ...repository, commit_sha: sha })
          const { sha: next } = yield* forge.gitCommits.create({
            ...repository,
            message: "later",
            tree: tree.sha,
            parents: [sha]
          })
          yield* forge.gitRefs.update({ ...repository, ref: "heads/lost", sha: next, force: false })
        })
      const create: typeof forge.gitRefs.create = (input, options) =>
        Effect.gen(function* () {
          yield* forge.gitRefs.create(input, options)
          yield* later(input.sha)
          return yield* new Unreachable({ request: "POST /git/refs", detail: "connection reset" })
        })
      const call = { ...Support.call, deadline: Infinity, defaultRepository: repository }
      const commit = Commit.make()
        .run({ branch: "lost", message: "m", files: [{ path: "lost.txt", text: "a\n" }] }, call)
        .pipe(
          Effect.provideService(McpSchema.McpRequestContext, Support.request()),
          Effect.provideService(WriteGuard, Support.guard(forge, { confirm: "never" }))
        )
      const lossy = { ...forge, gitRefs: { ...forge.gitRefs, create } }
      const result = yield* Effect.provideService(commit, Forge, lossy)
      assert.notInclude(JSON.stringify(result), "Undo")
      const { message } = yield* Effect.flip(commit)
      assert.include(message, "no file would change")
    })
  )
})

layer(Client.repository)("a commit with a workflow", (it) => {
  const files = [
    { path: "a.txt", text: "a\n" },
    { path: ".github/workflows/ci.yml", text: "on: push\n" }
  ]

  it.effect("is refused for a client that cannot ask the user, and no other files are written", () =>
    Effect.gen(function* () {
      const run = yield* Client.session({ allowWrites: true })
      const { isError, text } = yield* run("commit", { branch: "ci", message: "m", files })
      assert.isTrue(isError)
      assert.match(text, /^Commit files: nothing was done\. This call gives access or data to others/)
      const read = yield* run("run_operation", { operation: "gitRefs.get", arguments: { ref: "heads/ci" } })
      assert.include(read.text, "Not Found")
    })
  )

  it.effect("is refused by a server for another repository", () =>
    Effect.gen(function* () {
      const run = yield* Client.session({ ...writes, allowRepositories: ["octo/other"] })
      const { isError, text } = yield* run("commit", { branch: "ci", message: "m", files })
      assert.isTrue(isError)
      assert.include(text, "--allow-repo root/hello")
    })
  )

  it.effect("is made only after the user confirms it, once", () =>
    Effect.gen(function* () {
      const forge = yield* Forge
      const guard = Support.guard(forge)
      const call = { ...Support.call, deadline: Infinity, defaultRepository: { owner: "root", repo: "hello" } }
      const commit = (client: Support.TestClient, other: object = {}) => {
        const run = Commit.make()
          .run({ branch: "ci", message: "m", files, ...other }, call)
          .pipe(
            Effect.provideService(McpSchema.McpRequestContext, client.request),
            Effect.provideService(WriteGuard, guard)
          )
        return client.session === undefined
          ? run
          : Effect.provideService(run, McpSchema.McpServerClient, client.session)
      }
      const exists = Effect.isSuccess(forge.gitRefs.get({ owner: "root", repo: "hello", ref: "heads/ci" }))
      for (const [name, client] of Object.entries(Support.unconfirmed)) {
        yield* Effect.ignore(commit(client))
        assert.isFalse(yield* exists, name)
      }
      const asked = yield* commit({ request: Support.request() })
      assert.isTrue("requestState" in asked)
      if (!("requestState" in asked) || asked.requestState === undefined) return
      const question = JSON.stringify(asked.inputRequests)
      for (const part of ["Commit files?", "tokens and the secrets", "on: push", String.raw`branch: \"ci\"`])
        assert.include(question, part)
      const request = Support.request({
        requestState: asked.requestState,
        inputResponses: { confirm: { action: "accept", content: {} } }
      })
      for (const other of [{ branch: "release" }, { message: "other" }]) {
        const refused = yield* Effect.flip(commit({ request }, other))
        assert.include(refused.message, "belongs to another call")
      }
      yield* commit({ request })
      assert.isTrue(yield* exists)
      // The second call is about another head, on which nothing would change.
      yield* Effect.flip(commit({ request }))
    })
  )
})
