/**
 * The `pre-receive` hook of pushes. `git receive-pack` runs the hook after checking all pushed objects, and before
 * moving a reference. The hook asks the forge through file descriptor 3, and therefore needs no port, no token and no
 * Node. If the forge is killed, the hook reads the end of the channel and refuses the push.
 */
import { createHash, randomUUID } from "node:crypto"
import { accessSync, constants } from "node:fs"
import { chmod, mkdir, rename, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { Duplex } from "node:stream"
import * as Effect from "effect/Effect"
import { readText } from "./files/Files.ts"
import { type GitError, gitError } from "./values/GitError.ts"

/** A reference that a push wants to change. Zero ids mean a creation or a deletion. */
export interface PushedRef {
  readonly ref: string
  readonly before: string
  readonly after: string
}

/** A push, as reported by the hook. */
export interface ProposedPush {
  /** Id of the `git receive-pack` process. */
  readonly process: number
  /** Name of the quarantine folder in `objects`. Undefined if the push has no objects. */
  readonly quarantine: string | undefined
  readonly refs: ReadonlyArray<PushedRef>
}

/** The answer to the hook. git prints the lines in the terminal of the client. */
export interface Verdict {
  readonly isAccepted: boolean
  readonly lines: ReadonlyArray<string>
}

const SCRIPT = String.raw`#!/bin/sh
# Asks the forge whether to accept a push.
{ printf '%s\n' "$PPID" "${"$"}{GIT_QUARANTINE_PATH##*/}" && cat && printf '%s\n' "$TONGS_END"; } >&3 || exit 1
while IFS= read -r line <&3; do
  case $line in
    accept) exit 0 ;;
    refuse) exit 1 ;;
    *) printf '%s\n' "${"$"}{line#:}" >&2 ;;
  esac
done
exit 1
`

/**
 * Creates the folder with the hook in `root` unless the folder exists, and gives the path, for `core.hooksPath`. Fails
 * with `NotWritable` if git could not run the hook, because git would then accept every push.
 */
export const install = Effect.fn("ReceiveHook.install")(function* (root: string): Effect.fn.Return<string, GitError> {
  const digest = createHash("sha256").update(SCRIPT).digest("hex").slice(0, 16)
  const folder = join(root, `hooks-${digest}`)
  const path = join(folder, "pre-receive")
  if (isInstalled(path)) return folder
  yield* Effect.tryPromise({
    try: () => make(folder, path),
    catch: (cause) => gitError({ _tag: "NotWritable", path, detail: String(cause) })
  })
  if (isInstalled(path)) return folder
  return yield* gitError({
    _tag: "NotWritable",
    path,
    detail: "its file system does not allow programs to run. Choose another data folder"
  })
})

/** True if the hook is intact and can be run: some file systems are mounted without that permission. */
const isInstalled = (path: string) => readText(path, SCRIPT.length) === SCRIPT && isExecutable(path)

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Replaces the file atomically, because git accepts a push without a hook. */
const make = async (folder: string, path: string) => {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const temporary = join(folder, `.new-${randomUUID()}`)
  try {
    await writeFile(temporary, SCRIPT)
    // Sets the mode separately, because the file mode mask removes bits from the mode of `writeFile`.
    await chmod(temporary, 0o755)
    await rename(temporary, path)
  } finally {
    await rm(temporary, { force: true })
  }
}

/**
 * Creates the last line of a report. The line is secret, because git checks names after the hook: until then, names can
 * contain line feeds and whole lines.
 */
export const makeEnd = (): string => randomUUID()

/** Returns the environment variable for the hook. */
export const environment = (end: string) => ({ TONGS_END: end })

/** Maximum number of references in a push, and of bytes that the hook sends. */
export const MAX_REFS = 5000
const MAX_BYTES = 8 * 1024 * 1024

/**
 * Reads the report of the hook. Gives `undefined` if the push ends without a report, and a message if the report cannot
 * be accepted.
 */
export const read = (channel: Duplex, end: string): Effect.Effect<ProposedPush | string | undefined> =>
  Effect.callback((resume) => {
    const lastLine = Buffer.from(`\n${end}\n`)
    const chunks: Array<Buffer> = []
    let tail: Buffer = Buffer.alloc(0)
    let size = 0
    const finish = (proposed: ProposedPush | string | undefined) => {
      channel.removeAllListeners("data").resume()
      resume(Effect.succeed(proposed))
    }
    channel.on("data", (chunk: Buffer) => {
      size += chunk.length
      chunks.push(chunk)
      if (size > MAX_BYTES) return finish(TOO_MANY)
      tail = Buffer.concat([tail, chunk]).subarray(-lastLine.length)
      if (tail.equals(lastLine))
        finish(parse(Buffer.concat(chunks).subarray(0, -lastLine.length).toString().split("\n")))
    })
    channel.once("close", () => finish(undefined))
  })

const TOO_MANY = `A push can change at most ${MAX_REFS} references. Push them in parts.`

const INVALID_NAME = "The name of a reference contains a line feed. Push references with other names."

const refLine = /^([0-9a-f]{40}|[0-9a-f]{64}) ([0-9a-f]{40}|[0-9a-f]{64}) (.+)$/

const parse = ([process, quarantine, ...lines]: ReadonlyArray<string>): ProposedPush | string => {
  if (lines.length > MAX_REFS) return TOO_MANY
  const refs = lines.flatMap((line) => {
    const [, before, after, ref] = refLine.exec(line) ?? []
    return before === undefined || after === undefined || ref === undefined ? [] : [{ before, after, ref }]
  })
  if (refs.length < lines.length) return INVALID_NAME
  return { process: Number(process), quarantine: quarantine === "" ? undefined : quarantine, refs }
}

/** Sends the verdict to the hook. `lines` must not contain line feeds. */
export const answer = (channel: Duplex, { isAccepted, lines }: Verdict): Effect.Effect<void> =>
  Effect.sync(() => {
    channel.write([...lines.map((line) => `:${line}`), isAccepted ? "accept" : "refuse", ""].join("\n"))
  })
