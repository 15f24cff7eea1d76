/** The directories of the user's files: the system's conventional directories, unless XDG variables name others. */
import * as Os from "node:os"
import * as Path from "node:path"
import * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { variable } from "./Environment.ts"

/** Absolute paths of the directories of Tongs, which may be missing. */
export interface Directories {
  /** Directory of the config file and the stored credentials. */
  readonly config: string
  /** Directory of the embedded forge's repositories and database. */
  readonly data: string
  /** Directory of files that may be deleted at any time. */
  readonly cache: string
  /** Directory of state that should survive restarts but is safe to lose: rate-limit budgets, locks. */
  readonly state: string
}

/** Values of the environment variables that determine the directories. */
export interface Variables {
  readonly home: string
  readonly configHome: string | undefined
  readonly dataHome: string | undefined
  readonly cacheHome: string | undefined
  readonly stateHome: string | undefined
  /** `APPDATA`: the Windows folder that follows the account to other machines. */
  readonly appData: string | undefined
  /** `LOCALAPPDATA`: the Windows folder that belongs to one machine. */
  readonly localAppData: string | undefined
}

/** The directories of the current user. */
export class UserDirectories extends Context.Service<UserDirectories, Directories>()(
  "@tongs/connection/UserDirectories"
) {
  /** Provides the directories for the environment variables of this process. */
  static readonly layer = Layer.effect(
    UserDirectories,
    Effect.suspend(() => variables).pipe(
      Effect.map((variables) => directories(process.platform, variables)),
      Effect.orDie // optional strings cannot be invalid
    )
  )
}

/** Returns the directories for a `process.platform`. Ignores relative XDG paths, as the XDG specification requires. */
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

/** Replaces a leading `~` by the home directory. Shells do not expand paths in the config file or after `--data=`. */
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
