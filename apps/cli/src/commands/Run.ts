/** `tongs run`: starts a program that talks to the forge of the connection. */
import { type ChildProcess, spawn } from "node:child_process"
import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import { Connection } from "@tongs/connection/Connection"
import type { ConnectionSettings } from "@tongs/connection/ConnectionSettings"
import * as CredentialSource from "@tongs/connection/credentials/CredentialSource"
import { Scheduler } from "@tongs/core/limits/Scheduler"
import * as Signals from "../base/Signals.ts"
import { ProgramEnded, UsageError } from "../base/UsageError.ts"
import * as Session from "../session/Session.ts"
import * as RunEnvironment from "./RunEnvironment.ts"

/** Delay before the remaining processes of an ended program are killed. */
const KILL_DELAY = 1000

const nameOf = ({ repository }: Connection["Service"]) =>
  repository === undefined ? undefined : `${repository.owner}/${repository.repo}`

/**
 * Sends a signal to the process group of a program, or to the program if it shares the group of this process. Returns
 * false if the processes have ended.
 */
const send = ({ pid = 0 }: ChildProcess, signal: NodeJS.Signals, ownsGroup: boolean): boolean => {
  try {
    return process.kill(ownsGroup ? -pid : pid, signal)
  } catch {
    return false
  }
}

/** Runs a program until it ends, and returns its exit code. Passes signals on. */
const runProgram = ([program = "", ...args]: ReadonlyArray<string>, env: NodeJS.ProcessEnv) =>
  Effect.callback<number, UsageError>((resume) => {
    // At a terminal, the program must be in the foreground group, to which the terminal sends its signals.
    const ownsGroup = !process.stdin.isTTY
    const child = spawn(program, args, { stdio: "inherit", env, detached: ownsGroup })
    const pass = (signal: NodeJS.Signals) => {
      if (ownsGroup || signal !== "SIGINT") send(child, signal, ownsGroup)
    }
    for (const signal of Signals.names) process.on(signal, pass)
    const end = (result: Effect.Effect<number, UsageError>) => {
      for (const signal of Signals.names) process.off(signal, pass)
      resume(result)
    }
    child.once("error", (error) => {
      const isMissing = "code" in error && error.code === "ENOENT"
      const detail = isMissing ? `No program ${program} on the PATH.` : `Cannot start ${program}: ${error.message}.`
      const hint = isMissing ? "Install the program, or pass its path: `tongs run -- PATH ARGUMENTS`." : ""
      end(Effect.fail(new UsageError({ detail, hint })))
    })
    child.once("exit", (code, signal) => {
      const result = Effect.succeed(code ?? 128 + (signal === null ? 0 : Os.constants.signals[signal]))
      if (!ownsGroup || !send(child, "SIGTERM", true)) return end(result)
      setTimeout(() => {
        send(child, "SIGKILL", true)
        end(result)
      }, KILL_DELAY)
    })
  })

/** Runs a program with a forge, and fails with the exit code of the program unless 0. */
const runWith = Effect.fnUntraced(function* (forge: RunEnvironment.ReachableForge, command: ReadonlyArray<string>) {
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => Fs.mkdtempSync(Path.join(Os.tmpdir(), "tongs-run-"))),
    (folder) => Effect.sync(() => Fs.rmSync(folder, { recursive: true, force: true }))
  )
  const env = RunEnvironment.make(forge, folder, process.env)
  // After a signal, this process ends when the program has ended.
  const code = yield* Effect.uninterruptible(runProgram(command, env))
  if (code !== 0) return yield* new ProgramEnded({ code })
})

/** Serves the embedded forge at a free port while the program runs, with GitHub's names of headers and media types. */
const runEmbedded = Effect.fnUntraced(function* (given: ConnectionSettings, command: ReadonlyArray<string>) {
  const settings: ConnectionSettings = { ...given, dialect: given.dialect ?? "github" }
  const [{ serve }, { Owner }, embedded] = yield* Effect.promise(() =>
    Promise.all([
      import("@tongs/service/main/Serve"),
      import("@tongs/service/main/Owner"),
      import("@tongs/connection/EmbeddedConnection")
    ])
  )
  const layer = embedded
    .clientLayer(settings)
    .pipe(Layer.provideMerge(embedded.forgeLayer(settings)), Layer.provide(embedded.schedulerLayer(settings)))
  return yield* Effect.gen(function* () {
    const { token } = yield* Owner
    const repository = nameOf(yield* Connection)
    const url = yield* serve({ host: "127.0.0.1", port: 0 })
    yield* runWith({ url, token: Redacted.value(token), repository }, command)
  }).pipe(Effect.scoped, Effect.provide(layer))
})

/** Runs the program with the address and the credential of a remote forge. */
const runRemote = Effect.fnUntraced(function* (
  settings: ConnectionSettings,
  url: string,
  command: ReadonlyArray<string>
) {
  const { credential, dialect } = settings
  const { layerNodeHttp } = yield* Effect.promise(() => import("@effect/platform-node/NodeHttpClient"))
  const found = yield* Effect.provide(
    CredentialSource.toCredential(credential, { baseUrl: url, dialect }),
    Layer.merge(layerNodeHttp, Scheduler.layerMemory)
  )
  const token =
    found === undefined ? undefined : Redacted.value(Redacted.isRedacted(found) ? found : yield* found.current)
  const repository = yield* Effect.provide(Effect.map(Connection, nameOf), Session.layer)
  yield* Effect.scoped(runWith({ url, token, repository }, command))
})

const command = Argument.String("command").pipe(
  Argument.withDescription("The program and its arguments, after --"),
  Argument.atLeast(1)
)

export const run = Command.make(
  "run",
  { command },
  Effect.fnUntraced(function* (given) {
    const settings = yield* Session.settings
    const { url } = settings
    return yield* url === undefined ? runEmbedded(settings, given.command) : runRemote(settings, url, given.command)
  })
).pipe(
  Command.withDescription(
    "Run a program, such as gh, git or a script with Octokit, with the forge's address and token in its environment, and exit with its exit code. The embedded forge is served while the program runs."
  ),
  Command.withShortDescription("Run a program, such as gh, with the forge"),
  Command.withExamples([
    { command: "tongs run -- gh issue list" },
    { command: "tongs --demo run -- gh issue view 1 --comments" },
    { command: "tongs run -- git clone http://github.localhost/OWNER/REPO.git" },
    { command: "tongs run -- node script.js", description: "GITHUB_API_URL and GITHUB_TOKEN are set" }
  ])
)
