/** `tongs doctor`: checks the environment and suggests fixes. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Schema from "effect/Schema"
import * as Command from "effect/cli/Command"
import * as ChildProcess from "effect/process/ChildProcess"
import { ChildProcessSpawner } from "effect/process/ChildProcessSpawner"
import * as ConfigFile from "@tongs/connection/config/ConfigFile"
import { Connection } from "@tongs/connection/Connection"
import { CredentialStore } from "@tongs/connection/credentials/CredentialStore"
import * as CredentialSource from "@tongs/connection/credentials/CredentialSource"
import { UserDirectories } from "@tongs/connection/base/UserDirectories"
import { Forge } from "@tongs/core/client/Forge"
import * as Terminal from "@tongs/core/text/Terminal"
import * as DataFolder from "@tongs/service/storage/DataFolder"
import * as BudgetReport from "../session/BudgetReport.ts"
import * as Flags from "../session/Flags.ts"
import { Output } from "../base/Output.ts"
import * as TableText from "../base/TableText.ts"
import * as JsonOutput from "../json/JsonOutput.ts"
import * as InteractiveRequest from "../session/InteractiveRequest.ts"
import * as Progress from "../session/Progress.ts"
import * as Session from "../session/Session.ts"

/** The error of `tongs doctor` if at least one check failed. */
export class SetupFailed extends Schema.TaggedError<SetupFailed>()("SetupFailed", { count: Schema.Int }) {
  override get message() {
    return this.count === 1 ? "One check failed." : `${this.count} checks failed.`
  }
}

/** The oldest supported major version of Node. */
const NODE = 24

/** The oldest supported version of git: the first with `cat-file --batch-command`. */
const oldestGit = [2, 36] as const // major, minor

interface Check {
  readonly name: string
  readonly state: "ok" | "warn" | "fail"
  readonly detail: string
}

const check = (name: string, state: Check["state"], detail: string): Check => ({ name, state, detail })

/** Converts a failure to a failed check. */
const orFail = (name: string) =>
  Effect.catch((error: { readonly message: string }) => Effect.succeed(check(name, "fail", error.message)))

const node = Effect.sync(() => {
  const { node } = process.versions
  return Number(node.split(".")[0]) >= NODE
    ? check("node", "ok", node)
    : check("node", "fail", `${node} is too old. Install Node ${NODE} or newer.`)
})

const git = Effect.gen(function* () {
  const spawner = yield* ChildProcessSpawner
  const output = yield* spawner.string(ChildProcess.make("git", ["--version"]))
  const [version = output.trim(), major = 0, minor = 0] = /(\d+)\.(\d+)[.\d]*/.exec(output) ?? []
  const isNew = Number(major) > oldestGit[0] || (Number(major) === oldestGit[0] && Number(minor) >= oldestGit[1])
  return isNew
    ? check("git", "ok", version)
    : check("git", "fail", `${version} is too old. Install git ${oldestGit.join(".")} or newer.`)
}).pipe(
  Effect.orElseSucceed(() => check("git", "fail", `No git on the PATH. Install git ${oldestGit.join(".")} or newer.`))
)

const folders = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const { data } = yield* UserDirectories
  const folder = (yield* Session.settings).data ?? data
  return yield* Effect.try(() => DataFolder.make(folder)).pipe(
    Effect.andThen(fs.access(folder, { writable: true })),
    Effect.as(check("data", "ok", folder)),
    Effect.orElseSucceed(() =>
      check("data", "fail", `Cannot write to ${folder}. Name another folder with --data or TONGS_DATA.`)
    )
  )
}).pipe(orFail("data"))

const config = Effect.gen(function* () {
  const { profiles = {} } = yield* ConfigFile.read
  const names = Object.keys(profiles)
  return check(
    "config",
    "ok",
    names.length === 0 ? `no profiles in ${yield* ConfigFile.path}` : `profiles ${names.join(", ")}`
  )
}).pipe(orFail("config"))

const credentials = Effect.gen(function* () {
  const { hosts, path } = yield* CredentialStore
  const stored = yield* hosts
  const { credential, url } = yield* Session.settings
  const exposed = yield* Effect.filter(
    [
      path,
      ...(credential?._tag === "Token" && credential.from === "the config file" ? [yield* ConfigFile.path] : []),
      ...(credential?._tag === "App" ? [credential.app.keyFile] : [])
    ],
    othersCanRead
  )
  const [file] = exposed
  if (file !== undefined)
    return check("credentials", "warn", `Other accounts can read ${file}. Run \`chmod 600\` on it.`)
  const used =
    url === undefined
      ? "not needed by the embedded forge"
      : credential === undefined
        ? "none"
        : CredentialSource.describe(credential)
  return check("credentials", "ok", stored.length === 0 ? used : `${used}; stored for ${stored.join(", ")}`)
}).pipe(orFail("credentials"))

/** Returns true if other accounts on the machine can read a file. Returns false for a missing file. */
const othersCanRead = (path: string) =>
  Effect.flatMap(FileSystem.FileSystem, (fs) => fs.stat(path)).pipe(
    Effect.map(({ mode }) => process.platform !== "win32" && (mode & 0o077) !== 0),
    Effect.orElseSucceed(() => false)
  )

const connection = Effect.gen(function* () {
  const { baseUrl, label, notices, repository } = yield* Connection
  const forge = yield* Forge
  const now = yield* Clock.currentTimeMillis
  const found = check(
    "connection",
    "ok",
    `${label}, ${baseUrl}${repository === undefined ? "" : `, repository ${repository.owner}/${repository.repo}`}`
  )
  const answer = yield* forge.root
    .get({}, yield* InteractiveRequest.interactive)
    .pipe(Effect.as(found), orFail("connection"))
  return [
    answer,
    ...notices.map((notice) => check("note", "warn", notice)),
    check("budget", "ok", BudgetReport.summary(yield* BudgetReport.read, now))
  ]
}).pipe(
  Progress.showWaiting,
  Effect.provide(Session.layer),
  Effect.catch((error) => Effect.succeed([check("connection", "fail", error.message)]))
)

const run = Effect.gen(function* () {
  const output = yield* Output
  const checks = [...(yield* Effect.all([node, git, folders, config, credentials])), ...(yield* connection)]
  const paint = yield* Flags.paint
  const styles = { ok: paint.good, warn: paint.match, fail: paint.bad }
  if (yield* JsonOutput.isWanted) yield* JsonOutput.print(checks)
  else {
    yield* output.print(
      ...checks.map(({ detail, name, state }) =>
        output.isTerminal
          ? `${styles[state](Terminal.pad(state, 4))}  ${Terminal.pad(name, 11)}  ${Terminal.escape(detail)}`
          : TableText.record([state, name, detail])
      )
    )
  }
  const count = checks.filter(({ state }) => state === "fail").length
  if (count > 0) return yield* new SetupFailed({ count })
})

export const doctor = Command.make("doctor", {}, () => run).pipe(
  Command.withDescription("Check Node, git, configuration and connection, and suggest fixes")
)
