/** Runs operations with a file as result, such as `tongs artifacts download`. Writes to a file or to stdout. */
import { existsSync, statSync } from "node:fs"
import { join, resolve } from "node:path"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Flag from "effect/cli/Flag"
import { Connection } from "@tongs/connection/Connection"
import type { ConnectionError } from "@tongs/connection/base/ConnectionError"
import type * as DownloadFile from "@tongs/connection/download/DownloadFile"
import type { DownloadProgress } from "@tongs/core/client/DownloadOptions"
import { Forge } from "@tongs/core/client/Forge"
import type { CatalogEntry } from "@tongs/core/contract/Catalog"
import type { Failure } from "@tongs/core/contract/Failure"
import * as FileRedirect from "@tongs/core/contract/FileRedirect"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as Terminal from "@tongs/core/text/Terminal"
import * as Flags from "../session/Flags.ts"
import { Output, printJson } from "../base/Output.ts"
import * as Deadline from "../session/Deadline.ts"
import * as Progress from "../session/Progress.ts"
import { UsageError } from "../base/UsageError.ts"

/** Returns true if the result of the operation is a file. */
export const isFile = (entry: CatalogEntry): boolean => entry.status === FileRedirect.status

/** The flag `--output`. */
export const output = Flag.String("output").pipe(
  Flag.withAlias("o"),
  Flag.optional,
  Flag.withMetavar("FILE"),
  Flag.withDescription("File or folder for the download. An interrupted download resumes")
)

/** Adds the archive format to the arguments, because `zip` is the only format. */
export const withFormat = (fields: Readonly<Record<string, unknown>>, words: ReadonlyArray<string>) =>
  fields.archive_format === undefined && words.at(-1) !== "zip" ? { ...fields, archive_format: "zip" } : fields

/** Returns the route of an operation (method and path), without optional query parameters that the input lacks. */
export const routeOf = ({ endpoint, fields }: CatalogEntry, input: Readonly<Record<string, unknown>>): string => {
  const open = fields.filter(
    ({ in: place, name, required }) => place === "path" && !required && input[name] === undefined
  )
  const path = open.reduce((path, { name }) => path.replace(`/:${name}`, ""), endpoint.path)
  return `${endpoint.method} ${path.replace(/:(\w+)/g, "{$1}")}`
}

/** Downloads the file to `target`, or to stdout if `target` is undefined. */
export const run = Effect.fnUntraced(function* (
  entry: CatalogEntry,
  input: Readonly<Record<string, unknown>>,
  target: string | undefined
) {
  const forge = yield* Forge
  const { isTerminal, note, write } = yield* Output
  if (target === undefined && isTerminal) {
    return yield* new UsageError({
      detail: "The result is a binary file.",
      hint: "Save it with --output FILE, or pipe it to another program."
    })
  }
  const options = yield* Deadline.interactive
  const { digest, name, size_in_bytes } = yield* forge.artifacts.get(
    { owner: String(input.owner), repo: String(input.repo), artifact_id: Number(input.artifact_id) },
    options
  )
  let progress: DownloadProgress = { received: 0, total: size_in_bytes }
  const onProgress = (update: DownloadProgress) => {
    progress = update
  }
  const route = routeOf(entry, input)
  const { baseUrl } = yield* Connection
  const source: DownloadFile.DownloadSource<Failure> = {
    request: route,
    size: size_in_bytes,
    digest: digest ?? undefined,
    file: JSON.stringify([baseUrl, route, input]),
    bytes: (part) => forge.download(route, input, { priority: "interactive", onProgress, ...part })
  }
  const { save, verifiedBytes } = yield* Effect.promise(() => import("@tongs/connection/download/DownloadFile"))
  const progressText = yield* makeProgressText(() => progress)
  if (target === undefined) return yield* Progress.show(Stream.runForEach(verifiedBytes(source), write), progressText)
  const path = pathOf(target, name)
  const saved = yield* Progress.show(save(source, path), progressText).pipe(
    Effect.onError((cause) =>
      !isInUse(cause) && existsSync(`${path}.partial`)
        ? note(`The partial download is in ${Terminal.escape(path)}.partial. Run the same command to resume.`)
        : Effect.void
    )
  )
  if (yield* Flags.Json) return yield* printJson({ path, ...saved, verified: source.digest !== undefined })
  yield* note(`${Terminal.escape(path)}: ${summary(saved, source.digest)}`)
})

/** Returns true if the download failed because another process is writing the same file. */
const isInUse = (cause: Cause.Cause<ConnectionError | Failure>) => {
  const error = Option.getOrUndefined(Cause.findErrorOption(cause))
  return error?._tag === "ConnectionError" && error.reason === "InUse"
}

/** Returns the path of the file to write. In a folder, its name is the artifact's name without path separators. */
const pathOf = (target: string, name: string) => {
  const path = resolve(target)
  const isFolder = target.endsWith("/") || statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
  return isFolder ? join(path, `${name.replace(/[^\p{L}\p{N} ._-]/gu, "_").replace(/^\.+/, "_")}.zip`) : path
}

const summary = ({ digest, resumed, size }: DownloadFile.DownloadResult, wanted: string | undefined) =>
  [
    NumberFormat.bytes(size),
    ...(resumed === 0 ? [] : [`${NumberFormat.bytes(resumed)} of it from before`]),
    wanted === undefined ? "the forge names no digest to verify" : `verified ${digest}`
  ].join(", ")

/** Creates an effect that formats progress, speed and remaining time. */
const makeProgressText = Effect.fnUntraced(function* (current: () => DownloadProgress) {
  const start = yield* Clock.currentTimeMillis
  let first: number | undefined
  return Effect.map(Clock.currentTimeMillis, (now) => {
    const { received, total } = current()
    first ??= received
    const rate = ((received - first) / Math.max(1, now - start)) * 1000
    const left = total === undefined || rate <= 0 ? undefined : (total - received) / rate
    return [
      total === undefined
        ? NumberFormat.bytes(received)
        : `${NumberFormat.bytes(received)} of ${NumberFormat.bytes(total)}`,
      ...(rate > 0 ? [`${NumberFormat.bytes(rate)}/s`] : []),
      ...(left === undefined ? [] : [`${NumberFormat.quantity(Math.ceil(left), "second")} left`])
    ].join(", ")
  })
})
