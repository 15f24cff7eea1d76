/**
 * The bridge from Ink to our writer: Ink lays out the open window, and `Display` puts the rows of this window over the
 * content.
 *
 * **Details**
 *
 * Ink draws whole frames below the cursor, 30 times a second. The content needs neither: its rows have the right width,
 * and `FrameOutput` writes a fifth of the bytes that tig writes. So Ink writes to a stream that keeps the last frame, as
 * in Ink's own testing library. `debug` makes Ink write each frame at once and as a whole.
 */
import { Writable } from "node:stream"
import { type DOMElement, measureElement, render } from "ink"
import type { RefObject } from "react"
import type * as View from "../model/View.ts"
import type { WindowContent } from "../model/WindowContent.ts"
import type { WindowLayout } from "../model/WindowLayout.ts"
import type { Theme } from "./Theme.ts"
import * as WindowContext from "./windows/WindowContext.ts"
import { WindowView } from "./windows/WindowView.tsx"

/** A window on the screen. */
export interface DrawnWindow {
  readonly top: number
  readonly left: number
  readonly width: number
  /** Text with SGR sequences, `width` columns each. */
  readonly rows: ReadonlyArray<string>
  readonly layout: WindowLayout
}

export interface InkRenderer {
  /** Draws a window on a screen of `columns` columns. `waited` is the age of the spinner in milliseconds. */
  readonly render: (window: View.Window, columns: number, waited: number) => DrawnWindow
  readonly unmount: () => void
}

/** Creates a renderer that keeps Ink's tree of components from frame to frame. */
export const make = (theme: Theme, onDefect: (error: unknown) => void): InkRenderer => {
  const frame = new Frame()
  const parts = WindowContext.makeParts()
  let screen = { columns: 0, rows: 0, size: WindowContext.sizeOf(0, 0) }
  const instance = render(null, {
    stdout: frame as unknown as NodeJS.WriteStream, // oxlint-disable-line typescript/no-unsafe-type-assertion -- Ink uses only the part that `Frame` has
    interactive: true,
    exitOnCtrlC: false,
    // Not needed, because `AlternateScreen` buffers the console's writes.
    patchConsole: false,
    debug: true
  })
  // Ink ends if a component throws.
  instance.waitUntilExit().catch(onDefect)
  return {
    render: ({ content, rows, top }, columns, waited) => {
      if (columns !== screen.columns || rows !== screen.rows)
        screen = { columns, rows, size: WindowContext.sizeOf(columns, rows) }
      const { size } = screen
      frame.columns = size.width
      instance.rerender(<WindowView content={content} size={size} theme={theme} waited={waited} parts={parts} />)
      const drawn = frame.text.split("\n").slice(0, rows)
      const place = {
        // Above the middle, so that a window moves less when its height changes.
        top: top + Math.floor((rows - drawn.length) / 3),
        left: Math.floor((columns - size.width) / 2),
        width: size.width
      }
      return { ...place, rows: drawn, layout: layoutOf(content, parts, place) }
    },
    unmount: () => instance.unmount()
  }
}

const measure = ({ current }: RefObject<DOMElement | null>) =>
  current === null ? { y: 0, height: 0 } : measureElement(current)

const layoutOf = (
  content: WindowContent,
  parts: WindowContext.WindowParts,
  { left, top, width }: Pick<DrawnWindow, "top" | "left" | "width">
): WindowLayout => {
  const { height: count, y } = measure(parts.choices)
  const { height: page } = measure(parts.viewport)
  return {
    tag: content._tag,
    choices:
      content._tag === "Palette"
        ? { row: top + y, count, from: left, to: left + width, first: content.first }
        : undefined,
    page,
    maxTop: Math.max(0, measure(parts.content).height - page)
  }
}

/** Keeps the last frame that Ink has written. */
class Frame extends Writable {
  readonly isTTY = true
  columns = 80
  readonly rows = 24
  text = ""

  override _write(chunk: unknown, _encoding: BufferEncoding, done: () => void): void {
    this.text = String(chunk)
    done()
  }
}
