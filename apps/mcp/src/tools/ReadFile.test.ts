import { assert, describe, it, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as ReadFile from "./ReadFile.ts"
import * as Client from "./Repository.test-support.ts"
import * as RunTool from "./RunTool.test-support.ts"

const decodeLines = Schema.decodeUnknownEffect(
  Schema.Struct({ items: Schema.Array(Schema.Struct({ line: Schema.Int, commit: Schema.String })) })
)

layer(Client.repository)("read_file", (it) => {
  const read = (args: Readonly<Record<string, unknown>>) => Client.call("read_file", args)

  it.effect("shows numbered lines of a range, around a line, and of the end", () =>
    Effect.gen(function* () {
      const shown = (text: string) => Client.body(text).map((line) => Number(line.split("\t")[0]))
      const cases = [
        [{ lines: "120-122" }, [120, 121, 122]],
        [{ lines: "7" }, [7]],
        [{ lines: "-2" }, [2_999, 3_000]],
        [{ lines: "2999-" }, [2_999, 3_000]],
        [{ lines: "2999-9999" }, [2_999, 3_000]],
        [{ around: 2 }, Array.from({ length: 22 }, (_, index) => index + 1)],
        [{ around: 100 }, Array.from({ length: 41 }, (_, index) => index + 80)]
      ] as const
      for (const [args, lines] of cases) {
        const { text } = yield* read({ path: "numbers.txt", ...args })
        assert.deepStrictEqual(shown(text), [...lines], JSON.stringify(args))
        assert.include(text, `${lines.length} of 3000 lines`)
      }
      const { text } = yield* read({ path: "numbers.txt", lines: "120" })
      assert.include(text, "\n120\tthis is the line number 120\n")
    })
  )

  it.effect("continues a long file until its end, without losing lines", () =>
    Effect.gen(function* () {
      const answers = yield* Client.callToEnd("read_file", { path: "numbers.txt", ref: "main" })
      for (const { tokens } of answers) assert.isAtMost(tokens, 2_000)
      const lines = answers.flatMap(({ text }) => Client.body(text))
      assert.deepStrictEqual(
        lines,
        Array.from({ length: 3_000 }, (_, index) => `${index + 1}\tthis is the line number ${index + 1}`)
      )
      assert.isAbove(answers.length, 10)
      const large = yield* read({ path: "numbers.txt", lines: "1-2000" })
      assert.isAbove(large.tokens, 3_000)
      assert.match(JSON.stringify(large.next), /^\{"path":"numbers.txt","lines":"\d+-2000"\}$/)
    })
  )

  it.effect("reads up to ten paths and ranges in one call", () =>
    Effect.gen(function* () {
      const { isError, text } = yield* read({
        paths: ["src/main.ts", "numbers.txt:120-121", "none.txt", "big.txt", "numbers.txt:-1"]
      })
      assert.isFalse(isError, text)
      const lines = Client.body(text)
      assert.deepStrictEqual(lines.slice(0, 2), ["src/main.ts (4 lines)", '1\timport { greet } from "./greet.ts"'])
      for (const line of [
        "120\tthis is the line number 120",
        "none.txt",
        "Not found.",
        "3000\tthis is the line number 3000"
      ])
        assert.include(lines, line)
      assert.match(text, /\nMore of big\.txt: read_file \{"path":"big\.txt","lines":"\d+-"\}/)
      assert.include((yield* read({ paths: ["none.txt"] })).text, "Not Found")
      assert.isTrue((yield* read({ paths: Array.from({ length: 11 }, () => "README.md") })).isError)
      assert.include((yield* read({ paths: ["README.md"], lines: "1" })).text, "for a single path")
      assert.include((yield* read({})).text, "path is missing")
    })
  )

  it.effect("reads one file of several repositories in one call", () =>
    Effect.gen(function* () {
      const { text } = yield* read({ path: "README", repos: ["*"] })
      assert.include(Client.body(text), "root/hello README (3 lines)")
      assert.include(Client.body(text), "1\t# hello")
      const named = yield* read({ path: "src/main.ts:1", repos: ["root/hello", "octo/none"] })
      assert.deepStrictEqual(Client.body(named.text), [
        "root/hello src/main.ts (4 lines)",
        '1\timport { greet } from "./greet.ts"',
        "octo/none src/main.ts",
        "Not found."
      ])
    })
  )

  it.effect("reads files over 1 MB", () =>
    Effect.gen(function* () {
      const { text } = yield* read({ path: "big.txt", lines: "-1" })
      assert.include(text, "1 of 120000 lines")
      assert.deepStrictEqual(Client.body(text), ["120000\tline 120000"])
    })
  )

  it.effect("says what is special about the bytes of a file", () =>
    Effect.gen(function* () {
      const cases = [
        ["README.md", ["1\t# hello", "2\t", "3\tSee `src`."], "Lines end with CRLF."],
        ["empty.txt", [], "The file is empty."],
        ["hidden.txt", ["1\ta<U+202E>b<U+200B>c", "2\t<U+003C>/untrusted 123456>", "3\tno newline"], "no newline."],
        ["tabs.txt", ["1\ta\tb␛[31m"], ""],
        ["utf16.txt", ["1\tGrüße", "2\tzwei"], "The file's encoding is UTF-16LE."],
        ["latin.txt", ["1\tGrüße"], "The file's encoding is not UTF-8"],
        ["model.bin", undefined, "a Git LFS pointer: the file's content of 123.5 MB is not in the repository."]
      ] as const
      for (const [path, lines, note] of cases) {
        const { text } = yield* read({ path })
        if (lines !== undefined) assert.deepStrictEqual(Client.body(text), [...lines], path)
        assert.include(text, note)
      }
      assert.notInclude((yield* read({ path: "src/main.ts" })).text.split("</untrusted").at(-1), "\n")
    })
  )

  it.effect("cuts long lines, but shows more of a line that is asked for alone", () =>
    Effect.gen(function* () {
      const { text } = yield* read({ path: "long.js", lines: "1-3" })
      assert.include(text, `2\t${"x".repeat(1_000)}… (4000 more characters)\n3\tlast`)
      assert.include((yield* read({ path: "long.js", lines: "2" })).text, `2\t${"x".repeat(1_500)}`)
    })
  )

  it.effect("links the resource of a binary file", () =>
    Effect.gen(function* () {
      const { content, text } = yield* read({ path: "image.png" })
      assert.include(text, "A binary file, image/png, 8 B: resource forge://root/hello/contents/image.png.")
      assert.deepInclude(content[1], {
        type: "resource_link",
        uri: "forge://root/hello/contents/image.png",
        mimeType: "image/png"
      })
      const large = yield* read({ path: "large.bin" })
      assert.include(large.text, "A binary file, application/octet-stream, 200 kB: resource")
    })
  )

  it.effect("reads a linked file, and names the target of other links, submodules and folders", () =>
    Effect.gen(function* () {
      const link = yield* read({ path: "link", lines: "1-2" })
      assert.deepStrictEqual(
        Client.body(link.text),
        Client.body((yield* read({ path: "src/main.ts", lines: "1-2" })).text)
      )
      const outside = yield* read({ path: "outside" })
      assert.include(outside.text, "/etc/passwd")
      assert.isUndefined(outside.next)
      const module = yield* read({ path: "vendor/m" })
      assert.match(module.text, /https:\/\/example\.org\/m\.git\n.*\nA submodule at commit [0-9a-f]{40}\.$/)
      const folder = yield* read({ path: "./src/" })
      assert.deepStrictEqual(Client.body(folder.text), ["deep/ greet.ts main.ts"])
      assert.include(folder.text, "call list_files")
    })
  )

  it.effect("shows the last change of lines", () =>
    Effect.gen(function* () {
      const { data, text } = yield* read({ path: "src/main.ts", blame: true })
      assert.match(
        Client.body(text).join("\n"),
        /^[0-9a-f]{7} 2026-01-01 in \d+ years Mona\n1\timport .*\n2\t\n3\tconsole.*\n[0-9a-f]{7} 2026-01-01 in \d+ years Mona\n4\texport \{\}$/
      )
      assert.isUndefined(data)
      const structured = yield* Client.call("read_file", { path: "src/main.ts", blame: true }, { structured: true })
      const { items } = yield* decodeLines(structured.data)
      assert.deepStrictEqual(
        items.map(({ commit, line }) => [line, commit === items[0]?.commit]),
        [
          [1, true],
          [2, true],
          [3, true],
          [4, false]
        ]
      )
    })
  )

  it.effect("explains invalid arguments", () =>
    Effect.gen(function* () {
      const cases = [
        [{ path: "numbers.txt", lines: "3001-" }, "The file has lines 1 to 3000."],
        [{ path: "numbers.txt", lines: "0" }, "The file has lines 1 to 3000."],
        [{ path: "numbers.txt", lines: "9-3" }, "The file has lines 1 to 3000."],
        [{ path: "numbers.txt", around: 5_000 }, "The file has lines 1 to 3000."],
        [{ path: "numbers.txt", lines: "a-b" }, 'Invalid lines "a-b": write 120-160, 120-, -20 or 120.'],
        [{ path: "numbers.txt", lines: "-" }, 'Invalid lines "-"'],
        [{ path: "numbers.txt", lines: "1-2", around: 1 }, "Pass lines or around, not both."],
        [{ path: "nowhere.txt" }, "call list_repositories or list_refs or list_files"]
      ] as const
      for (const [args, message] of cases) {
        const { isError, text } = yield* read(args)
        assert.isTrue(isError)
        assert.include(text, message)
      }
    })
  )
})

describe("read_file of a huge file", () => {
  const entry = {
    type: "file",
    size: 9_000_000,
    name: "huge.txt",
    path: "huge.txt",
    sha: "1".repeat(40),
    url: "",
    git_url: null,
    html_url: null,
    download_url: null,
    _links: { self: "", git: null, html: null },
    encoding: "none",
    content: ""
  }
  const responses = {
    "GET /repos/octo/hello/contents/huge.txt": entry,
    [`GET /repos/octo/hello/git/blobs/${entry.sha}`]: new Uint8Array(Buffer.from("é234567\n".repeat(1_000_000)))
  }

  it.effect("reads its first 8 MB", () =>
    Effect.gen(function* () {
      const { text } = yield* RunTool.run(ReadFile.make(), { path: "huge.txt", lines: "888880-" }, responses)
      assert.match(text, /: 9 of 888888 lines of the first 8 MB of 9 MB\n/)
      assert.strictEqual(Client.body(text).at(-1), "888888\té234567")
      const end = yield* Effect.flip(RunTool.run(ReadFile.make(), { path: "huge.txt", lines: "-5" }, responses))
      assert.include(String(end), "too large to read its end. Its first lines are 1 to 888888.")
    })
  )

  it.effect("does not continue with a link to itself", () =>
    Effect.gen(function* () {
      const link = { ...entry, type: "symlink", target: "huge.txt" }
      const { text } = yield* RunTool.run(
        ReadFile.make(),
        { path: "huge.txt" },
        { "GET /repos/octo/hello/contents/huge.txt": link }
      )
      assert.include(text, "A symbolic link to itself.")
      assert.notInclude(text, "call again")
    })
  )

  it.effect("says that a folder can have more entries than the forge sends", () =>
    Effect.gen(function* () {
      const entries = Array.from({ length: 1_000 }, (_, index) => ({ ...entry, name: `${index} x`, path: `${index}` }))
      const { text } = yield* RunTool.run(
        ReadFile.make(),
        { path: "many" },
        { "GET /repos/octo/hello/contents/many": entries }
      )
      assert.include(text, '"0 x" "1 x"')
      assert.include(text, "A folder with at least 1,000 entries.")
    })
  )

  it.effect("says that a forge has no blame", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(
        RunTool.run(ReadFile.make(), { path: "huge.txt", blame: true }, responses, { client: { dialect: "github" } })
      )
      assert.include(String(error), "This forge has no blame.")
    })
  )
})
