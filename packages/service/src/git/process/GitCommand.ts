/** Starts `git` processes, for `Git` and for the workers of the code index. */
import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process"
import { devNull } from "node:os"
import { Duplex, PassThrough } from "node:stream"
import * as OpenFiles from "../../base/OpenFiles.ts"
import * as ProcessGroup from "../../base/ProcessGroup.ts"
import * as OrphanedGit from "./OrphanedGit.ts"

/** Options of a git process. */
export interface CommandOptions {
  /** The git directory of the command. By default git finds no repository. */
  readonly gitDir?: string
  /** The work tree for the command to read, and the index. Default: git reads no work tree. */
  readonly workTree?: { readonly folder: string; readonly index: string } | undefined
  /** Treats paths literally, not as patterns. */
  readonly literalPaths?: boolean
  /** Reads system and user configuration, as git in a terminal does. */
  readonly useUserConfig?: boolean
  /** Configuration for this command, each `name=value`. */
  readonly settings?: ReadonlyArray<string>
  /** Writes each commit of a log to the pipe at once instead of buffering. */
  readonly flushesCommits?: boolean
  /** Further environment variables, for example `GIT_PROTOCOL`. */
  readonly environment?: Readonly<Record<string, string>>
  /** Receives a pipe for both directions. The command and hooks have this pipe as file descriptor 3. */
  readonly onChannel?: (channel: Duplex) => void
}

let runningCount = 0

/** Returns the number of git processes that run, without those of the workers of the code index. */
export const running = (): number => runningCount

/** Starts a git process, which the caller must end. A failure to start is an `error` event. */
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
      env: environment(env, options),
      // The current folder could disappear, or contain a repository that git would find.
      cwd: "/",
      stdio: ["pipe", "pipe", "pipe", ...(options.onChannel === undefined ? [] : (["pipe"] as const))],
      // A new session and process group: Ctrl-C in the terminal does not interrupt a write, and one signal ends git and
      // all child processes.
      detached: process.platform !== "win32",
      windowsHide: true
    }
  )
  ProcessGroup.of(child)
  if (child.pid !== undefined) {
    runningCount += 1
    child.once("exit", () => {
      runningCount -= 1
    })
  }
  child.once("error", (error) => {
    if (OpenFiles.isShortage(error.message)) OpenFiles.reportShortage()
  })
  // Contrary to the type, the child has no pipes when no file descriptors are left.
  if (!Reflect.has(child, "stdin")) {
    return Object.assign(child, { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() })
  }
  const channel = child.stdio[3]
  if (channel instanceof Duplex) {
    // An error of the pipe means that the command has ended, which the exit reports. Node reports the end of a command
    // only after all pipes are closed.
    channel.on("error", () => {})
    child.once("exit", () => channel.destroy())
    options.onChannel?.(channel)
  }
  return child
}

const environment = (env: NodeJS.ProcessEnv, options: CommandOptions) => {
  const { flushesCommits, useUserConfig, workTree } = options
  if (useUserConfig === true) return { ...userEnvironment(), ...OrphanedGit.environment }
  return {
    ...env,
    ...OrphanedGit.environment,
    ...options.environment,
    ...(workTree === undefined ? {} : { GIT_INDEX_FILE: workTree.index }),
    ...(flushesCommits === true ? { GIT_FLUSH: "1" } : {})
  }
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

// Usually sets no work tree, because git would read attributes from the working folder.
const locationArguments = ({ gitDir, literalPaths, workTree }: CommandOptions): ReadonlyArray<string> =>
  gitDir === undefined
    ? []
    : [
        ...(literalPaths ? ["--literal-pathspecs"] : []),
        `--git-dir=${gitDir}`,
        ...(workTree === undefined ? [] : [`--work-tree=${workTree.folder}`])
      ]

/** Environment variables that child processes inherit: the variables to find and run programs, but no tokens. */
const inheritedVariables = (
  "PATH HOME TMPDIR TMP TEMP LD_LIBRARY_PATH DYLD_LIBRARY_PATH DEVELOPER_DIR " +
  "SYSTEMROOT WINDIR COMSPEC PATHEXT USERPROFILE"
).split(" ")

/** The variables that are safe to pass to child processes. */
export const inheritedEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    inheritedVariables.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]))
  )

/** Variables that select system and user configuration. */
const userConfigVariable = /^(?:XDG_CONFIG_HOME|GIT_CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM|COUNT|KEY_\d+|VALUE_\d+))$/

const userEnvironment = (): NodeJS.ProcessEnv => ({
  ...inheritedEnvironment(),
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => userConfigVariable.test(name))),
  LC_ALL: "C"
})

/** User id of the caller of `sudo`, if any. */
export const sudoUser = (): number | undefined => {
  const uid = process.env["SUDO_UID"]
  return uid !== undefined && /^\d+$/.test(uid) ? Number(uid) : undefined
}

/** The environment of isolated git processes. */
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
  // Without `GIT_FLUSH`, git writes each commit of a log to the pipe separately.
  GIT_FLUSH: "0",
  // The identity in reference logs.
  GIT_COMMITTER_NAME: "Tongs",
  GIT_COMMITTER_EMAIL: "tongs@localhost"
})
