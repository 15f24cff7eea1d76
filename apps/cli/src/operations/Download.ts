/** Runs operations with a file as result, such as `tongs artifacts download`. Writes to a file or to stdout. */
import { existsSync } from "node:fs"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Flag from "effect/cli/Flag"
import { Connection } from "@tongs/connection/Connection"
import type { ConnectionError } from "@tongs/connection/base/ConnectionError"
import * as ArtifactDownload from "@tongs/connection/download/ArtifactDownload"
import type { DownloadProgress } from "@tongs/core/client/DownloadOptions"
import { Forge } from "@tongs/core/client/Forge"
import type { CatalogEntry } from "@tongs/core/contract/Catalog"
import type { Failure } from "@tongs/core/contract/Failure"
import * as FileRedirect from "@tongs/core/contract/FileRedirect"
import * as Terminal from "@tongs/core/text/Terminal"
import { Output } from "../base/Output.ts"
import * as JsonOutput from "../json/JsonOutput.ts"
import * as InteractiveRequest from "../session/InteractiveRequest.ts"
import * as Progress from "../session/Progress.ts"
import { UsageError } from "../base/UsageError.ts"

/** Returns true if the result of the operation is a file. */
export const isFile = (entry: CatalogEntry): boolean => entry.status === FileRedirect.status

export const output = Flag.String("output").pipe(
  Flag.withAlias("o"),
  Flag.optional,
  Flag.withMetavar("FILE"),
  Flag.withDescription("File or folder for the download. An interrupted download resumes")
)

/** Adds the archive format of an artifact to the arguments, because `zip` is the only format. */
export const withFormat = (
  entry: CatalogEntry,
  fields: Readonly<Record<string, unknown>>,
  words: ReadonlyArray<string>
) =>
  isArtifact(entry) && fields.archive_format === undefined && words.at(-1) !== "zip"
    ? { ...fields, archive_format: "zip" }
    : fields

const isArtifact = ({ group }: CatalogEntry) => group === "artifacts"

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
  const options = yield* InteractiveRequest.interactive
  const { owner, repo } = input
  const artifact = isArtifact(entry)
    ? yield* forge.artifacts.get(
        { owner: String(owner), repo: String(repo), artifact_id: Number(input.artifact_id) },
        options
      )
    : undefined
  let progress: DownloadProgress = { received: 0, total: artifact?.size_in_bytes }
  const onProgress = (update: DownloadProgress) => {
    progress = update
  }
  const { baseUrl } = yield* Connection
  const source = ArtifactDownload.source({ forge, baseUrl, entry, input, artifact, onProgress })
  const { save, verifiedBytes } = yield* Effect.promise(() => import("@tongs/connection/download/DownloadFile"))
  const progressText = yield* makeProgressText(() => progress)
  if (target === undefined) return yield* Progress.show(Stream.runForEach(verifiedBytes(source), write), progressText)
  const path =
    artifact === undefined
      ? ArtifactDownload.pathOf(target, [repo, input.ref || "HEAD"].join("-"), archiveSuffixes[entry.name])
      : ArtifactDownload.pathOf(target, artifact.name)
  const saved = yield* Progress.show(save(source, path), progressText).pipe(
    Effect.onError((cause) =>
      !isInUse(cause) && existsSync(`${path}.partial`)
        ? note(`The partial download is in ${Terminal.escape(path)}.partial. Run the same command to resume.`)
        : Effect.void
    )
  )
  if (yield* JsonOutput.isWanted)
    return yield* JsonOutput.print({ path, ...saved, verified: source.digest !== undefined })
  yield* note(`${Terminal.escape(path)}: ${ArtifactDownload.summary(saved, source.digest)}`)
})

/** Suffixes of the archives of commits, by operation. */
const archiveSuffixes: Readonly<Record<string, string>> = { downloadTarball: ".tar.gz", downloadZipball: ".zip" }

/** Returns true if the download failed because another process is writing the same file. */
const isInUse = (cause: Cause.Cause<ConnectionError | Failure>) => {
  const error = Option.getOrUndefined(Cause.findErrorOption(cause))
  return error?._tag === "ConnectionError" && error.reason === "InUse"
}

/** Creates an effect that formats progress, speed and remaining time. */
const makeProgressText = Effect.fnUntraced(function* (current: () => DownloadProgress) {
  const start = yield* Clock.currentTimeMillis
  let first: number | undefined
  return Effect.map(Clock.currentTimeMillis, (now) => {
    const { received, total } = current()
    first ??= received
    return ArtifactDownload.progressText({ received, total }, first, now - start)
  })
})
