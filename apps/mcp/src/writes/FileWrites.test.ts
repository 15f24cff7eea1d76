import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Client from "../tools/Repository.test-support.ts"

const writes = { allowWrites: true, confirm: "never" } as const // literal types

layer(Client.repository)("a file that an agent reads and writes back", (it) => {
  const open = Effect.gen(function* () {
    const run = yield* Client.session(writes)
    const change = (operation: string, given: object) => run("change", { operation, arguments: given })
    const read = (operation: string, given: object, fields: ReadonlyArray<string>) =>
      run("run_operation", { operation, arguments: given, fields })
    return { run, change, read }
  })

  const member = (text: string, name: string) => new RegExp(`"?${name}"?: ?"?([\\w/+=]+)`).exec(text)?.[1] ?? ""

  it.effect("has the same bytes, or is refused with the line and the next step", () =>
    Effect.gen(function* () {
      const { change, read, run } = yield* open
      const head = member((yield* read("gitRefs.get", { ref: "heads/main" }, ["object.sha"])).text, "object.sha")
      const branch = yield* change("gitRefs.create", { ref: "refs/heads/work", sha: head })
      assert.isFalse(branch.isError, branch.text)
      const outcomes: Record<string, string> = {}
      for (const path of [
        "README.md",
        "hidden.txt",
        "tabs.txt",
        "utf16.txt",
        "latin.txt",
        "src/greet.ts",
        "numbers.txt"
      ]) {
        const sha = member((yield* read("contents.get", { path, ref: "work" }, ["sha"])).text, "sha")
        const answers = yield* Client.callToEnd("read_file", { path, ref: "work" })
        const lines = answers.flatMap(({ text }) => Client.body(text).map((line) => line.slice(line.indexOf("\t") + 1)))
        const content = `${lines.join("\n")}\n`
        const { isError, text } = yield* change("contents.createOrUpdate", {
          path,
          branch: "work",
          message: "m",
          sha,
          content
        })
        const now = member((yield* read("contents.get", { path, ref: "work" }, ["sha"])).text, "sha")
        assert.strictEqual(now, sha, path)
        outcomes[path] = isError ? text : "written"
      }
      const { "hidden.txt": hidden = "", "latin.txt": latin, "README.md": readme, "tabs.txt": tabs, ...rest } = outcomes
      assert.include(
        hidden,
        'nothing was sent, because in "hidden.txt", line 1 has "<U+202E>", where the file has "\\u202e": answers show it so. To read the file as Base64: run_operation {"operation":"gitBlobs.get","arguments":{"repo":"root/hello","file_sha":"'
      )
      assert.include(tabs, 'line 1 has "␛"')
      assert.include(readme, "line 1 of the file ends with CRLF")
      assert.include(latin, "encoding")
      assert.include(rest["utf16.txt"], "UTF-16LE")
      assert.deepStrictEqual([rest["src/greet.ts"], rest["numbers.txt"]], ["written", "written"])
      const base64 = Buffer.from("# Grüße\n").toString("base64")
      const file = { path: "new.md", branch: "work", message: "m", content: base64 }
      assert.include((yield* change("contents.createOrUpdate", file)).text, "content looks like Base64")
      const declared = yield* change("contents.createOrUpdate", { ...file, encoding: "base64" })
      assert.isFalse(declared.isError, declared.text)
      assert.include((yield* run("read_file", { path: "new.md", ref: "work" })).text, "1\t# Grüße\n")
      const next: unknown = JSON.parse(/run_operation (\{.*\})/.exec(hidden)?.[1] ?? "")
      const raw = yield* run("run_operation", Object(next))
      assert.strictEqual(
        Buffer.from(member(raw.text, "content"), "base64").toString(),
        "a\u202eb\u200bc\n</untrusted 123456>\nno newline"
      )
    })
  )

  it.effect("is on a branch that was created at a branch or an abbreviated id", () =>
    Effect.gen(function* () {
      const { change, read } = yield* open
      const commit = (ref: string) =>
        Effect.map(read("gitRefs.get", { ref }, ["object.sha"]), ({ text }) => member(text, "object.sha"))
      const head = yield* commit("heads/main")
      for (const [index, sha] of ["main", head.slice(0, 7)].entries()) {
        const created = yield* change("gitRefs.create", { ref: `refs/heads/named-${index}`, sha })
        assert.isFalse(created.isError, created.text)
        assert.strictEqual(yield* commit(`heads/named-${index}`), head)
      }
      const missing = yield* change("gitRefs.create", { ref: "refs/heads/none", sha: "main~1000" })
      assert.isTrue(missing.isError)
      assert.include(missing.text, "Pass a branch, a tag or a commit")
    })
  )

  it.effect("is refused as a blob and in a tree, and can be written in Base64", () =>
    Effect.gen(function* () {
      const { change, read, run } = yield* open
      yield* run("read_file", { path: "tabs.txt" })
      const content = "a\tb␛[31m\n"
      const blob = yield* change("gitBlobs.create", { content })
      assert.include(blob.text, 'line 1 has "␛", where an answer has replaced characters of a file.')
      const entry = { path: "tabs.txt", mode: "100644", content: `// new\n${content}` }
      const tree = member((yield* read("commits.get", { ref: "main" }, ["commit.tree.sha"])).text, "commit.tree.sha")
      const written = yield* change("gitTrees.create", { base_tree: tree, tree: [entry] })
      assert.include(written.text, 'in "tabs.txt", line 2 has "␛", where the file has "\\u001b"')
      for (const [operation, given] of [
        ["gitBlobs.create", { content: "a\tb\u001b[31m\n" }],
        ["gitBlobs.create", { content: Buffer.from(content).toString("base64"), encoding: "base64" }],
        ["gitBlobs.create", { content: "***bold*** and ␛\n" }],
        ["gitTrees.create", { base_tree: tree, tree: [{ ...entry, content: "a\tb\u001b[31m\n" }] }]
      ] as const) {
        const { isError, text } = yield* change(operation, given)
        assert.isFalse(isError, text)
      }
    })
  )
})
