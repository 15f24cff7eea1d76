/** `tongs mcp --print-config`: prints the configuration for a client, with the other flags carried over. */
import * as Fs from "node:fs"
import * as Path from "node:path"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { Output } from "../base/Output.ts"
import { UsageError } from "../base/UsageError.ts"
import * as Flags from "../session/Flags.ts"
import * as ServerSecretConfig from "../session/ServerSecretConfig.ts"
import * as McpClients from "./McpClients.ts"
import type { Given } from "./McpOptions.ts"
import * as McpTokenFile from "./McpTokenFile.ts"
import * as McpValues from "./McpValues.ts"

/** Returns a flag with a value, or nothing if the value is absent. */
const flag = (name: string, value: string | undefined) => (value === undefined ? [] : [`--${name}=${value}`])

const toolFlags = (given: Given): ReadonlyArray<string> => [
  ...flag("toolsets", Option.getOrUndefined(given.toolsets)),
  ...(given.allowWrites ? ["--allow-writes"] : []),
  ...given.allowOwners.flatMap((name) => flag("allow-owner", name)),
  ...given.allowRepositories.flatMap((name) => flag("allow-repo", name)),
  ...(given.confirm === "ask" ? [] : flag("confirm", given.confirm)),
  ...(given.dryRun ? ["--dry-run"] : []),
  ...(given.structured ? ["--structured"] : []),
  ...(given.deadline === McpValues.DEADLINE ? [] : flag("deadline", String(given.deadline)))
]

/** The flags that select the forge. Clients start the server in another folder, so paths are absolute. */
const forgeFlags = Effect.fnUntraced(function* (client: McpClients.Client) {
  const { apiVersion, cwd, data, demo, dialect, indexBranches, limits, profile, repos, url } = yield* Flags.settings
  const isSelected = repos.length > 0 || [data, demo, profile, url].some((value) => value !== undefined)
  // These clients start servers in no particular folder, so the repository of this one is named.
  const folders = McpClients.isDesktop(client) && !isSelected && Fs.existsSync(Path.join(cwd, ".git")) ? ["."] : repos
  return [
    ...flag("profile", profile),
    ...flag("url", url),
    ...flag("dialect", dialect),
    ...flag("api-version", apiVersion),
    ...flag("data", data === undefined ? undefined : Path.resolve(cwd, data)),
    ...folders.flatMap((folder) => flag("repos", Path.resolve(cwd, folder))),
    ...indexBranches.flatMap((pattern) => flag("index-branch", pattern)),
    ...flag("limits", limits),
    ...(demo === undefined ? [] : ["--demo"])
  ]
})

const isExecutable = (file: string): boolean => {
  try {
    Fs.accessSync(file, Fs.constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Returns the real path of a file; undefined for a missing file. */
const realPath = (file: string): string | undefined => {
  try {
    return Fs.realpathSync(file)
  } catch {
    return undefined
  }
}

/**
 * Returns the words that start this program: `tongs` if the PATH finds this program under that name, otherwise absolute
 * paths.
 */
const program = Effect.fnUntraced(function* (client: McpClients.Client) {
  const script = process.argv[1] ?? "tongs"
  const path = yield* Config.String("PATH").pipe(Config.withDefault(""), Effect.orDie) // an optional string
  const found = path
    .split(Path.delimiter)
    .filter((folder) => Path.isAbsolute(folder))
    .map((folder) => Path.join(folder, "tongs"))
  const installed = found.find((file) => isExecutable(file) && realPath(file) === realPath(script))
  // Applications of a desktop do not have the PATH of the shell.
  if (installed !== undefined && !McpClients.isDesktop(client)) return ["tongs"]
  const absolute = installed ?? Path.resolve(script)
  return process.platform !== "win32" && isExecutable(absolute) ? [absolute] : [process.execPath, absolute]
})

/** The text in place of a token that is not known. */
const PLACEHOLDER = "TOKEN"

/** Prints the configuration to stdout, and the place for the configuration to stderr. */
export const print = Effect.fnUntraced(function* (
  client: McpClients.Client,
  port: Option.Option<number>,
  given: Given
) {
  const { note, print: write } = yield* Output
  if (Option.isSome(port)) {
    if (port.value === 0) {
      return yield* new UsageError({
        detail: "--print-config needs the port of the server, but --http is 0.",
        hint: "Choose a port, for example --http 4182."
      })
    }
    const { isChosen, token } = yield* ServerSecretConfig.load(McpValues.TOKEN_VARIABLE)
    const known = isChosen ? Option.some(Redacted.value(token)) : yield* McpTokenFile.read(port.value)
    const url = `http://127.0.0.1:${port.value}/mcp`
    yield* write(McpClients.http(client, { url, token: Option.getOrElse(known, () => PLACEHOLDER) }))
    if (Option.isNone(known)) {
      yield* note(
        `Replace ${PLACEHOLDER} by the token that \`tongs mcp --http ${port.value}\` prints, or set ${McpValues.TOKEN_VARIABLE} for both commands.`
      )
    }
  } else {
    const [command = "tongs", ...rest] = yield* program(client)
    const args = [...rest, "mcp", ...toolFlags(given), ...(yield* forgeFlags(client))]
    yield* write(McpClients.stdio(client, { command, args }))
  }
  const place = McpClients.placeOf(client)
  yield* note(place === undefined ? "Run this command." : `Add this to ${place}.`)
})
