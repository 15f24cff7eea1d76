/** How a `git` process is started, whoever starts it: `Git`, and the threads of the code index. */
import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process"
import { devNull } from "node:os"
import { PassThrough } from "node:stream"

/** Where a command works. */
export interface CommandOptions {
  /** The git directory that it works on. Without it git sees no repository at all. */
  readonly gitDir?: string
  /** Take paths as names, not as patterns. */
  readonly literalPaths?: boolean
  /** Read the settings of the machine and of the person who runs the forge, as git in their terminal does. */
  readonly useUserConfig?: boolean
  /** Git settings of this command, each `name=value`. */
  readonly settings?: ReadonlyArray<string>
}

/** Starts `git`. The caller ends it; that it could not be started is an `error` event. */
export const start = (
  executable: string,
  env: NodeJS.ProcessEnv,
  args: ReadonlyArray<string>,
  options: CommandOptions
): ChildProcessWithoutNullStreams => {
  const child = spawn(
    executable,
    options.useUserConfig === true
      ? args
      : [...settings, ...configArguments(options.settings ?? []), ...locationArguments(options), ...args],
    {
      env: options.useUserConfig === true ? userEnvironment() : env,
      // Not the caller's folder, which could disappear, or hold a repository that git would find.
      cwd: "/",
      stdio: ["pipe", "pipe", "pipe"],
      // In a session of its own: an interrupt typed in the terminal must not end a write half way.
      detached: process.platform !== "win32",
      windowsHide: true
    }
  )
  if (Reflect.has(child, "stdin")) return child
  // Where no more files can be opened there are no pipes, whatever the types say.
  return Object.assign(child, { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() })
}

const configArguments = (settings: ReadonlyArray<string>) => settings.flatMap((setting) => ["-c", setting])

const settings = configArguments([
  "core.hooksPath=/dev/null",
  "safe.directory=*",
  "core.fsync=all",
  "core.fsyncMethod=fsync",
  "core.filesRefLockTimeout=10000",
  "core.packedRefsTimeout=10000",
  "core.quotePath=false",
  "core.fsmonitor=false",
  "core.pager=cat",
  "gc.auto=0",
  "maintenance.auto=false"
])

// With a work tree git would read attributes from the working folder.
const locationArguments = ({ gitDir, literalPaths }: CommandOptions): ReadonlyArray<string> =>
  gitDir === undefined ? [] : [...(literalPaths ? ["--literal-pathspecs"] : []), `--git-dir=${gitDir}`]

/** What of our own environment the programs get that we start: what lets them be found and run, and no token. */
const inheritedVariables = (
  "PATH HOME TMPDIR TMP TEMP LD_LIBRARY_PATH DYLD_LIBRARY_PATH DEVELOPER_DIR " +
  "SYSTEMROOT WINDIR COMSPEC PATHEXT USERPROFILE"
).split(" ")

/** The one reading of the process environment. */
export const inheritedEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    inheritedVariables.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]))
  )

/** Where git looks for the settings of the machine and of the person. */
const userConfigVariable = /^(?:XDG_CONFIG_HOME|GIT_CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM|COUNT|KEY_\d+|VALUE_\d+))$/

const userEnvironment = (): NodeJS.ProcessEnv => ({
  ...inheritedEnvironment(),
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => userConfigVariable.test(name))),
  LC_ALL: "C"
})

/** The user who called `sudo`, if one did. */
export const sudoUser = (): number | undefined => {
  const uid = process.env["SUDO_UID"]
  return uid !== undefined && /^\d+$/.test(uid) ? Number(uid) : undefined
}

/** What git gets: nothing that would redirect it. */
export const isolatedEnvironment = (): NodeJS.ProcessEnv => ({
  ...inheritedEnvironment(),
  LC_ALL: "C",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: devNull,
  GIT_ATTR_NOSYSTEM: "1",
  GIT_TERMINAL_PROMPT: "0",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_NO_REPLACE_OBJECTS: "1",
  GIT_NO_LAZY_FETCH: "1",
  GIT_ALLOW_PROTOCOL: "none",
  // Who a reference log names, where a repository keeps one.
  GIT_COMMITTER_NAME: "Tongs",
  GIT_COMMITTER_EMAIL: "tongs@localhost"
})
