/** The output of commands: data on stdout, everything else on stderr. */
import { createInterface } from "node:readline"
import * as Tty from "node:tty"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Terminal from "@tongs/core/text/Terminal"
import { UsageError } from "./UsageError.ts"

/** Erases the current line. */
const CLEAR = "\r\u001b[2K"
const NEWLINE = 0x0a

/** The width of text that is written to a file or another program. */
export const PLAIN_COLUMNS = 80

/**
 * Writing data failed, for example because the disk is full. A closed pipe (`tongs … | head`) only ends the program.
 * Raised as a defect.
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
    /** True if stdin and stdout are a terminal that supports line editing. */
    readonly isInteractive: boolean
    /** True if the terminal can be cleared. */
    readonly canErase: boolean
    /** The current width of the terminal, or `PLAIN_COLUMNS`. */
    readonly columns: number
    /** True if stdout is a terminal with colors, and NO_COLOR is not set. */
    readonly hasColor: boolean
    /** Writes data unchanged, and waits until it is flushed. */
    readonly write: (data: string | Uint8Array) => Effect.Effect<void>
    /** Writes lines of data. */
    readonly print: (...lines: ReadonlyArray<string>) => Effect.Effect<void>
    /** Writes a line to stderr. */
    readonly note: (line: string) => Effect.Effect<void>
    /** Writes a question to stderr and reads a line from stdin; `""` at its end. */
    readonly ask: (question: string) => Effect.Effect<string>
    /** Replaces the progress line on stderr, if stderr is a terminal. `""` clears it. */
    readonly progress: (line: string) => Effect.Effect<void>
  }
>()("tongs/Output") {
  /** The streams of the process. */
  static readonly layer = Layer.sync(Output, () => {
    const { stdout, stderr, env } = process
    const isTerminal = Tty.isatty(1)
    const isDumb = env.TERM === "dumb"
    const showsProgress = Tty.isatty(2) && !isDumb
    /** Ignores errors of stderr, such as EPIPE: there is no other channel to report them. */
    const writeError = (text: string) => Effect.ignoreCause(send(stderr, text))
    let hasProgress = false
    /** True after an unfinished line on the terminal, which progress would overwrite. */
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
    return Output.of({
      isTerminal,
      isInteractive: isTerminal && Tty.isatty(0) && !isDumb,
      canErase: isTerminal && !isDumb,
      get columns() {
        return isTerminal && stdout.columns > 0 ? stdout.columns : PLAIN_COLUMNS
      },
      hasColor: isTerminal && (env.NO_COLOR ?? "") === "" && !isDumb,
      write,
      print: (...lines) => write(lines.map((line) => `${line}\n`).join("")),
      note: (line) => Effect.andThen(clear, writeError(`${line}\n`)),
      ask: (question) => Effect.andThen(clear, readLine(question)),
      progress: (line) =>
        Effect.suspend(() => {
          if (!showsProgress || isMidLine) return Effect.void
          if (line === "") return clear
          hasProgress = true
          // A wrapped line could not be cleared.
          return writeError(
            `${CLEAR}${Terminal.truncate(Terminal.escape(line), (stderr.columns || PLAIN_COLUMNS) - 1)}`
          )
        })
    })
  })

  /** Collects the output in memory. With `answers`, simulates an interactive terminal with these input lines. */
  static readonly layerMemory = (written: { stdout: string; stderr: string }, answers?: ReadonlyArray<string>) =>
    Layer.sync(Output, () => {
      const left = [...(answers ?? [])]
      const write = (data: string | Uint8Array) =>
        Effect.sync(() => {
          written.stdout += typeof data === "string" ? data : Buffer.from(data).toString("latin1")
        })
      return Output.of({
        isTerminal: false,
        isInteractive: answers !== undefined,
        canErase: false,
        columns: PLAIN_COLUMNS,
        hasColor: false,
        write,
        print: (...lines) => write(lines.map((line) => `${line}\n`).join("")),
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

/** Prints a value as JSON. */
export const printJson = (value: unknown) =>
  Effect.flatMap(Output, ({ isTerminal, print }) => Effect.flatMap(printable(value, isTerminal), print))

/** Formats a value as JSON. Fails with `UsageError` if it is nested more than `MAX_LEVELS` deep. */
export const printable = (value: unknown, isTerminal: boolean): Effect.Effect<string, UsageError> =>
  isDeeper(value, MAX_LEVELS)
    ? Effect.fail(new UsageError({ detail: `The JSON is nested more than ${MAX_LEVELS} levels deep.`, hint: "" }))
    : Effect.succeed(json(value, isTerminal))

/** Formats a value as indented JSON. For a terminal, control and invisible characters become JSON escapes. */
export const json = (value: unknown, isTerminal: boolean): string => {
  const text = JSON.stringify(value, null, isDeeper(value, MAX_INDENTED) ? 0 : 2)
  return isTerminal ? text.replace(HIDDEN, escaped) : text
}

/** Deepest nesting that is indented: indentation grows with the square of the depth. */
const MAX_INDENTED = 200

/** Deepest nesting that can be printed. */
export const MAX_LEVELS = 2_000

/** True if arrays and objects are nested more than `levels` deep. Stops at that depth. */
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

// JSON itself escapes C0 controls.
const HIDDEN = /[\u007f-\u009f]|[\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

const readLine = (question: string) =>
  Effect.callback<string>((resume) => {
    // In this mode the terminal handles line editing and Ctrl-C.
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
      // Writes to a file are synchronous and throw.
      done(error instanceof Error ? error : new Error(String(error)))
    }
  })

const failed = (error: Error) =>
  new OutputFailed({ isClosed: "code" in error && error.code === "EPIPE", detail: error.message })
