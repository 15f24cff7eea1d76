/** The output of commands: data on stdout, messages and prompts on stderr. */
import { createInterface } from "node:readline"
import * as Tty from "node:tty"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Terminal from "@tongs/core/text/Terminal"
import * as Pager from "./Pager.ts"
import { UsageError } from "./UsageError.ts"

/** Control sequence that erases the current line of the terminal. */
const CLEAR = "\r\u001b[2K"
const NEWLINE = 0x0a

/** The width of text if stdout is not a terminal, in columns. */
export const PLAIN_COLUMNS = 80

/**
 * The error of a failed write, for example because the disk is full. Raised as a defect. Not used for a closed pipe
 * (`tongs … | head`), which ends the program without an error.
 */
export class OutputFailed extends Schema.TaggedError<OutputFailed>()("OutputFailed", {
  isClosed: Schema.Boolean,
  detail: Schema.String
}) {}

/** The output streams of the program. */
export class Output extends Context.Service<
  Output,
  {
    /** True if stdout is a terminal. */
    readonly isTerminal: boolean
    /** True if stdin and stdout are terminals that support line editing. */
    readonly isInteractive: boolean
    /** True if the terminal supports erasing the screen. */
    readonly canErase: boolean
    /** The current width of the terminal in columns, or `PLAIN_COLUMNS`. */
    readonly columns: number
    /** True if stdout is a terminal with colors, and NO_COLOR is not set. */
    readonly hasColor: boolean
    /** True if `progress` has an effect. */
    readonly showsProgress: boolean
    /** Writes data unchanged to stdout, and waits until the data are flushed. */
    readonly write: (data: string | Uint8Array) => Effect.Effect<void>
    /** Writes lines of text to stdout. */
    readonly print: (...lines: ReadonlyArray<string>) => Effect.Effect<void>
    /** Writes lines of text to stdout, through the user's pager if the terminal is too small. */
    readonly page: (...lines: ReadonlyArray<string>) => Effect.Effect<void>
    /** Writes a line to stderr. */
    readonly note: (line: string) => Effect.Effect<void>
    /** Writes a question to stderr and reads a line from stdin. Returns `""` at the end of stdin. */
    readonly ask: (question: string) => Effect.Effect<string>
    /** Replaces the progress line on stderr, if stderr is a terminal. `""` clears the line. */
    readonly progress: (line: string) => Effect.Effect<void>
  }
>()("tongs/Output") {
  /** Provides the output streams of the process. */
  static readonly layer = Layer.sync(Output, () => {
    const { stdout, stderr, env } = process
    const isTerminal = Tty.isatty(1)
    const isDumb = env.TERM === "dumb"
    const showsProgress = Tty.isatty(2) && !isDumb
    /** Writes to stderr. Ignores errors such as EPIPE, because no other stream could report an error. */
    const writeError = (text: string) => Effect.ignoreCause(send(stderr, text))
    let hasProgress = false
    /** True after a partial line on the terminal, which a progress line would overwrite. */
    let isMidLine = false

    const clear = Effect.suspend(() => {
      if (!hasProgress) return Effect.void
      hasProgress = false
      return writeError(CLEAR)
    })
    const write = (data: string | Uint8Array) =>
      Effect.suspend(() => {
        if (data.length === 0) return Effect.void
        isMidLine = isTerminal && data.at(-1) !== "\n" && data.at(-1) !== NEWLINE
        return Effect.andThen(clear, send(stdout, data))
      })
    const print = (...lines: ReadonlyArray<string>) => write(lines.map((line) => `${line}\n`).join(""))
    const pager = isTerminal && Tty.isatty(0) ? Pager.commandOf(env) : undefined
    return Output.of({
      isTerminal,
      isInteractive: isTerminal && Tty.isatty(0) && !isDumb,
      canErase: isTerminal && !isDumb,
      get columns() {
        return isTerminal && stdout.columns > 0 ? stdout.columns : PLAIN_COLUMNS
      },
      hasColor: isTerminal && (env.NO_COLOR ?? "") === "" && !isDumb,
      showsProgress,
      write,
      print,
      page: (...lines) => {
        const text = lines.map((line) => `${line}\n`).join("")
        if (pager === undefined || text.split("\n").length <= stdout.rows) return print(...lines)
        return Effect.flatMap(Effect.andThen(clear, Pager.show(pager, text, env)), (isShown) =>
          isShown ? Effect.void : print(...lines)
        )
      },
      note: (line) => Effect.andThen(clear, writeError(`${line}\n`)),
      ask: (question) => Effect.andThen(clear, readLine(question)),
      progress: (line) =>
        Effect.suspend(() => {
          if (!showsProgress || isMidLine) return Effect.void
          if (line === "") return clear
          hasProgress = true
          // `CLEAR` cannot erase a line that the terminal has wrapped.
          return writeError(
            `${CLEAR}${Terminal.truncate(Terminal.escape(line), (stderr.columns || PLAIN_COLUMNS) - 1)}`
          )
        })
    })
  })

  /** Provides an output that collects text in memory. With `answers`, simulates a terminal with these input lines. */
  static readonly layerMemory = (written: { stdout: string; stderr: string }, answers?: ReadonlyArray<string>) =>
    Layer.sync(Output, () => {
      const left = [...(answers ?? [])]
      const write = (data: string | Uint8Array) =>
        Effect.sync(() => {
          written.stdout += typeof data === "string" ? data : Buffer.from(data).toString("latin1")
        })
      const print = (...lines: ReadonlyArray<string>) => write(lines.map((line) => `${line}\n`).join(""))
      return Output.of({
        isTerminal: false,
        isInteractive: answers !== undefined,
        canErase: false,
        columns: PLAIN_COLUMNS,
        hasColor: false,
        showsProgress: false,
        write,
        print,
        page: print,
        note: (line) =>
          Effect.sync(() => {
            written.stderr += `${line}\n`
          }),
        ask: (question) =>
          Effect.sync(() => {
            written.stderr += question
            return left.shift() ?? ""
          }),
        progress: () => Effect.void
      })
    })
}

/** Formats a value as JSON. Fails with `UsageError` if the value has more than `MAX_LEVELS` levels of nesting. */
export const printable = (value: unknown, isTerminal: boolean, isCompact = false): Effect.Effect<string, UsageError> =>
  isDeeper(value, MAX_LEVELS)
    ? Effect.fail(new UsageError({ detail: `The JSON is nested more than ${MAX_LEVELS} levels deep.`, hint: "" }))
    : Effect.succeed(json(value, isTerminal, isCompact))

/** Formats a value as JSON. For a terminal, control and invisible characters become JSON escapes. */
export const json = (value: unknown, isTerminal: boolean, isCompact = false): string => {
  const text = JSON.stringify(value, null, isCompact || isDeeper(value, MAX_INDENTED) ? 0 : 2)
  return isTerminal ? hiddenInJson(text) : text
}

/** Replaces control and invisible characters in JSON by escapes. */
export const hiddenInJson = (text: string): string => text.replace(hidden, escaped)

/** Maximum levels of nesting to indent. The size of the indentation grows with the square of the depth. */
const MAX_INDENTED = 200

/** Maximum levels of nesting to print. */
export const MAX_LEVELS = 2_000

/** Returns true if arrays and objects are nested more than `levels` deep. Does not visit deeper levels. */
export const isDeeper = (value: unknown, levels: number): boolean => {
  let level: ReadonlyArray<unknown> = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > levels) return true
    level = level.flatMap((one) =>
      typeof one === "object" && one !== null
        ? Object.values(one).filter((member) => typeof member === "object" && member !== null)
        : []
    )
  }
  return false
}

const escaped = (character: string) =>
  Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`
  ).join("")

// `JSON.stringify` already escapes the C0 control characters.
const hidden = /[\u007f-\u009f]|[\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

const readLine = (question: string) =>
  Effect.callback<string>((resume) => {
    // With `terminal: false`, the terminal handles line editing and Ctrl-C.
    const reader = createInterface({ input: process.stdin, output: process.stderr, terminal: false })
    reader.question(question, (line) => {
      resume(Effect.succeed(line))
      reader.close()
    })
    reader.on("close", () => resume(Effect.succeed("")))
    return Effect.sync(() => reader.close())
  })

const send = (stream: NodeJS.WriteStream, data: string | Uint8Array) =>
  Effect.callback<void>((resume) => {
    const done = (error?: Error | null) => resume(error instanceof Error ? Effect.die(failed(error)) : Effect.void)
    try {
      stream.write(data, done)
    } catch (error) {
      // Writes to a file are synchronous, and throw on failure.
      done(error instanceof Error ? error : new Error(String(error)))
    }
  })

const failed = (error: Error) =>
  new OutputFailed({ isClosed: "code" in error && error.code === "EPIPE", detail: error.message })
