import { assert, it, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import * as Client from "./Repository.test-support.ts"
import * as RunTool from "./RunTool.test-support.ts"
import * as Symbols from "./Symbols.ts"

layer(Client.repository)("symbols", (it) => {
  const symbols = (args: Readonly<Record<string, unknown>>) => Client.call("symbols", args)

  it.effect("outlines a file and a folder", () =>
    Effect.gen(function* () {
      const file = ["2\tfunction greet", "4\tclass Greeter", "5\tmethod Greeter.run"]
      assert.deepStrictEqual(Client.body((yield* symbols({ path: "src/greet.ts" })).text), file)
      assert.deepStrictEqual(Client.body((yield* symbols({ path: "/src/", ref: "main" })).text), [
        "src/deep/a file.ts",
        "1\tconstant other",
        "src/deep/er/x.test.ts",
        "1\tconstant test",
        "src/greet.ts",
        ...file
      ])
      assert.include((yield* symbols({ path: "" })).text, "6 symbols")
      assert.include((yield* symbols({ path: "empty.txt" })).text, "No definitions found")
    })
  )

  it.effect("lists definitions and references of a name", () =>
    Effect.gen(function* () {
      const cases = [
        [
          { name: "greet" },
          ["src/greet.ts", "2 function\texport const greet = (name: string): string => `hello ${name}`"]
        ],
        [
          { name: "greet", kind: "references" },
          [
            "src/greet.ts",
            '6 Greeter.run\treturn greet("all")',
            "src/main.ts",
            '1\timport { greet } from "./greet.ts"',
            '3\tconsole.log(greet("world"))'
          ]
        ],
        [
          { name: "greet", kind: "references", path: "src/greet.ts" },
          ["src/greet.ts", '6 Greeter.run\treturn greet("all")']
        ],
        [
          { name: "greet", path: "src/main.ts", line: 3, ref: "main" },
          ["src/greet.ts", "2 function\texport const greet = (name: string): string => `hello ${name}`"]
        ],
        [
          { name: "name", kind: "references", path: "src/greet.ts", line: 2 },
          ["src/greet.ts", "2 greet\texport const greet = (name: string): string => `hello ${name}`"]
        ]
      ] as const
      for (const [args, lines] of cases)
        assert.deepStrictEqual(
          Client.sorted(Client.body((yield* symbols(args)).text)),
          Client.sorted(lines),
          JSON.stringify(args)
        )
      assert.include((yield* symbols({ name: "gree" })).text, "No definitions of this whole name.")
    })
  )

  it.effect("explains invalid arguments", () =>
    Effect.gen(function* () {
      const cases = [
        [{}, "Pass path for an outline"],
        [{ kind: "references", path: "src" }, "Pass name"],
        [{ name: "greet", kind: "outline" }, "An outline has no name"],
        [{ path: "nowhere" }, "No file or folder nowhere."]
      ] as const
      for (const [args, message] of cases) {
        const { isError, text } = yield* symbols(args)
        assert.isTrue(isError)
        assert.include(text, message)
      }
    })
  )
})

const definition = (line: number, certain: boolean) => ({
  owner: "octo",
  repo: "hello",
  path: "src/a.ts",
  commit: "1".repeat(40),
  name: "open",
  kind: "function",
  line,
  text: `export const open = ${line}`,
  certain
})

const found = (items: ReadonlyArray<object>, incomplete = false) => ({
  total_count: items.length,
  incomplete_results: incomplete,
  items
})

it.effect("lists only the certain definitions of a use", () =>
  Effect.gen(function* () {
    const route = "GET /tongs/repos/octo/hello/definitions/open?path=src/b.ts&line=3&per_page=100"
    const run = (items: ReadonlyArray<object>) =>
      RunTool.run(Symbols.make(), { name: "open", path: "src/b.ts", line: 3 }, { [route]: found(items) })
    const others = Array.from({ length: 49 }, (_, index) => definition(index + 10, false))
    const { requests, text } = yield* run([definition(1, true), ...others])
    assert.deepStrictEqual(requests, [route])
    assert.deepStrictEqual(Client.body(text), ["src/a.ts", "1 function\texport const open = 1"])
    assert.include(text, "By the name alone: 49 others; to list them, call without line.")
    const { text: unknown } = yield* run(others)
    assert.lengthOf(Client.body(unknown), 0)
    assert.include(unknown, "No definitions in served repositories are certain. By the name alone: 49;")
  })
)

it.effect("waits for an index that is not complete, and says what is missing", () =>
  Effect.gen(function* () {
    const reference = {
      path: "a.ts",
      owner: "octo",
      repo: "hello",
      commit: "1".repeat(40),
      line: 1,
      text: "open()",
      matches: []
    }
    const route = "GET /tongs/repos/octo/hello/references/open?per_page=100"
    const run = yield* Effect.forkChild(
      RunTool.run(Symbols.make(), { name: "open", kind: "references" }, { [route]: found([reference], true) })
    )
    yield* TestClock.adjust("30 seconds")
    const { requests, text } = yield* Fiber.join(run)
    assert.isAtLeast(requests.length, 2)
    assert.include(text, "The forge had not searched all files yet: 1 references so far. Call again in some seconds.")
  })
)
