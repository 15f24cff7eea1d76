/** The directories of the user's files: the system's conventional ones, unless XDG variables name others. */
import * as Os from "node:os"
import * as Path from "node:path"
import * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { variable } from "./Environment.ts"

/** Absolute paths of directories that only Tongs uses. They need not exist. */
export interface Directories {
  /** The config file and stored credentials. */
  readonly config: string
  /** The embedded forge's repositories and database. */
  readonly data: string
  /** Files that may be deleted at any time. */
  readonly cache: string
  /** State that survives restarts but is safe to lose: rate-limit budgets, locks. */
  readonly state: string
}

/** The environment variables that choose the directories. */
export interface Variables {
  readonly home: string
  readonly configHome: string | undefined
  readonly dataHome: string | undefined
  readonly cacheHome: string | undefined
  readonly stateHome: string | undefined
  /** `APPDATA` of Windows, which roams with the account. */
  readonly appData: string | undefined
  /** `LOCALAPPDATA` of Windows, which stays on the machine. */
  readonly localAppData: string | undefined
}

/** The directories of the current user. */
export class UserDirectories extends Context.Service<UserDirectories, Directories>()(
  "@tongs/connection/UserDirectories"
) {
  /** The directories that the environment of this process chooses. */
  static readonly layer = Layer.effect(
    UserDirectories,
    Effect.suspend(() => variables).pipe(
      Effect.map((variables) => directories(process.platform, variables)),
      Effect.orDie // optional strings cannot be invalid
    )
  )
}

/** The directories for a value of `process.platform`. Ignores relative XDG paths, as the XDG specification requires. */
export const directories = (platform: string, variables: Variables): Directories => {
  const paths = pathsOf(platform)
  const folders = defaults(platform, variables)
  const choose = (xdg: string | undefined, otherwise: string) =>
    paths.join(xdg !== undefined && paths.isAbsolute(xdg) ? xdg : otherwise, "tongs")
  return {
    config: choose(variables.configHome, folders.config),
    data: choose(variables.dataHome, folders.data),
    cache: choose(variables.cacheHome, folders.cache),
    state: choose(variables.stateHome, folders.state)
  }
}

const pathsOf = (platform: string) => (platform === "win32" ? Path.win32 : Path.posix)

const defaults = (platform: string, { appData, home, localAppData }: Variables): Directories => {
  const join = (...parts: ReadonlyArray<string>) => pathsOf(platform).join(...parts)
  switch (platform) {
    case "win32": {
      const roaming = appData ?? join(home, "AppData", "Roaming")
      const local = localAppData ?? join(home, "AppData", "Local")
      return { config: roaming, data: local, cache: local, state: local }
    }
    case "darwin": {
      const support = join(home, "Library", "Application Support")
      return { config: support, data: support, cache: join(home, "Library", "Caches"), state: support }
    }
    default:
      return {
        config: join(home, ".config"),
        data: join(home, ".local", "share"),
        cache: join(home, ".cache"),
        state: join(home, ".local", "state")
      }
  }
}

const home = Config.map(
  Config.all([variable("HOME"), variable("USERPROFILE")]),
  ([home, profile]) => home ?? profile ?? Os.homedir()
)

/** Replaces a leading `~` with the home directory: no shell expands paths of the config file or after `--data=`. */
export const expandHome = (path: string): Effect.Effect<string> =>
  /^~($|[/\\])/.test(path)
    ? Effect.orDie(Effect.map(home, (home) => Path.join(home, path.slice(1)))) // optional strings cannot be invalid
    : Effect.succeed(path)

const variables: Config.Config<Variables> = Config.all({
  home,
  configHome: variable("XDG_CONFIG_HOME"),
  dataHome: variable("XDG_DATA_HOME"),
  cacheHome: variable("XDG_CACHE_HOME"),
  stateHome: variable("XDG_STATE_HOME"),
  appData: variable("APPDATA"),
  localAppData: variable("LOCALAPPDATA")
})
