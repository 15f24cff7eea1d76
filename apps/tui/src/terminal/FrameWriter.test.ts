import { assert, describe, it } from "@effect/vitest"
import * as Emulator from "./Emulator.test-support.ts"
import * as FrameWriter from "./FrameWriter.ts"

/** Returns repeatable random integers from 0 to below a limit. */
const random = (seed: number) => {
  let state = seed
  return (limit: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}

const texts = ["a", "b", "commit", " ", "    ", "            ", "日本", "│", "❯", "e\u0301", "👩‍👩‍👧", "🎉", "x".repeat(30)]
const styles = [
  "",
  "1",
  "2",
  "1;2",
  "22",
  "0",
  "7",
  "4",
  "31",
  "38;5;243",
  "38;2;1;2;3",
  "48;5;236",
  "39",
  "49",
  "24;27"
]

type Random = (limit: number) => number

const randomRow = (next: Random) =>
  Array.from({ length: next(8) }, () => `\u001b[${styles[next(styles.length)]}m${texts[next(texts.length)]}`).join("")

/** Changes a frame: some rows, a part of a row, a scroll with a fixed head and foot, or all rows. */
const change = (frame: ReadonlyArray<string>, next: Random): ReadonlyArray<string> => {
  const rows = [...frame]
  const any = () => next(rows.length)
  switch (next(5)) {
    case 0:
      return rows.map(() => randomRow(next))
    case 1:
      rows[any()] = randomRow(next)
      return rows
    case 2: {
      const at = any()
      rows[at] = `${(rows[at] ?? "").slice(0, -1)}${texts[next(texts.length)]}`
      return rows
    }
    default: {
      const start = any()
      const end = start + 1 + next(rows.length - start)
      const distance = 1 + next(end - start)
      const region = rows.slice(start, end)
      const fresh = Array.from({ length: distance }, () => randomRow(next))
      const moved = next(2) === 0 ? [...region, ...fresh].slice(distance) : [...fresh, ...region].slice(0, end - start)
      rows.splice(start, end - start, ...moved)
      if (next(3) === 0) rows[any()] = randomRow(next)
      return rows
    }
  }
}

/** Draws a frame on an empty terminal. */
const whole = (frame: ReadonlyArray<string>, columns: number) => {
  const emulator = Emulator.make(columns, frame.length)
  emulator.write(FrameWriter.make().draw(frame, columns))
  return emulator.cells()
}

describe("FrameWriter", () => {
  it("leaves the same screen as drawing everything, for thousands of frames, scrolls and sizes", () => {
    for (let seed = 0; seed < (process.env["TONGS_LONG_TESTS"] === undefined ? 20 : 60); seed++) {
      const next = random(seed)
      let [columns, rows] = [1 + next(60), 1 + next(20)]
      const emulator = Emulator.make(columns, rows)
      const writer = FrameWriter.make()
      let frame: ReadonlyArray<string> = Array.from({ length: rows }, () => randomRow(next))
      for (let step = 0; step < 60; step++) {
        if (next(15) === 0) {
          ;[columns, rows] = [1 + next(60), 1 + next(20)]
          emulator.resize(columns, rows)
          writer.reset()
          frame = Array.from({ length: rows }, (_, index) => frame[index] ?? randomRow(next))
        } else frame = change(frame, next)
        const output = writer.draw(frame, columns)
        emulator.write(output)
        const [seen, expected] = [emulator.cells(), whole(frame, columns)]
        // A fast comparison, with details only for a failure.
        if (seen.flat().join() === expected.flat().join() && !seen.flat().includes(Emulator.GARBAGE)) continue
        assert.deepStrictEqual(seen, expected, JSON.stringify({ seed, step, frame, output }))
        assert.fail("a cell was never drawn")
      }
    }
  })

  it("draws what the frame says", () => {
    const emulator = Emulator.make(8, 2)
    emulator.write(FrameWriter.make().draw(["a\u001b[1;31m日\u001b[39mb", "\u001b[48;5;3m  "], 8))
    const blank = " |||0"
    assert.deepStrictEqual(emulator.cells(), [
      ["a|||0", "日|31||1", "second", "b|||1", blank, blank, blank, blank],
      [" ||48;5;3|0", " ||48;5;3|0", blank, blank, blank, blank, blank, blank]
    ])
  })

  it("drops control characters and sequences that are not styles", () => {
    const emulator = Emulator.make(8, 1)
    emulator.write(FrameWriter.make().draw(["a\u001b[2J\u0007b\u001b]0;t\u0007\u009bc\r\n\u001b[?1049ld\u001b"], 8))
    assert.strictEqual(
      emulator
        .cells()[0]
        ?.map((cell) => cell[0])
        .join(""),
      "abcd    "
    )
  })

  it("writes nothing for the same frame, and everything after a reset", () => {
    const writer = FrameWriter.make()
    const frame = ["one", "two"]
    const first = writer.draw(frame, 10)
    assert.strictEqual(writer.draw([...frame], 10), "")
    writer.reset()
    assert.strictEqual(writer.draw(frame, 10), first)
  })

  it("writes only the changed part of a row", () => {
    const writer = FrameWriter.make()
    writer.draw(["first", "position 10/100 and more"], 40)
    assert.strictEqual(writer.draw(["first", "position 11/100 and more"], 40), "\u001b[2;11H1")
  })

  it("scrolls rows that moved, and draws only the others", () => {
    const letter = (index: number) => String.fromCodePoint(97 + (index % 26))
    const list = (from: number) =>
      Array.from({ length: 20 }, (_, index) => `${from + index} ${letter(from + index).repeat(20)}`)
    const frame = (from: number) => ["header", ...list(from), `${from}/100`]
    const writer = FrameWriter.make()
    writer.draw(frame(10), 60)
    assert.strictEqual(
      writer.draw(frame(11), 60),
      "\u001b[?2026h\u001b[2;21r\u001b[S\u001b[r\u001b[21H30 eeeeeeeeeeeeeeeeeeee\r\n\u001b[C1\u001b[?2026l"
    )
    assert.include(writer.draw(frame(10), 60), "\u001b[2;21r\u001b[T\u001b[r")
  })

  it("never moves other cells if the terminal draws an emoji narrower", () => {
    const frame = ["a 👩‍👩‍👧 b 🎉 c", "日 d"]
    const narrow = Emulator.make(20, 2, (text) => (/\p{Emoji_Presentation}/u.test(text) ? 1 : text === "日" ? 2 : 1))
    const writer = FrameWriter.make()
    narrow.write(writer.draw(["x".repeat(20), "x".repeat(20)], 20))
    narrow.write(writer.draw(frame, 20))
    const shown = narrow.cells()[0]?.map((cell) => cell.split("|")[0])
    assert.deepStrictEqual(shown?.slice(0, 11), ["a", " ", "👩‍👩‍👧", " ", " ", "b", " ", "🎉", " ", " ", "c"])
  })
})
