/** Where a person's files of this program lie: what each system expects, or what the XDG variables say. */
import * as Os from "node:os"
import * as Path from "node:path"
import * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"

/** Absolute paths of folders that belong to the program alone. None needs to exist. */
export interface Directories {
  /** What the person writes: the config file, credentials. */
  readonly config: string
  /** What must not be lost: the embedded forge. */
  readonly data: string
  /** What may be deleted at any time. */
  readonly cache: string
  /** What is kept between runs but would not be missed: budgets, logs. */
  readonly state: string
}

/** The variables that decide, as they are set. */
export interface Variables {
  readonly home: string
  readonly configHome: string | undefined
  readonly dataHome: string | undefined
  readonly cacheHome: string | undefined
  readonly stateHome: string | undefined
  /** Windows: what follows the person from machine to machine, and what does not. */
  readonly appData: string | undefined
  readonly localAppData: string | undefined
}

export class UserDirectories extends Context.Service<UserDirectories, Directories>()(
  "@tongs/connection/UserDirectories"
) {
  /** The folders of the person who runs the process. */
  static readonly layer = Layer.effect(
    UserDirectories,
    Effect.suspend(() => variables).pipe(
      Effect.map((variables) => directories(process.platform, variables)),
      Effect.orDie // optional strings: there is nothing in them that could be wrong
    )
  )
}

/** The folders on a system, named as `process.platform` names it. A relative XDG variable does not count, as its spec says. */
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

const variable = (name: string) => Config.NonEmptyString(name).pipe(Config.option, Config.map(Option.getOrUndefined))

const home = Config.map(
  Config.all([variable("HOME"), variable("USERPROFILE")]),
  ([home, profile]) => home ?? profile ?? Os.homedir()
)

/** A path as a person writes it, with `~` for their home: no shell sees what is in a file, or behind `--data=`. */
export const expandHome = (path: string): Effect.Effect<string> =>
  /^~($|[/\\])/.test(path)
    ? Effect.orDie(Effect.map(home, (home) => Path.join(home, path.slice(1)))) // as the other variables
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
