import { assert, beforeEach, describe, it } from "@effect/vitest"
import { EventEmitter } from "node:events"
import { afterEach, vi } from "vitest"
import * as Emulator from "./Emulator.test-support.ts"
import * as FrameOutput from "./FrameOutput.ts"

class Terminal extends EventEmitter {
  columns = 10
  rows = 2
  readonly emulator = Emulator.make(10, 2)
  readonly seen: Array<string> = []
  isFull = false

  readonly write = (text: string) => {
    this.emulator.write(text)
    this.seen.push(this.emulator.text().replaceAll(/ +/g, " "))
    return !this.isFull
  }

  resize(columns: number, rows: number) {
    this.columns = columns
    this.rows = rows
    this.emulator.resize(columns, rows)
    this.emit("resize")
  }
}

/** Starts to draw, with a function that changes the frame and a count of the frames that were computed. */
const start = (terminal: Terminal) => {
  let rows: ReadonlyArray<string> = []
  const counts = { computed: 0 }
  const output = FrameOutput.start(terminal, () => {
    counts.computed++
    return rows
  })
  const show = (...next: ReadonlyArray<string>) => {
    rows = next
    output.request()
  }
  return { ...output, show, counts }
}

describe("FrameOutput", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }))
  afterEach(() => void vi.useRealTimers())

  it("draws the first frame at once, and then computes only the latest frame in each interval", async () => {
    const terminal = new Terminal()
    const { counts, show } = start(terminal)
    show("a", "b")
    await Promise.resolve()
    assert.deepStrictEqual(terminal.seen, ["a \nb "])
    for (const letter of ["c", "d", "e"]) show("a", letter)
    await vi.advanceTimersByTimeAsync(20)
    assert.deepStrictEqual(terminal.seen.slice(1), ["a \ne "])
    assert.strictEqual(counts.computed, 2)
  })

  it("waits for a slow terminal", async () => {
    const terminal = new Terminal()
    const { show } = start(terminal)
    terminal.isFull = true
    for (const letter of ["b", "c", "d"]) {
      show("a", letter)
      await vi.advanceTimersByTimeAsync(20)
    }
    terminal.isFull = false
    terminal.emit("drain")
    await vi.advanceTimersByTimeAsync(20)
    assert.deepStrictEqual(terminal.seen, ["a \nb ", "a \nd "])
  })

  it("draws everything after a resize, and nothing of the old size", async () => {
    const terminal = new Terminal()
    const { show } = start(terminal)
    show("a", "b")
    await vi.advanceTimersByTimeAsync(20)
    terminal.resize(4, 3)
    await vi.advanceTimersByTimeAsync(20)
    show("a", "b", "c")
    await vi.advanceTimersByTimeAsync(20)
    terminal.resize(4, 3)
    await vi.advanceTimersByTimeAsync(20)
    assert.deepStrictEqual(terminal.seen, ["a \nb ", "a \nb \nc ", "a \nb \nc "])
  })

  it("writes nothing after its end", async () => {
    const terminal = new Terminal()
    const { show, stop } = start(terminal)
    show("a", "b")
    stop()
    show("a", "c")
    terminal.emit("drain")
    await vi.advanceTimersByTimeAsync(20)
    assert.isEmpty(terminal.seen)
  })
})
