/** `tongs serve`: serves the embedded forge over HTTP. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as SettingsResolver from "@tongs/connection/SettingsResolver"
import * as Flags from "../session/Flags.ts"
import * as HeapLimit from "../base/HeapLimit.ts"
import { Output } from "../base/Output.ts"
import { UsageError } from "../base/UsageError.ts"
import * as JsonOutput from "../json/JsonOutput.ts"

/** Creates a flag for the URL of a server. */
const url = (name: string) =>
  Flag.String(name).pipe(
    Flag.filter(
      (text) => /^https?:\/\//.test(text) && URL.canParse(text),
      () => "a URL, for example http://127.0.0.1:8080"
    )
  )

const config = {
  ...Flags.address(4180),
  database: Flag.String("database").pipe(
    Flag.optional,
    Flag.withMetavar("URL"),
    Flag.withDescription("postgres:// URL of the database with the forge's rows; SQLite in the data folder by default")
  ),
  databasePasswordFile: Flags.databasePasswordFile,
  cluster: Flag.String("cluster").pipe(
    Flag.optional,
    Flag.withMetavar("HOST:PORT"),
    Flag.withDescription("Be one of several processes of a forge, which reach this one at this address")
  ),
  localData: Flag.String("local-data").pipe(
    Flag.optional,
    Flag.withMetavar("DIR"),
    Flag.withDescription("With --cluster: folder of this process alone, with its code index")
  ),
  publicUrl: url("public-url").pipe(
    Flag.optional,
    Flag.withMetavar("URL"),
    Flag.withDescription("URL at which clients reach the forge, if it differs; used for links in webhooks")
  ),
  fixtures: Flag.String("fixtures").pipe(
    Flag.optional,
    Flag.withMetavar("FILE"),
    Flag.withDescription("JSON file of accounts, tokens and repositories; only --repos adds more")
  ),
  allowLocalWebhooks: Flags.toggle("allow-local-webhooks", "Deliver webhooks to loopback and private networks, too"),
  pushToCreate: Flags.toggle("push-to-create", "Create a private repository by the first push to it"),
  signCommits: Flags.toggle("sign-commits", "Sign the commits that the forge creates, for example merges"),
  codeIndex: url("code-index").pipe(
    Flag.atLeast(0),
    Flag.withMetavar("URL"),
    Flag.withDescription("URL of a zoekt-webserver that replaces the built-in code index; repeat it for several")
  ),
  searchDeadline: Flag.Int("search-deadline").pipe(
    Flag.filter(
      (milliseconds) => milliseconds >= 1,
      () => "at least 1"
    ),
    Flag.optional,
    Flag.withMetavar("MILLISECONDS"),
    Flag.withDescription("Time limit of one code search; 4000 by default")
  ),
  showToken: Flags.toggle("show-token", "Print the owner's token, which grants all permissions"),
  test: Flags.toggle("test", "Serve an empty forge in a temporary folder, which tests control at /_test"),
  seed: Flag.Int("seed").pipe(
    Flag.optional,
    Flag.withMetavar("NUMBER"),
    Flag.withDescription("With --test: determines which requests a fault with a probability meets; 1 by default")
  ),
  exitOnStdinClose: Flags.toggle(
    "exit-on-stdin-close",
    "Stop when stdin is closed, for example by a test runner that ends"
  )
}

type Config = Command.Command.Config.Infer<typeof config>

const serving = Effect.fnUntraced(function* (given: Config) {
  const { host, port, publicUrl, showToken } = given
  const [{ serve }, { ClusterMembership }, { Owner }, { EmbeddedForge }] = yield* Effect.promise(() =>
    Promise.all([
      import("@tongs/service/main/Serve"),
      import("@tongs/service/cluster/ClusterMembership"),
      import("@tongs/service/main/Owner"),
      import("@tongs/service/main/EmbeddedForge")
    ])
  )
  const { note, print } = yield* Output
  const { token, tokenFile } = yield* Owner
  const { notices } = yield* EmbeddedForge
  yield* Effect.forEach(notices, (notice) => Effect.logWarning(notice), { discard: true })
  // Before the server, whose end comes first and hands the repositories over.
  yield* (yield* ClusterMembership).join
  const url = yield* serve({ host, port, publicUrl: Option.getOrUndefined(publicUrl) })
  if (yield* JsonOutput.isWanted) {
    yield* JsonOutput.print({ url, token: Redacted.value(token), pid: process.pid }, { isCompact: true })
  } else {
    yield* print(url)
    yield* note(
      showToken
        ? `The owner's token is ${Redacted.value(token)}`
        : `The owner's token is in ${tokenFile}; --show-token prints it.`
    )
    yield* note(`Clone with: git clone ${Option.getOrElse(publicUrl, () => url).replace(/\/$/, "")}/OWNER/REPO.git`)
  }
  yield* running(given)
})

/** Runs until the process gets a signal, or stdin is closed. */
const running = ({ exitOnStdinClose }: Config) =>
  exitOnStdinClose
    ? Effect.callback<void>((resume) => {
        const end = () => resume(Effect.void)
        process.stdin.once("end", end).once("close", end).once("error", end).resume()
      })
    : Effect.never

const testing = Effect.fnUntraced(function* (given: Config) {
  const { start } = yield* Effect.promise(() => import("./TestServe.ts"))
  const { host, port } = given
  const otherData = [
    ...(Option.isSome(given.fixtures) ? ["--fixtures"] : []),
    ...(Option.isSome(given.database) ? ["--database"] : []),
    ...(Option.isSome(given.cluster) ? ["--cluster"] : []),
    ...(Option.isSome(given.publicUrl) ? ["--public-url"] : []),
    ...(Option.isSome(given.searchDeadline) ? ["--search-deadline"] : []),
    ...(given.codeIndex.length > 0 ? ["--code-index"] : [])
  ]
  yield* start({ host, port, seed: Option.getOrUndefined(given.seed), signCommits: given.signCommits, otherData })
  yield* running(given)
})

const run = Effect.fnUntraced(function* (given: Config) {
  yield* HeapLimit.apply
  if (given.test) return yield* Effect.scoped(testing(given))
  if (Option.isSome(given.seed)) {
    return yield* new UsageError({ detail: "--seed needs --test.", hint: "Only the forge for tests has faults." })
  }
  const { forgeLayer } = yield* Effect.promise(() => import("@tongs/connection/EmbeddedConnection"))
  // Serves the embedded forge even if an environment variable or the profile selects a remote forge.
  const fixtures = Option.getOrUndefined(given.fixtures)
  const resolved = yield* SettingsResolver.resolve({
    ...(yield* Flags.settings),
    fixtures,
    isEmbedded: true,
    database: Option.getOrUndefined(given.database),
    databasePasswordFile: Option.getOrUndefined(given.databasePasswordFile),
    cluster: {
      address: Option.getOrUndefined(given.cluster),
      localData: Option.getOrUndefined(given.localData)
    }
  })
  const settings = {
    ...resolved,
    url: undefined,
    allowLocalWebhooks: given.allowLocalWebhooks,
    pushToCreate: given.pushToCreate,
    signCommits: given.signCommits,
    searchDeadline: Option.getOrUndefined(given.searchDeadline),
    codeIndex: given.codeIndex
  }
  return yield* serving(given).pipe(Effect.scoped, Effect.provide(forgeLayer(settings)))
})

export const serve = Command.make("serve", config, run).pipe(
  Command.withDescription("Serve the embedded forge over HTTP, at / and at /api/v3"),
  Command.withExamples([
    { command: "tongs serve --repos ~/src" },
    {
      command: "git clone http://127.0.0.1:4180/OWNER/REPO.git",
      description:
        "Clone from this URL; for a private repository or a push, the password is the token, with any user name"
    },
    { command: "tongs serve --database postgres://forge@db.example.org/forge" },
    {
      command: "tongs serve --database postgres://db/forge --data /nfs --cluster forge1:4181",
      description: "One of several processes that are one forge, behind a load balancer"
    },
    { command: "tongs serve --json --port 0", description: "The first line has the URL, the token and the process id" },
    { command: "tongs serve --test --json --port 0", description: "An empty forge for tests in any language" }
  ])
)
