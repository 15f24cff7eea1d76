/** Hostile text in every text of every resource, on every screen and in every window. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Relations from "@tongs/core/contract/Relations"
import { allEntries, type CatalogEntry } from "@tongs/core/contract/CatalogEntry"
import * as Terminal from "@tongs/core/text/Terminal"
import * as Route from "../content/Route.ts"
import * as ModelDriver from "../ModelDriver.test-support.ts"
import * as SampleResponses from "../SampleResponses.test-support.ts"
import * as StyledLine from "../text/StyledLine.ts"

/** Terminal sequences, invisible and directional characters, wide and combining characters, and a long text. */
const hostile = [
  "\u001b[2J\u001b]0;title\u0007\u001b[31m",
  "\u001b]8;;http://evil.test\u001b\\link\u001b]8;;\u001b\\",
  "\u009b31m\u0090q\u009c\u0085",
  "a\u0000b\u0008\u007f\r\n\tc",
  "\u202egnp.exe\u202c\u2066x\u2069\u200f\u061c",
  "\u{e0041}\u{e0042}\u{e007f}",
  "\u2028\u2029\ufeff\u200b\u00ad\ufffe",
  "日本語👩‍👩‍👧🏽e\u0301\u0301\u0301한\u1100\u1161",
  "\ud800",
  "x".repeat(2_000)
].join(" ")

/** Characters that must not reach a terminal: control, line and paragraph separators, directions and tags. */
const forbidden = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c\u{e0000}-\u{e007f}\ufeff\ud800]/u

const sizes = [
  [40, 10],
  [80, 24],
  [160, 48]
] as const // pairs

type Ui = Effect.Success<ReturnType<typeof ModelDriver.start>>

const check = (ui: Ui, where: string) => {
  const { columns, lines, rows } = ui.view()
  assert.lengthOf(lines, rows, where)
  for (const line of lines) {
    const text = StyledLine.text(line)
    assert.notMatch(text, forbidden, where)
    assert.strictEqual(Terminal.width(text), columns, `${where}: ${text}`)
    assert.strictEqual(StyledLine.width(line), columns, `${where}: ${text}`)
  }
  if (ui.view().window === undefined) return
  for (const row of ui.rows()) {
    assert.notMatch(row, forbidden, where)
    assert.strictEqual(Terminal.width(row), columns, `${where}: ${row}`)
  }
}

const settle = Effect.gen(function* () {
  for (let turn = 0; turn < 12; turn++) yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
})

/** Starts on the screen of a read operation. */
const open = (entry: CatalogEntry, text: string, isFailing: boolean) => {
  const values = Object.fromEntries(
    entry.fields.flatMap(({ kind, name, required, values: [first] }) =>
      required ? [[name, kind === "integer" ? 1 : (first ?? text)]] : []
    )
  )
  const screen = `${entry.group}.${entry.name}`
  return ModelDriver.start({
    session: { routes: [Route.make(screen, values)], split: 0.6, isPaneShown: true },
    respond: (path, _query, { method }) =>
      isFailing ? { status: 403, body: { message: hostile } } : SampleResponses.of(method, path, hostile)
  })
}

const checkScreen = Effect.fnUntraced(function* (ui: Ui, entry: CatalogEntry, size: readonly [number, number]) {
  const name = `${entry.group}.${entry.name} ${size.join("x")}`
  ui.resize(...size)
  yield* settle
  check(ui, name)
  ui.press("j", "j", "right")
  check(ui, `${name} after j j right`)
  for (const key of ["a", ":", "?", "/"]) {
    ui.press(key)
    check(ui, `${name} after ${key}`)
    ui.press("escape")
  }
  // Other tests draw the forms of all operations at other sizes.
  if (size[0] !== 80) return
  for (const { entry: write } of Relations.writes(entry)) {
    ui.press("a", ...write.operation.summary, "enter")
    check(ui, `${name}, ${write.operation.summary}`)
    ui.press("j", "enter")
    check(ui, `${name}, ${write.operation.summary}, Enter`)
    ui.press("escape", "escape")
    if (ui.window().length > 0) ui.press("escape")
    yield* settle
  }
})

/** Every fiftieth read operation, or all read operations in `npm run test:long`. */
const reads = allEntries()
  .filter(({ readonly }) => readonly)
  .filter((_, index) => process.env["TONGS_LONG_TESTS"] !== undefined || index % 50 === 0)

describe("hostile text", () => {
  for (const entry of reads)
    it.live(`of ${entry.group}.${entry.name}`, () =>
      Effect.gen(function* () {
        const ui = yield* open(entry, "plain", false)
        for (const size of sizes) yield* checkScreen(ui, entry, size)
      }).pipe(Effect.scoped)
    )

  it.live("of failures and of arguments", () =>
    Effect.gen(function* () {
      const [entry] = allEntries().filter(({ group, name }) => group === "branches" && name === "list")
      if (entry === undefined) return assert.fail()
      for (const isFailing of [true, false]) {
        const ui = yield* open(entry, hostile, isFailing)
        for (const size of sizes) yield* checkScreen(ui, entry, size)
        ui.press("y")
        check(ui, "menu")
        ui.press("y")
        check(ui, "copied")
      }
    })
  )
})
