import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Jq from "./Jq.ts"

const evaluate = Effect.fnUntraced(function* (expression: string, value: unknown, isIndented = false) {
  const run = yield* Jq.make(expression, isIndented, {
    seconds: expression.includes("debug | empty") ? 2 : 100,
    memory: 64,
    output: 1
  })
  return yield* run(JSON.stringify(value))
}, Effect.scoped)

const failureOf = (expression: string, value: unknown) =>
  Effect.matchEffect(evaluate(expression, value), {
    onFailure: Effect.succeed,
    onSuccess: ({ failure, lines }) => Effect.succeed(failure ?? new Error(`no failure: ${lines.join(" ")}`))
  })

const linesOf = (expression: string, value: unknown, isIndented = false) =>
  Effect.map(evaluate(expression, value, isIndented), ({ lines }) => lines)

const items = [
  { name: 'a"b\\\té😀\n', id: 12345678901234567890n.toString() },
  { name: null, labels: [] }
]

describe("an expression", () => {
  it.live("prints texts without quotes, null as an empty line, and other values as JSON", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* linesOf(".[].name", items), ['a"b\\\té😀\n', ""])
      assert.deepStrictEqual(yield* linesOf('.[1], 1.5, true, "1", [null, "x"]', items), [
        '{"name":null,"labels":[]}',
        "1.5",
        "true",
        "1",
        '[null,"x"]'
      ])
      assert.deepStrictEqual(yield* linesOf("empty", items), [])
    })
  )

  it.live("indents objects and arrays for a terminal", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* linesOf('{a: ["x", null]}, "y"', null, true), [
        "{",
        '  "a": [',
        '    "x",',
        "    null",
        "  ]",
        "}",
        "y"
      ])
    })
  )

  it.live("runs on several values in one thread", () =>
    Effect.gen(function* () {
      const run = yield* Jq.make('"\\(.n + 1)"', false)
      for (const n of [1, 2, 3]) assert.deepStrictEqual((yield* run(JSON.stringify({ n }))).lines, [String(n + 1)])
    })
  )

  it.live("passes on what it prints to stderr", () =>
    Effect.map(evaluate("debug", 1), ({ lines, notes }) => {
      assert.deepStrictEqual(lines, ["1"])
      assert.strictEqual(notes, '["DEBUG:",1]')
    })
  )
})

it.live("keeps the results before an error", () =>
  Effect.map(evaluate(".[] | .a", [{ a: 1 }, "x"]), ({ failure, lines }) => {
    assert.deepStrictEqual(lines, ["1"])
    assert.match(String(failure?.message), /^--jq: Cannot index string/)
  })
)

describe("the error of an expression", () => {
  for (const [expression, tag, message] of [
    [".[", "UsageError", /^Invalid --jq expression: syntax error, unexpected end of file\.$/],
    ["nothing", "UsageError", /^Invalid --jq expression: nothing\/0 is not defined\.$/],
    ["1 +\n+", "UsageError", /^Invalid --jq expression: syntax error.*, line 2\.$/],
    [".a", "JqFailed", /^--jq: Cannot index array with "?(string )?"a"$/],
    ['error("no")', "JqFailed", /^--jq: no$/],
    ["[range(1e12)]", "JqFailed", /^--jq: The expression (needs more than 64 MB of memory)/],
    ["range(1e12)", "JqFailed", /^--jq: The expression (prints more than 1 MB)/],
    ['range(1e12) | ("x" * 10000)', "JqFailed", /^--jq: The expression (prints more than 1 MB)/],
    ["range(1e12) | debug | empty", "JqFailed", /^--jq: The expression did not finish within 2 seconds/]
  ] as const) {
    it.live(
      `${JSON.stringify(expression)} is a ${tag}`,
      () =>
        Effect.gen(function* () {
          const error = yield* failureOf(expression, [])
          assert.strictEqual(Object(error)._tag, tag, error.message)
          assert.match(error.message, message)
        }),
      120_000
    )
  }
})
