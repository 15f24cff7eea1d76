/** `tongs data backup` and `tongs data restore`. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as SettingsResolver from "@tongs/connection/SettingsResolver"
import { UserDirectories } from "@tongs/connection/base/UserDirectories"
import * as Flags from "../session/Flags.ts"
import { Output } from "../base/Output.ts"
import * as JsonOutput from "../json/JsonOutput.ts"
import * as DataProgress from "./DataProgress.ts"

const backupConfig = {
  to: Flag.String("to").pipe(
    Flag.withMetavar("DIR"),
    Flag.withDescription("Folder to create, with the data folder and the rows of the forge")
  ),
  previous: Flag.String("previous").pipe(
    Flag.optional,
    Flag.withMetavar("DIR"),
    Flag.withDescription("An earlier backup on the same file system; its equal files become hard links")
  ),
  allowMissing: Flag.Boolean("allow-missing").pipe(
    Flag.withoutNegation,
    Flag.withDefault(false),
    Flag.withDescription("Complete the backup without repositories whose folders are missing")
  ),
  database: Flag.String("database").pipe(
    Flag.optional,
    Flag.withMetavar("URL"),
    Flag.withDescription("postgres:// URL of the database with the forge's rows; SQLite in the data folder by default")
  ),
  databasePasswordFile: Flags.databasePasswordFile
}

const settingsOf = Effect.fnUntraced(function* (
  database: string | undefined,
  databasePasswordFile: string | undefined
) {
  const settings = yield* SettingsResolver.resolve({
    ...(yield* Flags.settings),
    demo: undefined,
    isEmbedded: true,
    database,
    databasePasswordFile
  })
  const { data } = yield* UserDirectories
  return { data: settings.data ?? data, database: settings.database }
})

const runBackup = Effect.fnUntraced(function* (given: Command.Command.Config.Infer<typeof backupConfig>) {
  const { data, database } = yield* settingsOf(
    Option.getOrUndefined(given.database),
    Option.getOrUndefined(given.databasePasswordFile)
  )
  const { run } = yield* Effect.promise(() => import("@tongs/service/storage/copy/Backup"))
  const { note, print } = yield* Output
  const progress = yield* DataProgress.make
  const result = yield* progress.during(
    run({
      data,
      postgres: database,
      to: given.to,
      previous: Option.getOrUndefined(given.previous),
      allowsMissing: given.allowMissing,
      onProgress: ({ done, step, total }) => {
        const what = { copying: "rows", comparing: "rows (comparing)", repositories: "repositories", files: "files" }[
          step
        ]
        progress.line = `Copying ${what}: ${NumberFormat.format(done)} of ${NumberFormat.format(total)} …`
      }
    })
  )
  if (yield* JsonOutput.isWanted) return yield* JsonOutput.print(result)
  yield* print(
    `Backed up ${NumberFormat.quantity(result.rows, "row")} and ` +
      `${NumberFormat.quantity(result.repositories, "repository", "repositories")} to ${given.to}: ` +
      `${NumberFormat.quantity(result.copied, "file")} copied, ${NumberFormat.format(result.linked)} linked.`
  )
  for (const path of result.missing) {
    yield* note(`tongs: warning: no repository at ${path}; the backup lacks it`)
  }
})

const restoreConfig = {
  from: Flag.String("from").pipe(
    Flag.withMetavar("DIR"),
    Flag.withDescription("A folder that tongs data backup created")
  )
}

const runRestore = Effect.fnUntraced(function* ({ from }: Command.Command.Config.Infer<typeof restoreConfig>) {
  const { data } = yield* settingsOf(undefined, undefined)
  const { run } = yield* Effect.promise(() => import("@tongs/service/storage/copy/Restore"))
  const { note, print } = yield* Output
  const progress = yield* DataProgress.make
  progress.line = "Copying files …"
  const result = yield* progress.during(run({ from, data }))
  if (yield* JsonOutput.isWanted) return yield* JsonOutput.print(result)
  yield* print(`Restored ${NumberFormat.quantity(result.files, "file")} to ${data}.`)
  yield* note("Its rows are in SQLite; tongs data copy moves them to PostgreSQL.")
})

export const backup = Command.make("backup", backupConfig, runBackup).pipe(
  Command.withDescription(
    "Copy all rows, repositories and files of the embedded forge to a new folder, while the forge runs"
  ),
  Command.withExamples([
    { command: "tongs data backup --data /var/lib/tongs --to /backup/monday" },
    { command: "tongs data backup --data /srv/tongs --previous /backup/mon --to /backup/tue" }
  ])
)

export const restore = Command.make("restore", restoreConfig, runRestore).pipe(
  Command.withDescription("Create a data folder from a backup"),
  Command.withExamples([{ command: "tongs data restore --from /backup/tuesday --data /var/lib/tongs" }])
)
