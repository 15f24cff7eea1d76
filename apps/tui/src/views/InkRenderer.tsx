/** Renders a window over the content with Ink. `FrameOutput` writes the changed rows to the terminal. */
import { Writable } from "node:stream"
import { render } from "ink"
import { FrameRows, type WindowRows } from "./FrameRows.tsx"

export interface InkRenderer {
  /** Returns the rows of a screen with a window over the content, with SGR sequences. */
  readonly render: (rows: ReadonlyArray<string>, columns: number, window: WindowRows) => ReadonlyArray<string>
  readonly unmount: () => void
}

/** Creates a renderer that keeps Ink's tree of components from frame to frame. */
export const make = (): InkRenderer => {
  const frame = new Frame()
  const instance = render(<FrameRows columns={frame.columns} rows={[]} window={noWindow} />, {
    stdout: frame as unknown as NodeJS.WriteStream, // oxlint-disable-line typescript/no-unsafe-type-assertion -- Ink uses only the part that `Frame` has
    interactive: true,
    exitOnCtrlC: false,
    // Not needed, because `AlternateScreen` buffers the console's writes.
    patchConsole: false,
    // Writes each frame as a whole.
    debug: true
  })
  return {
    render: (rows, columns, window) => {
      frame.columns = columns
      frame.rows = rows.length
      instance.rerender(<FrameRows columns={columns} rows={rows} window={window} />)
      return frame.text.split("\n")
    },
    unmount: () => instance.unmount()
  }
}

const noWindow: WindowRows = { top: 0, left: 0, width: 0, rows: [] }

/** Keeps the last frame that Ink has written. */
class Frame extends Writable {
  readonly isTTY = true
  columns = 80
  rows = 24
  text = ""

  override _write(chunk: unknown, _encoding: BufferEncoding, done: () => void): void {
    this.text = String(chunk)
    done()
  }
}
