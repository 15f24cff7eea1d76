/** Downloads of artifacts and other archives to files: the request, the name of the file, and the progress as text. */
import { createHash } from "node:crypto"
import { createReadStream, statSync } from "node:fs"
import { join, resolve } from "node:path"
import { pipeline } from "node:stream/promises"
import * as Effect from "effect/Effect"
import type { DownloadProgress } from "@tongs/core/client/DownloadOptions"
import type { Forge } from "@tongs/core/client/Forge"
import type { Artifact } from "@tongs/core/contract/groups/Artifacts"
import type { CatalogEntry } from "@tongs/core/contract/CatalogEntry"
import type { Failure } from "@tongs/core/contract/Failure"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import { ConnectionError } from "../base/ConnectionError.ts"
import { messageOf } from "../base/PlatformErrors.ts"
import type { DownloadResult, DownloadSource } from "./DownloadFile.ts"

/** Returns the route of an operation (method and path), without optional path parameters that the input lacks. */
export const routeOf = ({ endpoint, fields }: CatalogEntry, input: Readonly<Record<string, unknown>>): string => {
  const open = fields.filter(
    ({ in: place, name, required }) => place === "path" && !required && input[name] === undefined
  )
  const path = open.reduce((path, { name }) => path.replace(`/:${name}`, ""), endpoint.path)
  return `${endpoint.method} ${path.replace(/:(\w+)/g, "{$1}")}`
}

/** The options of a download. */
export interface Options {
  readonly forge: Forge["Service"]
  readonly baseUrl: string
  /** The operation whose result is the file. */
  readonly entry: CatalogEntry
  readonly input: Readonly<Record<string, unknown>>
  /** Undefined for the archive of a commit, whose size and digest are not known in advance. */
  readonly artifact: Pick<Artifact, "digest" | "size_in_bytes"> | undefined
  readonly onProgress: (progress: DownloadProgress) => void
}

/** Returns an archive as a file to download with `DownloadFile`. */
export const source = ({ artifact, baseUrl, entry, forge, input, onProgress }: Options): DownloadSource<Failure> => {
  const route = routeOf(entry, input)
  return {
    request: route,
    size: artifact?.size_in_bytes,
    digest: artifact?.digest ?? undefined,
    file: JSON.stringify([baseUrl, route, input]),
    bytes: (part) => forge.download(route, input, { priority: "interactive", onProgress, ...part })
  }
}

/**
 * Returns the path of the file to write. In a folder, the file's name is `name` without path separators, and the
 * suffix.
 */
export const pathOf = (target: string, name: string, suffix = ".zip"): string => {
  const path = resolve(target)
  const isFolder = target.endsWith("/") || statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
  return isFolder ? join(path, `${name.replace(/[^\p{L}\p{N} ._-]/gu, "_").replace(/^\.+/, "_")}${suffix}`) : path
}

/** Returns the digest of a file as `sha256:<hex>`; undefined if there is no file. */
export const digestOf = (path: string): Effect.Effect<string | undefined, ConnectionError> =>
  Effect.tryPromise({
    try: async () => {
      if (statSync(path, { throwIfNoEntry: false }) === undefined) return undefined
      const hash = createHash("sha256")
      await pipeline(createReadStream(path), hash)
      return `sha256:${hash.digest("hex")}`
    },
    catch: (cause) =>
      new ConnectionError({
        reason: "StorageFailed",
        detail: `Cannot read ${path}: ${messageOf(cause)}`,
        hint: "Choose another file"
      })
  })

/** Formats the result: `3.4 MB, verified sha256:…`. `wanted` is the digest that the forge names. */
export const summary = ({ digest, resumed, size }: DownloadResult, wanted: string | undefined): string =>
  [
    NumberFormat.bytes(size),
    ...(resumed === 0 ? [] : [`${NumberFormat.bytes(resumed)} of it from before`]),
    wanted === undefined ? "the forge names no digest to verify" : `verified ${digest}`
  ].join(", ")

/** Formats the progress, speed and remaining time. `first` is the number of bytes from before, `elapsed` in milliseconds. */
export const progressText = ({ received, total }: DownloadProgress, first: number, elapsed: number): string => {
  const rate = ((received - first) / Math.max(1, elapsed)) * 1000
  const left = total === undefined || rate <= 0 ? undefined : (total - received) / rate
  return [
    total === undefined
      ? NumberFormat.bytes(received)
      : `${NumberFormat.bytes(received)} of ${NumberFormat.bytes(total)}`,
    ...(rate > 0 ? [`${NumberFormat.bytes(rate)}/s`] : []),
    ...(left === undefined ? [] : [`${NumberFormat.quantity(Math.ceil(left), "second")} left`])
  ].join(", ")
}
