/**
 * `tongs __complete LINE`: prints the possible ends of a command line, one candidate a line with a description after a
 * tab, then a line `:N` with a directive. The scripts of `--completions` run this command at the Tab key.
 */
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Command from "effect/cli/Command"
import * as Completions from "effect/cli/Completions"
import * as Terminal from "@tongs/core/text/Terminal"
import { Output } from "../base/Output.ts"
import { VERSION } from "../base/Version.ts"
import * as RootCommand from "../RootCommand.ts"
import * as Flags from "../session/Flags.ts"
import * as Session from "../session/Session.ts"
import * as Candidates from "./Candidates.ts"
import * as CommandLine from "./CommandLine.ts"
import * as ForgeValues from "./ForgeValues.ts"
import * as GlobalFlags from "./GlobalFlags.ts"

/** Milliseconds that the forge has to respond. 0 sends no request. */
const maxTime = Config.Int("TONGS_COMPLETION_TIMEOUT").pipe(
  Config.withDefault(1_000),
  Effect.catch(() => Effect.succeed(1_000))
)

/** Maximum number of candidates. */
const MAX_CANDIDATES = 200

/** The first argument of the program. */
export const NAME = "__complete"

/** Prints the candidates of a command line. Never fails: a shell shows no message at the Tab key. */
export const run = Effect.fnUntraced(function* (text: string) {
  const { print } = yield* Output
  const globals = GlobalFlags.all()
  const words = CommandLine.split(text).slice(1)
  const line = CommandLine.parse(Completions.fromCommand(RootCommand.make(words)), globals, words)
  const command = line.commands.at(-1)
  const { directive, known, wanted } = Candidates.of(line, [...(command?.flags ?? []), ...globals])
  const values = wanted.length === 0 ? [] : yield* fromForge(line, wanted, globals)
  const found = [...known, ...values].filter(({ value }) => value.startsWith(line.current)).slice(0, MAX_CANDIDATES)
  const isFolder = found.length > 0 && wanted.includes("files") && found.every(({ value }) => value.endsWith("/"))
  yield* print(
    ...found.map(({ description, value }) => `${line.prefix}${oneLine(value)}\t${oneLine(firstLine(description))}`),
    `:${directive + (isFolder ? Candidates.directives.noSpace : 0)}`
  )
})

const firstLine = (text = "") => text.split("\n", 1)[0] ?? ""

const oneLine = (text: string) => Terminal.escape(text).replaceAll(/[\t\n]/g, " ")

/**
 * Reads values with the connection that the global flags of the line describe. Returns none if the forge does not
 * respond in time.
 */
const fromForge = (
  line: CommandLine.CommandLine,
  wanted: ReadonlyArray<Candidates.Wanted>,
  globals: ReadonlyArray<CommandLine.Flag>
) => {
  const valueOf = (...names: ReadonlyArray<string>) => line.flags.find(({ flag }) => names.includes(flag.name))?.value
  const owner = valueOf("owner")
  const repo = valueOf("repo")
  const [first] = line.words
  const scope: ForgeValues.Scope = {
    group: line.commands[1]?.name ?? "",
    repository: repo === undefined ? first : owner === undefined ? repo : `${owner}/${repo}`,
    ref: valueOf("ref"),
    current: line.current
  }
  let values: ReadonlyArray<Candidates.Candidate> = []
  const read = Effect.gen(function* () {
    const lists = yield* Effect.forEach(wanted, (one) =>
      Effect.catchCause(ForgeValues.read(one, scope), () => Effect.succeed([]))
    )
    values = lists.flat()
  }).pipe(Effect.provide(Session.ownLayer))
  const settings = line.flags.flatMap(({ flag, value }) =>
    globals.includes(flag) ? [`--${flag.name}`, ...(value === undefined ? [] : [value])] : []
  )
  const reader = Command.make("tongs", {}, () => read).pipe(Command.withGlobalFlags(Flags.all))
  return Effect.flatMap(maxTime, (milliseconds) =>
    Command.runWith(reader, { version: VERSION })(settings).pipe(
      Effect.timeoutOption(milliseconds),
      Effect.catchCause(() => Effect.succeed(Option.none())),
      Effect.map(() => values)
    )
  )
}
