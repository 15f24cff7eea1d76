import { assert, describe, it, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Client from "./Repository.test-support.ts"
import * as RunTool from "./RunTool.test-support.ts"
import * as SearchCode from "./SearchCode.ts"

layer(Client.repository)("search_code on a forge with the code index", (it) => {
  const search = (args: Readonly<Record<string, unknown>>) => Client.call("search_code", args)

  it.effect("groups lines by file, the best file first, and names definitions", () =>
    Effect.gen(function* () {
      const { text } = yield* search({ query: "greet" })
      assert.match(text, /^root\/hello, matches 7: 2 files\n/)
      assert.deepStrictEqual(Client.body(text), [
        "src/greet.ts",
        "2 function\texport const greet = (name: string): string => `hello ${name}`",
        "4 class\texport class Greeter {",
        '6\treturn greet("all")',
        "1\t/** Greets a person. */",
        "src/main.ts",
        '1\timport { greet } from "./greet.ts"',
        '3\tconsole.log(greet("world"))'
      ])
    })
  )

  it.effect("understands the whole language of the index", () =>
    Effect.gen(function* () {
      const cases = [
        [
          "/gr.et\\(/ path:*.ts",
          ["src/greet.ts", '6\treturn greet("all")', "src/main.ts", '3\tconsole.log(greet("world"))']
        ],
        ["symbol:Greeter", ["src/greet.ts", "4 class\texport class Greeter {"]],
        ["(world OR nothing) -path:docs", ["src/main.ts", '3\tconsole.log(greet("world"))']],
        ["filename:x.test", ["src/deep/er/x.test.ts"]]
      ] as const
      for (const [query, lines] of cases)
        assert.deepStrictEqual(Client.sorted(Client.body((yield* search({ query })).text)), Client.sorted(lines), query)
    })
  )

  it.effect("marks matches among the lines around them", () =>
    Effect.gen(function* () {
      const { text } = yield* search({ query: "world", context: 2, repo: "root/hello" })
      assert.deepStrictEqual(Client.body(text), [
        "src/main.ts",
        '1\timport { greet } from "./greet.ts"',
        "2\t",
        '3>\tconsole.log(greet("world"))',
        "4\texport {}"
      ])
      assert.deepStrictEqual(Client.body((yield* search({ query: "world", repo: "octo/other" })).text), [])
    })
  )

  it.effect("lists all lines of the only file, without losing one", () =>
    Effect.gen(function* () {
      const answers = yield* Client.callToEnd("search_code", { query: "line path:numbers.txt" })
      const lines = answers.flatMap(({ text }) => Client.body(text).slice(1))
      assert.deepStrictEqual(
        lines,
        Array.from({ length: 3_000 }, (_, index) => `${index + 1}\tthis is the line number ${index + 1}`)
      )
      for (const { tokens } of answers) assert.isAtMost(tokens, 2_000)
    })
  )

  it.effect("returns as many files as asked for, and continues with the others", () =>
    Effect.gen(function* () {
      const run = yield* Client.session()
      const first = yield* run("search_code", { query: "export", limit: 1 })
      assert.include(first.text, "1 of 4 files")
      const paths = [Client.body(first.text)[0]]
      for (let { next } = first; next !== undefined;) {
        const more: Client.Called = yield* run("search_code", next)
        paths.push(Client.body(more.text)[0])
        next = more.next
      }
      assert.deepStrictEqual(Client.sorted(paths.map(String)), [
        "src/deep/a file.ts",
        "src/deep/er/x.test.ts",
        "src/greet.ts",
        "src/main.ts"
      ])
    })
  )

  it.effect("explains queries", () =>
    Effect.gen(function* () {
      const invalid = yield* search({ query: "size:big greet" })
      assert.isTrue(invalid.isError)
      assert.include(invalid.text, 'Invalid query. At 1 "size:big": Write a size in bytes')
      assert.notInclude(invalid.text, "Corrected query")
      const corrected = yield* search({ query: "author:mona fix" })
      assert.match(corrected.text, / Corrected query: author:mona type:commit fix$/m)
      const cases = [
        ["ext:ts greet", 'For the qualifier, write "extension:ts".'],
        ["greet langauge:ts", 'For the qualifier, write "language:ts".'],
        ["nowhere colour:blue", "Qualifiers are repo, user,"],
        ["nowhere *.ts", 'For a path pattern, write "path:*.ts".'],
        ["no.*where", 'For a regular expression, write "/no.*where/".'],
        ["nowhere greet", "A file must contain all words."],
        ["nowhere extension:ts", "Remove a qualifier."],
        ["nowhere word:yes", "Remove case:yes and word:yes."],
        ["nowhere", "Search for a part of the word"]
      ] as const
      for (const [query, hint] of cases) assert.include((yield* search({ query })).text, hint, query)
      assert.notInclude((yield* search({ query: "greet" })).text.split("</untrusted").at(-1), "\n")
    })
  )
})

const item = (path: string, fragment: string, indices: readonly [number, number], name = "octo/hello") => ({
  name: path,
  path,
  sha: "1".repeat(40),
  url: "",
  git_url: "",
  html_url: "",
  repository: {
    id: 1,
    node_id: "",
    name: name.split("/")[1],
    full_name: name,
    owner: { id: 1, login: name.split("/")[0] }
  },
  text_matches: [
    { object_url: "", object_type: "FileContent", property: "content", fragment, matches: [{ text: "x", indices }] }
  ]
})

const results = (...items: ReadonlyArray<object>) => ({ total_count: items.length, incomplete_results: false, items })

describe("search_code on other forges", () => {
  const github = { client: { dialect: "github" } } as const

  const search = (args: Readonly<Record<string, unknown>>, responses: RunTool.Responses) =>
    RunTool.run(SearchCode.make(), args, responses, github)

  it.effect("searches the default repository with the documented search", () =>
    Effect.gen(function* () {
      const { requests, text } = yield* search(
        { query: "parse extension:ts" },
        {
          "GET /search/code?q=parse+extension:ts+repo:octo/hello&per_page=30": results(
            item("a.ts", "one\n  parse(x)\ntwo", [6, 11])
          )
        }
      )
      assert.match(text, /^octo\/hello: 1 file\n/)
      assert.deepStrictEqual(Client.body(text), ["a.ts", "parse(x)"])
      assert.lengthOf(requests, 1)
    })
  )

  it.effect("learns from the first search that the forge has no index", () =>
    Effect.gen(function* () {
      const key = "GET /search/code?q=parse+repo:octo/hello&per_page=30"
      const { requests, text } = yield* RunTool.run(SearchCode.make(), { query: "parse" }, { [key]: results() })
      assert.deepStrictEqual(requests, ["GET /tongs/search?q=parse&limit=1000&context=0&deadline=10000", key])
      assert.include(text, "Search for a part of the word")
    })
  )

  it.effect("reads the files for line numbers if the caller wants context", () =>
    Effect.gen(function* () {
      const content = Buffer.from("zero\r\none\n  parse(x)\ntwo\nthree").toString("base64")
      const { text } = yield* search(
        { query: "parse user:octo", context: 1 },
        {
          "GET /search/code?q=parse+user:octo&per_page=10": results(
            item("a.ts", "one\n  parse(x)\ntwo", [6, 11]),
            item("b.ts", "parse(y)", [0, 5], "octo/other")
          ),
          "GET /repos/octo/hello/contents/a.ts": {
            type: "file",
            size: 30,
            name: "a.ts",
            path: "a.ts",
            sha: "1".repeat(40),
            url: "",
            git_url: null,
            html_url: null,
            download_url: null,
            _links: { self: "", git: null, html: null },
            encoding: "base64",
            content
          }
        }
      )
      assert.deepStrictEqual(Client.body(text), [
        "octo/hello a.ts",
        "2\tone",
        "3>\t  parse(x)",
        "4\ttwo",
        "octo/other b.ts",
        "parse(y)"
      ])
    })
  )

  it.effect("explains what only the code index supports", () =>
    Effect.gen(function* () {
      const fails = (args: Readonly<Record<string, unknown>>) => Effect.map(Effect.flip(search(args, {})), String)
      assert.include(yield* fails({ query: "/a.b/ path:*.ts" }), "Regular expressions are not supported here.")
      assert.include(yield* fails({ query: "a repo:a/b", repo: "a/b" }), "Pass repo, or write repo:")
    })
  )
})

describe("search_code on a forge whose answer ends too early", () => {
  it.effect("says that results are missing", () =>
    Effect.gen(function* () {
      const { text } = yield* RunTool.run(
        SearchCode.make(),
        { query: "greet" },
        { "GET /tongs/search?q=greet&limit=1000&context=0&deadline=10000": new Uint8Array() }
      )
      assert.strictEqual(text, "0 files\nResults are missing: the forge's answer ended too early. Search again.")
    })
  )
})

/** Lines of code that have words and values of credentials. */
const credentials = [
  "readonly authorization: Authorization.Header | undefined",
  'export const authorize = { authorization: "Bearer abcdef0123456789" }',
  "export const url = 'https://me:p4ssw0rd12345@host.test/?token=abcdef0123456789'",
  'const undo = () => authorize ?? "authorization: token abcdef0123456789"'
] as const // a tuple

const authorizing = {
  "src/main.ts": `export interface Headers {\n  ${credentials[0]}\n}\n${credentials.slice(1).join("\n")}\n`
}

layer(Client.repositoryOf(authorizing))("code with credentials", (it) => {
  const [member, definition, , reference] = credentials

  it.effect("is shown as the file has it", () =>
    Effect.gen(function* () {
      const { text } = yield* Client.call("search_code", { query: "authorization OR p4ssw0rd12345" })
      const hits = Client.body(text).slice(1)
      assert.deepStrictEqual(
        hits.map((line) => line.split("\t")[1]),
        [...credentials]
      )
      const answers = [
        ["search_code", { query: "authorization", context: 2 }, member],
        ["symbols", { name: "authorize" }, definition],
        ["symbols", { name: "authorize", kind: "references" }, reference],
        ["read_file", { path: "src/main.ts" }, member],
        ["run_operation", { operation: "contents.get", arguments: { path: "src/main.ts" } }, definition],
        ["run_operation", { operation: "codeSearch.getMatches", arguments: { path: "src/main.ts", q: "undo" } }, "undo"]
      ] as const
      for (const [tool, args, line] of answers) assert.include((yield* Client.call(tool, args)).text, line, tool)
    })
  )
})
