import { assert, beforeEach, describe, it } from "@effect/vitest"
import { EventEmitter } from "node:events"
import { afterEach, vi } from "vitest"
import * as Emulator from "./Emulator.test-support.ts"
import { FrameStream } from "./FrameStream.ts"

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

describe("FrameStream", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }))
  afterEach(() => void vi.useRealTimers())

  it("draws the first frame at once, and then only the latest frame in each interval", async () => {
    const terminal = new Terminal()
    const frames = new FrameStream(terminal)
    frames.write("a\nb")
    await Promise.resolve()
    assert.deepStrictEqual(terminal.seen, ["a \nb "])
    for (const letter of ["c", "d", "e"]) frames.write(`a\n${letter}`)
    await vi.advanceTimersByTimeAsync(20)
    assert.deepStrictEqual(terminal.seen.slice(1), ["a \ne "])
  })

  it("waits for a slow terminal", async () => {
    const terminal = new Terminal()
    const frames = new FrameStream(terminal)
    terminal.isFull = true
    for (const letter of ["b", "c", "d"]) {
      frames.write(`a\n${letter}`)
      await vi.advanceTimersByTimeAsync(20)
    }
    terminal.isFull = false
    terminal.emit("drain")
    await vi.advanceTimersByTimeAsync(20)
    assert.deepStrictEqual(terminal.seen, ["a \nb ", "a \nd "])
  })

  it("draws everything after a resize, and nothing of the old size", async () => {
    const terminal = new Terminal()
    const frames = new FrameStream(terminal)
    frames.write("a\nb")
    await vi.advanceTimersByTimeAsync(20)
    frames.on("resize", () => frames.write("a\nb"))
    terminal.resize(4, 3)
    frames.write("a\nb\nc")
    await vi.advanceTimersByTimeAsync(20)
    terminal.resize(4, 3)
    frames.write("a\nb\nc")
    await vi.advanceTimersByTimeAsync(20)
    assert.deepStrictEqual(terminal.seen, ["a \nb ", "a \nb \nc ", "a \nb \nc "])
  })

  it("ignores cursor commands, and writes nothing after its end", async () => {
    const terminal = new Terminal()
    terminal.resize(4, 1)
    const frames = new FrameStream(terminal)
    frames.write("")
    frames.write("\u001b[?25h")
    await vi.advanceTimersByTimeAsync(20)
    frames.write("a")
    frames.destroy()
    await vi.advanceTimersByTimeAsync(20)
    assert.isEmpty(terminal.seen)
  })
})
