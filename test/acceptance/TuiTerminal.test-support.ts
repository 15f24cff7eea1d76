/** Runs the built `tongs`, or a shell, in a separate tmux server with a separate home. */
import * as ChildProcess from "node:child_process"
import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import { compileCache, program, removeFolder, TIMEOUT } from "./TongsCommand.test-support.ts"

export interface Options {
  /** The working directory, which can be created in the new home. The home by default. */
  readonly folder?: (home: string) => string
  readonly columns?: number
  readonly rows?: number
  /** Overrides variables of the small default environment. */
  readonly environment?: Readonly<Record<string, string>>
  /** The colour that tmux reports when a program asks for the background. No answer by default. */
  readonly background?: string
  /** Arguments of `tongs`. */
  readonly args?: ReadonlyArray<string>
  /** A command instead of `tongs`. */
  readonly command?: ReadonlyArray<string>
}

export interface TuiTerminal {
  readonly home: string
  /** The process id of the started program. */
  readonly pid: number
  /** Presses keys, given by tmux names, for example `j`, `Enter`, `C-d`, `PPage`. */
  readonly keys: (...names: ReadonlyArray<string>) => void
  /** Types characters. */
  readonly text: (text: string) => void
  /** Sends unchanged bytes, for example mouse reports. */
  readonly bytes: (bytes: string) => void
  readonly resize: (columns: number, rows: number) => void
  /** Returns the screen as text. */
  readonly capture: () => string
  /** Returns the screen as text with SGR sequences. */
  readonly captureStyled: () => string
  readonly cursor: () => Cursor
  /** Returns the flags of the terminal's modes: cursor, alternate screen, wrap, mouse. */
  readonly modes: () => string
  /** Waits until the screen contains all texts. Returns the screen. */
  readonly waitFor: (...texts: ReadonlyArray<string>) => Effect.Effect<string>
  /** Waits until the screen fulfils a condition, which `what` names. Dies with the screen after the time limit. */
  readonly waitUntil: (what: string, holds: (screen: string) => boolean) => Effect.Effect<string>
  readonly waitForModes: (expected: string) => Effect.Effect<string>
  /** Waits for a file in the home that is not empty. Returns the contents. */
  readonly waitForFile: (name: string) => Effect.Effect<string>
  /** Waits until the program exits. Returns the exit code. */
  readonly waitForExit: Effect.Effect<number>
}

export interface Cursor {
  readonly column: number
  readonly row: number
  readonly isVisible: boolean
}

/** Starts `tongs`, which ends with the scope. */
export const start = (options: Options = {}): Effect.Effect<TuiTerminal, never, Scope.Scope> =>
  open(options.command ?? [process.execPath, program, ...(options.args ?? [])], options)

/** Starts a shell that has the path of `tongs` in `$TONGS`, so that the typed command does not contain the path. */
export const startShell = (options: Options = {}): Effect.Effect<TuiTerminal, never, Scope.Scope> =>
  open(["sh"], options)

const open = (command: ReadonlyArray<string>, options: Options) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => startServer(command, options)),
      ({ home, tmux }) =>
        Effect.sync(() => {
          tmux("kill-server")
          removeFolder(home)
        })
    ),
    ({ home, tmux }) => make(home, tmux)
  )

type Tmux = (...args: ReadonlyArray<string>) => string

const startServer = (command: ReadonlyArray<string>, options: Options) => {
  const { background, columns = 90, environment, folder, rows = 24 } = options
  const home = Fs.mkdtempSync(Path.join(Os.tmpdir(), "tongs-tui-"))
  const socket = Path.join(home, "tmux")
  const tmux: Tmux = (...args) =>
    ChildProcess.execFileSync("tmux", ["-u", "-S", socket, "-f", Os.devNull, ...args], { encoding: "utf8" })
  const variables = {
    HOME: home,
    XDG_DATA_HOME: Path.join(home, "data"),
    XDG_CONFIG_HOME: Path.join(home, "config"),
    XDG_CACHE_HOME: Path.join(home, "cache"),
    XDG_STATE_HOME: Path.join(home, "state"),
    PATH: `${Path.dirname(process.execPath)}:${process.env["PATH"] ?? ""}`,
    PS1: "$ ",
    TONGS: program,
    TERM: "screen-256color",
    ...compileCache,
    ...environment
  }
  const session = `-x ${columns} -y ${rows} -c`.split(" ")
  const assignments = Object.entries(variables).map(([name, value]) => `${name}=${value}`)
  tmux(
    // The options must be set before the program starts.
    ..."start-server ; set-option -g remain-on-exit on ;".split(" "),
    ...(background === undefined ? [] : `set-option -g window-style bg=${background} ;`.split(" ")),
    "new-session",
    "-d",
    ...session,
    folder?.(home) ?? home,
    "env",
    "-i",
    ...assignments,
    ...command
  )
  return { home, tmux }
}

const make = (home: string, tmux: Tmux): TuiTerminal => {
  const capture = () => tmux("capture-pane", "-p")
  const display = (format: string) => tmux("display-message", "-p", format).trim()
  const modes = () => display("#{cursor_flag} #{alternate_on} #{wrap_flag} #{mouse_any_flag}")
  const waitUntil: TuiTerminal["waitUntil"] = (what, holds) =>
    Effect.suspend(() => {
      const now = capture()
      return holds(now) ? Effect.succeed(now) : Effect.fail(now)
    }).pipe(
      Effect.retry(Schedule.spaced("100 millis")),
      Effect.timeoutOrElse({
        duration: TIMEOUT,
        orElse: () => Effect.die(`waited in vain for ${what}:\n${capture()}`)
      }),
      // Retries until the time limit.
      Effect.orDie
    )
  return {
    home,
    pid: Number(display("#{pane_pid}")),
    keys: (...names) => void tmux("send-keys", ...names),
    text: (text) => void tmux("send-keys", "-l", text),
    bytes: (bytes) => void tmux("send-keys", "-H", ...Array.from(Buffer.from(bytes), (byte) => byte.toString(16))),
    resize: (columns, rows) => void tmux("resize-window", "-x", String(columns), "-y", String(rows)),
    capture,
    captureStyled: () => tmux("capture-pane", "-p", "-e", "-N"),
    cursor: () => {
      const [column = 0, row = 0, flag = 0] = display("#{cursor_x} #{cursor_y} #{cursor_flag}").split(" ").map(Number)
      return { column, row, isVisible: flag === 1 }
    },
    modes,
    waitFor: (...texts) => waitUntil(texts.join(", "), (screen) => texts.every((text) => screen.includes(text))),
    waitUntil,
    waitForModes: (expected) => waitUntil(`the modes ${expected}`, () => modes() === expected),
    waitForFile: (name) => {
      const path = Path.join(home, name)
      const isWritten = () => Fs.existsSync(path) && Fs.statSync(path).size > 0
      return Effect.map(waitUntil(name, isWritten), () => Fs.readFileSync(path, "utf8"))
    },
    waitForExit: Effect.map(
      waitUntil("the exit", () => display("#{pane_dead}") === "1"),
      () => Number(display("#{pane_dead_status}"))
    )
  }
}
