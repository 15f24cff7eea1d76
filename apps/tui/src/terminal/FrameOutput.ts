/** Draws frames on a terminal: at most one in each interval, and only changes. */
import * as FrameWriter from "./FrameWriter.ts"

/** A terminal to write to. Emits `resize` when the content must be drawn again. */
export interface Terminal {
  readonly columns: number
  readonly rows: number
  readonly write: (text: string) => boolean
  readonly on: (event: "resize" | "drain", listener: () => void) => unknown
  readonly off: (event: "resize" | "drain", listener: () => void) => unknown
}

/** Milliseconds between two frames. Users see no more than about 60 frames in a second. */
const FRAME_TIME = 16

/** Draws on one terminal. */
export interface FrameOutput {
  /** Draws the current frame soon. */
  readonly request: () => void
  /** Ends the drawing. */
  readonly stop: () => void
}

/**
 * Starts to draw. `frame` returns the current frame: one text with SGR sequences for each row.
 *
 * **Details**
 *
 * The first frame is drawn at the end of the current task. Later frames wait for `FRAME_TIME` and for a slow terminal,
 * and the frames in between are never computed.
 */
export const start = (terminal: Terminal, frame: () => ReadonlyArray<string>): FrameOutput => {
  const writer = FrameWriter.make()
  let isScheduled = false
  let isFull = false
  let isStopped = false
  let drawnAt = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined

  const draw = () => {
    isScheduled = false
    if (isStopped) return
    const rows = frame()
    // A frame of an old size would scroll the terminal.
    if (rows.length !== terminal.rows) return
    const text = writer.draw(rows, terminal.columns)
    if (text === "") return
    drawnAt = performance.now()
    isFull = !terminal.write(text)
  }
  const request = () => {
    if (isScheduled || isFull || isStopped) return
    isScheduled = true
    const delay = drawnAt + FRAME_TIME - performance.now()
    if (delay > 0) timer = setTimeout(draw, delay)
    else queueMicrotask(draw)
  }
  const resized = () => {
    writer.reset()
    request()
  }
  const drained = () => {
    isFull = false
    request()
  }
  terminal.on("resize", resized)
  terminal.on("drain", drained)
  return {
    request,
    stop: () => {
      isStopped = true
      clearTimeout(timer)
      terminal.off("resize", resized)
      terminal.off("drain", drained)
    }
  }
}
