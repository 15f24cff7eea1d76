/** The stream that Ink renders complete frames to. Writes only the differences to the terminal. */
import { Writable } from "node:stream"
import * as FrameWriter from "./FrameWriter.ts"

/** A terminal to write to. Emits `resize` when its content must be drawn again. */
export interface Terminal {
  readonly columns: number
  readonly rows: number
  readonly write: (text: string) => boolean
  readonly on: (event: "resize" | "drain", listener: () => void) => unknown
  readonly off: (event: "resize" | "drain", listener: () => void) => unknown
}

/** Milliseconds between two frames. The terminal's user sees no more than about 60 in a second. */
const FRAME_TIME = 16

/**
 * A stream for frames of exactly `rows` lines. Ignores other writes.
 *
 * **Details**
 *
 * The first frame is drawn at the end of the current task. Later frames wait for `FRAME_TIME` and for a slow terminal, and
 * only the latest one is drawn.
 */
export class FrameStream extends Writable {
  readonly isTTY = true
  readonly #terminal: Terminal
  readonly #writer = FrameWriter.make()
  #frame: ReadonlyArray<string> | undefined
  #isScheduled = false
  #isFull = false
  #drawnAt = Number.NEGATIVE_INFINITY
  #timer: NodeJS.Timeout | undefined

  constructor(terminal: Terminal) {
    super({ decodeStrings: false })
    this.#terminal = terminal
    terminal.on("resize", this.#resized)
    terminal.on("drain", this.#drained)
  }

  get columns(): number {
    return this.#terminal.columns
  }

  get rows(): number {
    return this.#terminal.rows
  }

  override _write(chunk: unknown, _encoding: BufferEncoding, done: () => void): void {
    const rows = String(chunk).split("\n")
    const isCursorCommand = rows.length === 1 && /^(?:\u001b\[\?\d+[hl])*$/.test(rows[0] ?? "")
    // During a resize, Ink also renders frames of the old size.
    if (rows.length === this.rows && !isCursorCommand) {
      this.#frame = rows
      this.#schedule()
    }
    done()
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    clearTimeout(this.#timer)
    this.#frame = undefined
    this.#terminal.off("resize", this.#resized)
    this.#terminal.off("drain", this.#drained)
    done(error)
  }

  readonly #resized = (): void => {
    this.#writer.reset()
    this.emit("resize")
    this.#schedule()
  }

  readonly #drained = (): void => {
    this.#isFull = false
    this.#schedule()
  }

  #schedule(): void {
    if (this.#isScheduled || this.#isFull || this.#frame === undefined) return
    this.#isScheduled = true
    const delay = this.#drawnAt + FRAME_TIME - performance.now()
    if (delay > 0) this.#timer = setTimeout(this.#draw, delay)
    else queueMicrotask(this.#draw)
  }

  readonly #draw = (): void => {
    this.#isScheduled = false
    if (this.#frame?.length !== this.rows) return
    const text = this.#writer.draw(this.#frame, this.columns)
    if (text === "") return
    this.#drawnAt = performance.now()
    this.#isFull = !this.#terminal.write(text)
  }
}
