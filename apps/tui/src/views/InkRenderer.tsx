/** Renders components with Ink to the rows of a frame. `FrameOutput` writes their differences to the terminal. */
import { Writable } from "node:stream"
import { render } from "ink"
import { Screen } from "./Screen.tsx"

/** Renders frames. */
export interface InkRenderer {
  /** Renders a screen, and returns its rows with SGR sequences. */
  readonly render: (rows: ReadonlyArray<string>, columns: number) => ReadonlyArray<string>
  readonly unmount: () => void
}

/** Creates a renderer that keeps Ink's tree of components from frame to frame. */
export const make = (): InkRenderer => {
  const frame = new Frame()
  const instance = render(<Screen columns={frame.columns} rows={[]} />, {
    // Ink needs the part of a terminal's stream that `Frame` has.
    stdout: frame as unknown as NodeJS.WriteStream, // oxlint-disable-line typescript/no-unsafe-type-assertion
    interactive: true,
    exitOnCtrlC: false,
    // Not needed, because `AlternateScreen` buffers the console's writes.
    patchConsole: false,
    // Writes each frame as a whole.
    debug: true
  })
  return {
    render: (rows, columns) => {
      frame.columns = columns
      frame.rows = rows.length
      instance.rerender(<Screen columns={columns} rows={rows} />)
      return frame.text.split("\n")
    },
    unmount: () => instance.unmount()
  }
}

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
