/** `tongs data`: copies, backs up and restores the data of the embedded forge. */
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as SettingsResolver from "@tongs/connection/SettingsResolver"
import { UserDirectories } from "@tongs/connection/base/UserDirectories"
import * as Flags from "../session/Flags.ts"
import { Output } from "../base/Output.ts"
import { UsageError } from "../base/UsageError.ts"
import * as JsonOutput from "../json/JsonOutput.ts"
import * as DataBackup from "./DataBackup.ts"
import * as DataProgress from "./DataProgress.ts"

const store = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.optional, Flag.withMetavar("STORE"), Flag.withDescription(description))

const config = {
  from: store("from", "The store to read: sqlite (forge.db in the data folder, the default), or a postgres:// URL"),
  to: store("to", "The store to write: sqlite, or a postgres:// URL of an existing database"),
  databasePasswordFile: Flags.databasePasswordFile
}

const SQLITE = "sqlite"

const copy = Effect.fnUntraced(function* (given: Command.Command.Config.Infer<typeof config>) {
  const from = Option.getOrElse(given.from, () => SQLITE)
  const to = Option.getOrElse(given.to, () => SQLITE)
  const urls = [from, to].filter((store) => store !== SQLITE)
  const [url] = urls
  if (url === undefined || urls.length > 1) {
    return yield* new UsageError({
      detail: "One of --from and --to must be sqlite, and the other one a postgres:// URL.",
      hint: "For example: tongs data copy --to postgres://forge@db.example.org/forge"
    })
  }
  const settings = yield* SettingsResolver.resolve({
    ...(yield* Flags.settings),
    demo: undefined,
    isEmbedded: true,
    database: url,
    databaseFlag: from === url ? "--from" : "--to",
    databasePasswordFile: Option.getOrUndefined(given.databasePasswordFile)
  })
  const postgres = settings.database
  if (postgres === undefined) return yield* Effect.die(new Error("The settings lack the given database"))
  const { data } = yield* UserDirectories
  const { run } = yield* Effect.promise(() => import("@tongs/service/storage/copy/StoreCopy"))
  const { note, print } = yield* Output
  const progress = yield* DataProgress.make
  const copied = run({
    sqlite: join(settings.data ?? data, "forge.db"),
    postgres,
    direction: to === SQLITE ? "toSqlite" : "toPostgres",
    onProgress: ({ done, step, table, total }) => {
      const what = step === "copying" ? "Copying" : "Comparing"
      progress.line = `${what} ${table}: ${NumberFormat.format(done)} of ${NumberFormat.format(total)} rows …`
    }
  })
  const result = yield* progress.during(copied)
  if (yield* JsonOutput.isWanted) return yield* JsonOutput.print(result)
  yield* print(
    `Copied and compared ${NumberFormat.quantity(result.rows, "row")} of ${NumberFormat.quantity(result.tables, "table")}.`
  )
  yield* note(
    to === SQLITE
      ? "The forge now uses SQLite in the data folder."
      : "Start the forge with --database and this URL from now on; forge.db stays as a backup."
  )
  if (result.isOutdated) {
    yield* note("tongs: warning: the source has changed meanwhile. Stop the forge and run the command again.")
  }
})

export const data = Command.make("data").pipe(
  Command.withDescription("Move, back up and restore the data of the embedded forge"),
  Command.withSubcommands([
    Command.make("copy", config, copy).pipe(
      Command.withDescription(
        "Copy all rows of the embedded forge between SQLite and PostgreSQL, and compare them afterwards. " +
          "Run it again to go on after an interruption."
      ),
      Command.withExamples([
        { command: "tongs data copy --to postgres://forge@db.example.org/forge" },
        { command: "tongs data copy --from postgres://forge@db.example.org/forge --to sqlite" }
      ])
    ),
    DataBackup.backup,
    DataBackup.restore
  ])
)
