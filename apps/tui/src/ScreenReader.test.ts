import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as KeyBindings from "./actions/KeyBindings.ts"
import type * as FakeForge from "./FakeForge.test-support.ts"
import type { Announcement } from "./model/Announcement.ts"
import * as ModelDriver from "./ModelDriver.test-support.ts"
import * as ScreenReader from "./ScreenReader.ts"
import type { UserEvent } from "./terminal/TerminalInput.ts"

const announcement: Announcement = {
  place: "log",
  title: "octo/hello, log",
  introduction: [],
  section: { text: "", key: "" },
  focus: { item: "a", texts: [{ text: "a, 1 minute ago", key: "a" }] },
  position: "1/9 commits",
  message: undefined,
  problem: "",
  loading: "",
  input: undefined,
  reading: { cursor: 0, at: (index) => `row ${index}` }
}

describe("lines", () => {
  it("names the screen, then the selected row with its position", () => {
    assert.deepStrictEqual(ScreenReader.lines(undefined, announcement), [
      "octo/hello, log",
      "a, 1 minute ago (1/9 commits)"
    ])
  })

  it("names the screen and the section once, although more tabs and sections become known", () => {
    const section = { text: "Events, section 1 of 2", key: "1 Events" }
    const first = { ...announcement, section }
    const more = {
      ...first,
      title: "octo/hello, log. Tab 1 of 7",
      section: { ...section, text: "Events, section 1 of 3" }
    }
    assert.include(ScreenReader.lines(undefined, first), "Events, section 1 of 2")
    assert.deepStrictEqual(ScreenReader.lines(first, more), [])
    const next = { ...more, section: { text: "Other, section 2 of 3", key: "2 Other" } }
    assert.deepStrictEqual(ScreenReader.lines(more, next), ["Other, section 2 of 3"])
  })

  it("prints nothing if only an age changes", () => {
    const focus = { item: "a", texts: [{ text: "a, 2 minutes ago", key: "a" }] }
    assert.deepStrictEqual(ScreenReader.lines(announcement, { ...announcement, focus }), [])
  })

  it("prints the selected row if it moves or changes", () => {
    const moved = { item: "b", texts: [{ text: "b", key: "b" }] }
    assert.deepStrictEqual(ScreenReader.lines(announcement, { ...announcement, focus: moved, position: "2/9" }), [
      "b (2/9)"
    ])
    const marked = { item: "a", texts: [{ text: "marked, a", key: "marked, a" }] }
    assert.deepStrictEqual(ScreenReader.lines(announcement, { ...announcement, focus: marked }), [
      "marked, a (1/9 commits)"
    ])
  })

  it("prints only the new problem of a field", () => {
    const texts = ["url, required", "Where to send."].map((text) => ({ text, key: text }))
    const form = { ...announcement, position: "", focus: { item: "url", texts } }
    const error = { text: "Error: Required.", key: "Error: Required." }
    assert.deepStrictEqual(ScreenReader.lines(form, { ...form, focus: { item: "url", texts: [...texts, error] } }), [
      "Error: Required."
    ])
  })

  it("repeats a message that a second key gives again", () => {
    const said = { ...announcement, message: { text: "Nothing to undo", isError: false } }
    const again = { ...said, message: { text: "Nothing to undo", isError: false } }
    assert.deepStrictEqual(ScreenReader.lines(announcement, said), ["Nothing to undo"])
    assert.deepStrictEqual(ScreenReader.lines(said, said), [])
    assert.deepStrictEqual(ScreenReader.lines(said, again), ["Nothing to undo"])
  })

  it("says a failure once, and that it ended", () => {
    const failed = { ...announcement, problem: "The forge does not respond" }
    assert.deepStrictEqual(ScreenReader.lines(announcement, failed), ["The forge does not respond"])
    assert.deepStrictEqual(ScreenReader.lines(failed, { ...failed }), [])
    assert.deepStrictEqual(ScreenReader.lines(failed, announcement), ["Loaded again"])
  })
})

describe("passed", () => {
  const at = (cursor: number) => ({
    ...announcement,
    position: "",
    reading: { cursor, at: (row: number) => `row ${row}` }
  })

  it("gives the lines that a page passes, in reading order", () => {
    assert.deepStrictEqual(ScreenReader.passed(at(1), at(3)), ["row 2", "row 3", ""])
    assert.deepStrictEqual(ScreenReader.passed(at(3), at(1)), ["row 1", "row 2", ""])
    assert.strictEqual(ScreenReader.passed(at(3), at(3)), undefined)
  })

  it("gives at most 100 lines", () => {
    assert.strictEqual(ScreenReader.passed(at(0), at(5_000))?.length, 101)
  })
})

describe("echo", () => {
  const input = (text: string, cursor = text.length) => ({ label: "filter", text, cursor })

  it("adds typed characters, and prints other edits again", () => {
    assert.strictEqual(ScreenReader.echo(undefined, input(""), false), "filter: ")
    assert.strictEqual(ScreenReader.echo(input(""), input("ab"), true), "ab")
    assert.strictEqual(ScreenReader.echo(input("ab"), input("a"), true), "\nfilter: a")
    assert.strictEqual(ScreenReader.echo(input("a"), input("ab"), false), "filter: ab")
    assert.strictEqual(ScreenReader.echo(input("a"), input("a"), true), "")
  })

  it("says where the cursor is after it moves", () => {
    assert.strictEqual(ScreenReader.echo(input("a bc"), input("a bc", 1), true), "\nbefore space, bc\n")
    assert.strictEqual(ScreenReader.echo(input("a bc", 1), input("a bc"), false), "\nat the end of the line\n")
  })
})

/** Starts the linear UI on a fake forge. */
const start = Effect.fnUntraced(function* (options: FakeForge.Options = {}) {
  const driver = yield* ModelDriver.start(options, 100, 24)
  let output = ""
  let listener: (event: UserEvent) => void = () => {}
  const waiting = new Set<() => void>()
  yield* Effect.acquireRelease(
    Effect.sync(() =>
      ScreenReader.start(driver.model, driver.registry, {
        input: {
          listen: (added) => {
            listener = added
            return () => {}
          },
          background: () => Effect.succeed(undefined),
          start: () => {},
          stop: () => {}
        },
        keys: KeyBindings.make(),
        greeting: ["Press ? for the keys"],
        write: (text) => {
          output += text
          for (const check of waiting) check()
        },
        pause: () => Promise.resolve(),
        onDefect: () => {}
      })
    ),
    (stop) => Effect.sync(stop)
  )
  /** Waits until words are printed after the last call. Returns the output since the last call. */
  const until = (words: string) =>
    Effect.callback<string>((resume) => {
      const check = () => {
        if (!output.includes(words)) return
        const printed = output
        output = ""
        waiting.delete(check)
        resume(Effect.succeed(printed))
      }
      waiting.add(check)
      check()
      return Effect.sync(() => waiting.delete(check))
    }).pipe(
      Effect.timeoutOrElse({
        duration: ModelDriver.TIMEOUT,
        orElse: () => Effect.die(`${words} was not printed: ${output}`)
      })
    )
  const press = (...names: ReadonlyArray<string>) => {
    for (const name of names) listener({ _tag: "Key", name })
  }
  return { until, press }
})

describe("start", () => {
  it.live("prints screens, rows and pages as lines without control sequences", () =>
    Effect.gen(function* () {
      const { press, until } = yield* start()
      const first = yield* until("(1/2")
      assert.match(first, /^Press \? for the keys\r\n/)
      press("pagedown")
      const page = yield* until("+ commits\r\n")
      assert.isAbove(page.split("\r\n").length, 10)
      press("g", "enter")
      yield* until("lines)")
      press("ctrl-d")
      yield* until("3 files changed")
      press("escape")
      const back = yield* until("(1/2")
      // Line ends are the only control characters.
      assert.notMatch([first, page, back].join(""), /[^\P{Cc}\r\n]/u)
    })
  )

  it.live("says the last row again at the end of a list", () =>
    Effect.gen(function* () {
      const { press, until } = yield* start()
      yield* until("(1/2")
      press("k")
      yield* until("(1/2")
    })
  )

  it.live("echoes a filter, and says the best match after a pause", () =>
    Effect.gen(function* () {
      const { press, until } = yield* start()
      yield* until("(1/2")
      press("/")
      yield* until("filter: ")
      press("n", "u", "m")
      yield* until("num")
      yield* until(" commits)")
      press("backspace")
      yield* until("filter: nu")
    })
  )

  it.live("prints the whole help, and the screen again with Ctrl-L", () =>
    Effect.gen(function* () {
      const { press, until } = yield* start()
      yield* until("(1/2")
      press("?")
      const help = yield* until("Escape closes the help.")
      assert.include(help, "j or Down: down")
      assert.include(help, "Backspace: back")
      press("escape")
      yield* until("(1/2")
      press("ctrl-l")
      yield* until("octo/hello")
    })
  )
})
