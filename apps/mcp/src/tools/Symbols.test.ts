import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Client from "./Repository.test-support.ts"

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
            '6\treturn greet("all")',
            "src/main.ts",
            '1\timport { greet } from "./greet.ts"',
            '3\tconsole.log(greet("world"))'
          ]
        ],
        [{ name: "greet", kind: "references", path: "src/greet.ts" }, ["src/greet.ts", '6\treturn greet("all")']],
        [
          { name: "greet", path: "src/main.ts", line: 3, ref: "main" },
          ["src/greet.ts", "2 function\texport const greet = (name: string): string => `hello ${name}`"]
        ],
        [
          { name: "name", kind: "references", path: "src/greet.ts", line: 2 },
          ["src/greet.ts", "2\texport const greet = (name: string): string => `hello ${name}`"]
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
