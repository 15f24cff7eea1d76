/** Fetches branches and tags from a remote repository with git, isolated from the configuration of the machine. */
import type { ChildProcess } from "node:child_process"
import { statfs } from "node:fs/promises"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { Token } from "@tongs/core/client/Credential"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as Terminal from "@tongs/core/text/Terminal"
import * as GitCommand from "@tongs/service/git/process/GitCommand"

/** A fetch failed. `isTransient` is true if a later attempt may succeed. */
export class FetchFailed extends Schema.TaggedError<FetchFailed>()("FetchFailed", {
  detail: Schema.String,
  isTransient: Schema.Boolean,
  isDiskFull: Schema.Boolean
}) {
  override get message() {
    return this.detail
  }
}

/** A repository to fetch from. */
export interface FetchSource {
  /** The HTTP URL. Redirects are not followed. */
  readonly url: URL
  readonly token: Token | undefined
}

/** Milliseconds without any progress after which git is stopped. */
const MAX_SILENCE = 5 * 60_000

/** Bytes of disk space that stay free: a server cannot fill the disk. */
export const MIN_FREE = 1024 ** 3

/** Milliseconds between two checks of the free disk space. */
const CHECK_INTERVAL = 1_000

/** Milliseconds until a process that ignores SIGTERM is killed. */
const GRACE = 2_000

/** Maximum length of git's messages in an error, in characters. */
const MAX_DETAIL = 300

/** Mirrors the branches and tags of the remote repository. All further branches and tags are deleted. */
const refspecs = ["+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*"]

/** Defects of old commits and trees that git tolerates in any clone. The other checks of objects apply. */
const tolerated = [
  "badDate",
  "badDateOverflow",
  "badEmail",
  "badFilemode",
  "badName",
  "badTagName",
  "badTimezone",
  "duplicateEntries",
  "missingEmail",
  "missingNameBeforeEmail",
  "missingSpaceBeforeDate",
  "missingSpaceBeforeEmail",
  "missingTaggerEntry",
  "multipleAuthors",
  "nulInCommit",
  "zeroPaddedDate",
  "zeroPaddedFilemode"
]

/**
 * Fetches all branches and tags into a bare repository, and passes the number of received bytes to `onBytes`.
 * Interruption stops git and waits until git has exited.
 */
export const fetch = (
  gitDir: string,
  { token, url }: FetchSource,
  onBytes: (received: number) => void
): Effect.Effect<void, FetchFailed> =>
  Effect.callback<void, FetchFailed>((resume) => {
    const flags = ["--progress", "--prune", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules"]
    const child = GitCommand.start(
      "git",
      { ...GitCommand.isolatedEnvironment(), ...networkVariables() },
      ["fetch", ...flags, "--no-auto-maintenance", "--", url.href, ...refspecs],
      { gitDir, environment: environment(gitDir, url, token) }
    )
    let reason: FetchFailed | undefined
    let messages = ""
    let silence = setTimeout(() => {}, 0)
    const stopWith = (error: FetchFailed) => {
      reason ??= error
      signal(child, "SIGTERM")
    }
    const listen = () => {
      clearTimeout(silence)
      silence = setTimeout(() => stopWith(failed("git made no progress for five minutes", true)), MAX_SILENCE)
    }
    listen()
    const disk = setInterval(() => {
      void freeSpace(gitDir).then((free) =>
        free < MIN_FREE ? stopWith(failed(diskFull(free), false, true)) : undefined
      )
    }, CHECK_INTERVAL)
    const done = (result: Effect.Effect<void, FetchFailed>) => {
      clearInterval(disk)
      clearTimeout(silence)
      resume(result)
    }
    child.stdin.on("error", () => {}).end()
    child.stdout.resume()
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      listen()
      const received = receivedBytes(text)
      if (received !== undefined) onBytes(received)
      messages = (messages + text).slice(-16_384)
    })
    child.on("error", (cause) => done(Effect.fail(failed(`git cannot start: ${cause.message}`, true))))
    child.on("close", (code) => {
      if (reason !== undefined) done(Effect.fail(reason))
      else if (code === 0) done(Effect.void)
      else done(Effect.fail(explain(messages, token)))
    })
    return Effect.callback<void>((resume) => {
      clearInterval(disk)
      clearTimeout(silence)
      if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return resume(Effect.void)
      child.once("close", () => resume(Effect.void))
      signal(child, "SIGTERM")
      setTimeout(() => signal(child, "SIGKILL"), GRACE).unref()
    })
  })

/** Returns the free disk space at a path in bytes. Infinite if the system does not say. */
export const freeSpace = (path: string): Promise<number> =>
  statfs(path).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => Number.POSITIVE_INFINITY
  )

/** Describes a full disk. */
export const diskFull = (free: number): string =>
  `the disk is almost full (${NumberFormat.bytes(free)} free, ${NumberFormat.bytes(MIN_FREE)} stay free)`

/** Signals the group of the process and all child processes. */
const signal = (child: ChildProcess, name: NodeJS.Signals) => {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  try {
    if (process.platform === "win32") child.kill(name)
    else process.kill(-child.pid, name)
  } catch {
    // The process has just ended.
  }
}

/** The token is in the environment, because other accounts can see arguments. */
const environment = (gitDir: string, { protocol }: URL, token: Token | undefined) => {
  const settings: ReadonlyArray<readonly [string, string]> = [
    ["http.followRedirects", "false"],
    ["credential.helper", ""],
    ["protocol.version", "2"],
    ["fetch.fsckObjects", "true"],
    ...tolerated.map((name) => [`fetch.fsck.${name}`, "ignore"] as const),
    // Keeps packs instead of writing many small files.
    ["fetch.unpackLimit", "1"],
    ["transfer.bundleURI", "false"],
    ...(token === undefined ? [] : [["http.extraHeader", authorization(token)] as const])
  ]
  return {
    GIT_ALLOW_PROTOCOL: protocol === "https:" ? "https" : "http",
    // Ignores the user's `.netrc`.
    HOME: gitDir,
    GIT_CONFIG_COUNT: String(settings.length),
    ...Object.fromEntries(
      settings.flatMap(([key, value], at) => [
        [`GIT_CONFIG_KEY_${at}`, key],
        [`GIT_CONFIG_VALUE_${at}`, value]
      ])
    )
  }
}

const authorization = (token: Token) =>
  `Authorization: Basic ${Buffer.from(`x-access-token:${Redacted.value(token)}`).toString("base64")}`

/** Environment variables for proxies and certificates. */
const network =
  /^(https?_proxy|all_proxy|no_proxy|ssl_cert_file|ssl_cert_dir|git_ssl_cainfo|git_ssl_capath|git_proxy_ssl_cainfo)$/i

const networkVariables = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => network.test(name)))

const units: Readonly<Record<string, number>> = { bytes: 1, KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 }

/** Returns the number of received bytes in git's progress, for example `Receiving objects: 5% (1/20), 1.50 MiB`. */
export const receivedBytes = (text: string): number | undefined => {
  const [, number, unit = ""] = /.*Receiving objects: [^,]*, ([\d.]+) (bytes|KiB|MiB|GiB)/s.exec(text) ?? []
  return number === undefined ? undefined : Math.round(Number(number) * (units[unit] ?? 1))
}

const transient =
  /error: (?:429|5\d\d)|timed? ?out|could not resolve|couldn't connect|failed to connect|connection (?:reset|refused|was)|early EOF|unexpected disconnect|RPC failed/i

const failed = (detail: string, isTransient: boolean, isDiskFull = false) =>
  new FetchFailed({ detail, isTransient, isDiskFull })

/** Explanations for messages of git from which a user cannot tell the cause. */
const causes: ReadonlyArray<readonly [RegExp, string]> = [
  [/^fatal: repository '[^']*' not found/m, "the forge no longer has it, or the token cannot read it"],
  [/could not read Username|Authentication failed|error: 40[13]\b/, "the forge refused the token: check its access"]
]

/** Returns git's error messages on one line, without progress and without the token. */
const explain = (messages: string, token: Token | undefined) => {
  const lines = messages
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => /^(fatal|error|remote):/.test(line) && !/^remote: *(?:[A-Z][a-z]+ )+objects: /.test(line))
  if (/No space left on device/i.test(messages)) return failed("the disk is full", false, true)
  const cause = causes.find(([pattern]) => pattern.test(lines.join("\n")))
  if (cause !== undefined) return failed(cause[1], false)
  const text = lines.slice(-3).join(" ").replace(/\s+/g, " ")
  const secret = token === undefined ? "" : Redacted.value(token)
  const detail = Terminal.escape(secret === "" ? text : text.replaceAll(secret, "***")).slice(0, MAX_DETAIL)
  return failed(detail === "" ? "git fetch failed" : detail, transient.test(text))
}
