/** Draws the model's view on a terminal, and passes the user's input to the model. Holds no logic of the program. */
import * as Cause from "effect/Cause"
import type { AtomRegistry } from "effect/reactivity/AtomRegistry"
import type { Model } from "../model/Model.ts"
import type { Window } from "../model/View.ts"
import * as WindowContent from "../model/WindowContent.ts"
import * as FrameOutput from "../terminal/FrameOutput.ts"
import type { TerminalInput, UserEvent } from "../terminal/TerminalInput.ts"
import * as StyledLine from "../text/StyledLine.ts"
import type { Line } from "../text/StyledLine.ts"
import type { DrawnWindow, InkRenderer } from "./InkRenderer.tsx"
import * as Ascii from "./Ascii.ts"
import * as ScreenRows from "./ScreenRows.ts"
import * as Spinner from "./Spinner.ts"
import * as Theme from "./Theme.ts"

export interface Options {
  readonly model: Model
  readonly registry: AtomRegistry
  readonly theme: Theme.Theme
  /** True if the terminal shows only ASCII. */
  readonly isAscii?: boolean
  readonly terminal: FrameOutput.Terminal
  readonly input: TerminalInput
  /** Suspends the program until the shell resumes it. */
  readonly pause: () => Promise<void>
  /** Called if the view cannot be computed or loading died, which is a bug. */
  readonly onDefect: (error: unknown) => void
}

/** Starts to draw, with the size of the terminal. Returns a function that stops the drawing. */
export const start = ({
  input,
  isAscii = false,
  model,
  onDefect,
  pause,
  registry,
  terminal,
  theme
}: Options): (() => void) => {
  let busySince: number | undefined
  let ink: InkRenderer | undefined
  let isLoadingInk = false
  let isStopped = false
  let timer: NodeJS.Timeout | undefined

  const guard = (run: () => void) => {
    try {
      run()
    } catch (error) {
      onDefect(error)
    }
  }

  /** Returns the milliseconds since the spinner appeared, and requests the frame with the next sign. */
  const waitedFor = (isBusy: boolean): number => {
    clearTimeout(timer)
    if (!isBusy) {
      busySince = undefined
      return 0
    }
    const now = performance.now()
    busySince ??= now
    const waited = now - busySince
    timer = setTimeout(output.request, Spinner.untilChange(waited))
    return waited
  }

  /** Loads Ink with the first window. */
  const loadInk = async () => {
    isLoadingInk = true
    try {
      const { make } = await import("./InkRenderer.tsx")
      if (isStopped) return
      ink = make(theme, onDefect)
      output.request()
    } catch (error) {
      onDefect(error)
    }
  }

  /** Returns undefined until Ink is loaded. */
  const drawWindow = (window: Window, waited: number): DrawnWindow | undefined => {
    if (ink === undefined) {
      if (!isLoadingInk) void loadInk()
      return undefined
    }
    const drawn = ink.render(window, terminal.columns, waited)
    model.windowDrawn(drawn.layout)
    return isAscii ? { ...drawn, rows: drawn.rows.map(Ascii.convertStyled) } : drawn
  }

  const frame = (): ReadonlyArray<string> => {
    let rows: ReadonlyArray<string> = []
    guard(() => {
      const { defect, lines, window } = registry.get(model.view)
      if (defect !== undefined) throw Cause.squash(defect)
      const isSending = window !== undefined && WindowContent.isSending(window.content)
      const waited = waitedFor(isSending || lines.some(StyledLine.hasSpinner))
      const render = (line: Line) => {
        const shown = StyledLine.hasSpinner(line) ? Spinner.draw(line, waited) : line
        return Theme.render(theme, isAscii ? Ascii.line(shown) : shown)
      }
      const drawn = window === undefined ? undefined : drawWindow(window, waited)
      rows = ScreenRows.make(lines, render, drawn)
    })
    return rows
  }

  const resize = () => {
    model.resize(terminal.columns, terminal.rows)
    output.request()
  }
  const handle = (event: UserEvent): void =>
    guard(() => {
      if (event._tag === "Paste") return model.paste(event.text)
      if (event._tag === "Mouse") return model.mouse(event)
      if (event._tag !== "Key") return
      if (event.name === "ctrl-z") void pause()
      else model.press(event.name)
    })

  const output = FrameOutput.start(terminal, frame)
  terminal.on("resize", resize)
  const cancel = model.subscribe(output.request)
  const ignore = input.listen(handle)
  resize()
  return () => {
    isStopped = true
    output.stop()
    ink?.unmount()
    clearTimeout(timer)
    terminal.off("resize", resize)
    cancel()
    ignore()
  }
}
