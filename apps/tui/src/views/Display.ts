/** Draws the model's view on a terminal, and passes the user's input to the model. Holds no logic of the program. */
import * as Cause from "effect/Cause"
import type { AtomRegistry } from "effect/reactivity/AtomRegistry"
import type { Model } from "../model/Model.ts"
import * as FrameOutput from "../terminal/FrameOutput.ts"
import type { TerminalInput, UserEvent } from "../terminal/TerminalInput.ts"
import * as StyledLine from "../text/StyledLine.ts"
import type { Line } from "../text/StyledLine.ts"
import type { InkRenderer } from "./InkRenderer.tsx"
import * as Ascii from "./Ascii.ts"
import * as Spinner from "./Spinner.ts"
import * as Theme from "./Theme.ts"

/** What a display connects. */
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

/** Milliseconds between the first frame with content and the loading of Ink. */
const INK_DELAY = 100

/** Starts to draw, with the size of the terminal. Returns a function that stops it. */
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
  let inkTimer: NodeJS.Timeout | undefined
  let isStopped = false
  let timer: NodeJS.Timeout | undefined

  const guard = (run: () => void) => {
    try {
      run()
    } catch (error) {
      onDefect(error)
    }
  }

  const render = (line: Line): string => Theme.render(theme, isAscii ? Ascii.line(line) : line)

  const renderBusy = (line: Line): string => {
    const now = performance.now()
    busySince ??= now
    const time = now - busySince
    clearTimeout(timer)
    timer = setTimeout(output.request, Spinner.untilChange(time))
    return render(Spinner.draw(line, time))
  }

  const loadInk = async () => {
    try {
      const { make } = await import("./InkRenderer.tsx")
      if (!isStopped) ink = make()
    } catch (error) {
      onDefect(error)
    }
  }

  /** Loads Ink once content is visible. It takes as long as all other work for the first frame. */
  const loadInkLater = () => {
    inkTimer ??= setTimeout(() => void loadInk(), INK_DELAY)
  }

  const frame = (): ReadonlyArray<string> => {
    let rows: ReadonlyArray<string> = []
    guard(() => {
      const { defect, isLoading, lines } = registry.get(model.view)
      if (defect !== undefined) throw Cause.squash(defect)
      const isBusy = lines.some(StyledLine.hasSpinner)
      if (!isBusy) {
        busySince = undefined
        clearTimeout(timer)
      }
      rows = lines.map((line) => (isBusy && StyledLine.hasSpinner(line) ? renderBusy(line) : render(line)))
      if (ink !== undefined) rows = ink.render(rows, terminal.columns)
      else if (!isLoading) loadInkLater()
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
    clearTimeout(inkTimer)
    ink?.unmount()
    clearTimeout(timer)
    terminal.off("resize", resize)
    cancel()
    ignore()
  }
}
