/** Where a command writes: data to stdout, everything else to stderr. */
import { createInterface } from "node:readline"
import * as Tty from "node:tty"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Terminal from "@tongs/core/text/Terminal"
import { UsageError } from "./UsageError.ts"

/** Begins the line anew. */
const CLEAR = "\r\u001b[2K"
const NEWLINE = 0x0a

/** Columns of text that goes to a file or another program. */
export const PLAIN_COLUMNS = 80

/**
 * Data cannot be written: its reader is gone (`tongs … | head`), which is only the end, or the disk is full. It travels as a
 * defect.
 */
export class OutputFailed extends Schema.TaggedError<OutputFailed>()("OutputFailed", {
  isClosed: Schema.Boolean,
  detail: Schema.String
}) {}

export class Output extends Context.Service<
  Output,
  {
    /** Whether a person reads stdout as it is written. */
    readonly isTerminal: boolean
    /** Whether a person can also type. */
    readonly isInteractive: boolean
    /** Whether the terminal can erase what it shows. */
    readonly canErase: boolean
    /** Width of the terminal at the moment, or `PLAIN_COLUMNS`. */
    readonly columns: number
    /** Whether colours would be understood and are not refused by NO_COLOR. */
    readonly hasColor: boolean
    /** Writes data as it is, and waits until it is taken. */
    readonly write: (data: string | Uint8Array) => Effect.Effect<void>
    /** Writes lines of data. */
    readonly print: (...lines: ReadonlyArray<string>) => Effect.Effect<void>
    /** Writes a line to stderr. */
    readonly note: (line: string) => Effect.Effect<void>
    /** Writes a question to stderr and reads the line that the person types; `""` if stdin ends. */
    readonly ask: (question: string) => Effect.Effect<string>
    /** Shows a line on stderr in the place of the last one, where stderr is a terminal; `""` clears it. */
    readonly progress: (line: string) => Effect.Effect<void>
  }
>()("tongs/Output") {
  /** The process's own streams. */
  static readonly layer = Layer.sync(Output, () => {
    const { stdout, stderr, env } = process
    const isTerminal = Tty.isatty(1)
    const isDumb = env.TERM === "dumb"
    const showsProgress = Tty.isatty(2) && !isDumb
    /** Whoever does not read this is not told why. */
    const tell = (text: string) => Effect.ignoreCause(send(stderr, text))
    let hasProgress = false
    /** Half a line of data on the terminal: progress would write over it. */
    let isAmid = false

    const clear = Effect.suspend(() => {
      if (!hasProgress) return Effect.void
      hasProgress = false
      return tell(CLEAR)
    })
    const write = (data: string | Uint8Array) =>
      Effect.suspend(() => {
        if (data.length === 0) return Effect.void
        isAmid = isTerminal && data.at(-1) !== "\n" && data.at(-1) !== NEWLINE
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
      note: (line) => Effect.andThen(clear, tell(`${line}\n`)),
      ask: (question) => Effect.andThen(clear, readLine(question)),
      progress: (line) =>
        Effect.suspend(() => {
          if (!showsProgress || isAmid) return Effect.void
          if (line === "") return clear
          hasProgress = true
          // A line that wraps could not be cleared.
          return tell(`${CLEAR}${Terminal.truncate(Terminal.escape(line), (stderr.columns || PLAIN_COLUMNS) - 1)}`)
        })
    })
  })

  /** Keeps the output in two texts. With `answers`, it is a terminal at which a person types them. */
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

/** Writes a value as JSON. */
export const printJson = (value: unknown) =>
  Effect.flatMap(Output, ({ isTerminal, print }) => Effect.flatMap(printable(value, isTerminal), print))

/** The JSON of a value, unless the value is nested too deeply. */
export const printable = (value: unknown, isTerminal: boolean): Effect.Effect<string, UsageError> =>
  isDeeper(value, MAX_LEVELS)
    ? Effect.fail(new UsageError({ detail: `The JSON has more than ${MAX_LEVELS} levels.`, hint: "" }))
    : Effect.succeed(json(value, isTerminal))

/**
 * A value as JSON, two spaces deep. For a terminal, whatever could act upon it or hide in it is escaped: the same JSON,
 * spelt so that all of it is seen.
 */
export const json = (value: unknown, isTerminal: boolean): string => {
  const text = JSON.stringify(value, null, isDeeper(value, MAX_INDENTED) ? 0 : 2)
  return isTerminal ? text.replace(HIDDEN, escaped) : text
}

/** Levels of JSON that are indented: the spaces grow with the square of the depth. */
const MAX_INDENTED = 200

/** Levels of JSON that can be printed at all. */
export const MAX_LEVELS = 2_000

/** Whether a value has more levels of arrays and objects. It stops at the first level that is too deep. */
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

// JSON itself escapes C0 controls; newlines are between its values.
const HIDDEN = /[\u007f-\u009f]|[\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

const readLine = (question: string) =>
  Effect.callback<string>((resume) => {
    // The terminal edits the line itself, and turns Ctrl-C into a signal.
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
      // A file is written at once.
      done(error instanceof Error ? error : new Error(String(error)))
    }
  })

const failed = (error: Error) =>
  new OutputFailed({ isClosed: "code" in error && error.code === "EPIPE", detail: error.message })
