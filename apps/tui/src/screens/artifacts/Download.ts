/** Downloads an artifact to a file: asks for the path, shows the progress, and verifies the digest. */
import { homedir } from "node:os"
import { join, resolve } from "node:path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { Connection } from "@tongs/connection/Connection"
import type { ConnectionError } from "@tongs/connection/base/ConnectionError"
import * as ArtifactDownload from "@tongs/connection/download/ArtifactDownload"
import type { DownloadResult } from "@tongs/connection/download/DownloadFile"
import type { DownloadProgress } from "@tongs/core/client/DownloadOptions"
import type { Forge } from "@tongs/core/client/Forge"
import type { Artifact } from "@tongs/core/contract/groups/Artifacts"
import { type CatalogEntry, entriesOfGroup } from "@tongs/core/contract/CatalogEntry"
import type { Failure } from "@tongs/core/contract/Failure"
import * as Form from "../../actions/Form.ts"
import type { Notice } from "../../content/Content.ts"
import type { Arguments } from "../../content/Route.ts"
import * as Source from "../../content/Source.ts"
import { type Screen, text } from "../Screen.ts"
import * as DownloadDocument from "./DownloadDocument.ts"

/** Interval of updates of the progress. */
const INTERVAL = "150 millis"

const operation = (): CatalogEntry | undefined => entriesOfGroup("artifacts").find(({ name }) => name === "download")

/**
 * The arguments of the screen as an endpoint, which the form needs: the arguments of the request, and the file to
 * write.
 */
const endpoint = HttpApiEndpoint.post("download", "/repos/:owner/:repo/actions/artifacts/:artifact_id", {
  params: { owner: Schema.String, repo: Schema.String, artifact_id: Schema.Int },
  payload: Schema.Struct({ path: Schema.String })
})

const required = ["owner", "repo", "artifact_id", "path"]

/** Creates the form that asks for the file or folder to write. By default, the current folder. */
const form = (values: Arguments): Form.Form | undefined => {
  const entry = operation()
  if (entry === undefined) return undefined
  const known = { owner: values["owner"], repo: values["repo"], artifact_id: values["artifact_id"] }
  const asked: CatalogEntry = {
    ...entry,
    endpoint: endpoint as unknown as CatalogEntry["endpoint"], // oxlint-disable-line typescript/no-unsafe-type-assertion -- the type of a contract's endpoint also has the parts of requests that this one lacks
    fields: required.map((name) => ({
      name,
      in: name === "path" ? "body" : "path",
      required: true,
      description: name === "path" ? "File or folder to save to. Never overwrites a file." : "",
      kind: name === "artifact_id" ? "integer" : "string",
      values: []
    }))
  }
  return Form.make(asked, {
    values: { ...known, path: text(values, "path") || resolve(".") },
    locked: Object.entries(known).flatMap(([name, value]) => (value === undefined ? [] : [name]))
  })
}

/** Replaces `~` at the start of a path by the home folder, as shells do. */
const expandHome = (path: string): string =>
  path === "~" || path.startsWith("~/") ? join(homedir(), path.slice(1)) : path

interface Target {
  readonly artifact: Artifact
  readonly path: string
}

/** Saves the archive, unless the file exists. Reports progress to `onProgress`. */
const save = Effect.fnUntraced(function* (
  forge: Forge["Service"],
  values: Arguments,
  { artifact, path }: Target,
  onProgress: (progress: DownloadProgress) => void
) {
  const { baseUrl } = yield* Connection
  const entry = operation()
  if (entry === undefined) return DownloadDocument.failed("The forge has no downloads.", "")
  const existing = yield* ArtifactDownload.digestOf(path)
  if (existing !== undefined) return DownloadDocument.exists(existing, artifact.digest ?? undefined)
  const input = { owner: values["owner"], repo: values["repo"], artifact_id: artifact.id, archive_format: "zip" }
  const source = ArtifactDownload.source({ forge, baseUrl, entry, input, artifact, onProgress })
  const DownloadFile = yield* Effect.promise(() => import("@tongs/connection/download/DownloadFile"))
  const saved: DownloadResult = yield* DownloadFile.save(source, path)
  return DownloadDocument.saved(saved, artifact.digest ?? undefined)
})

const failureText = (failure: ConnectionError | Failure): DownloadDocument.Phase =>
  failure._tag === "ConnectionError"
    ? DownloadDocument.failed(failure.detail, failure.hint)
    : DownloadDocument.failed(failure.message, "")

const artifactOf = (forge: Forge["Service"], values: Arguments, options: Source.LoadOptions) =>
  forge.artifacts.get(
    { owner: text(values, "owner"), repo: text(values, "repo"), artifact_id: Number(text(values, "artifact_id")) },
    options
  )

const undecided: Notice = {
  _tag: "Notice",
  id: "",
  title: "Nothing is downloaded yet",
  hint: "Open the artifact, and choose Download there"
}

/** Creates the source that downloads once. A refresh starts again only after the end. */
const open = (environment: Source.Environment, values: Arguments): Source.Source => {
  let phase: DownloadDocument.Phase = DownloadDocument.starting
  const source = Source.fromStream(environment, (forge, options) =>
    Stream.unwrap(
      Effect.gen(function* () {
        // Without a path from the user, writes no file.
        if (text(values, "path") === "") return Stream.succeed({ content: undecided, age: 0 })
        phase = DownloadDocument.starting
        const { staleFor: _staleFor, ...fresh } = options
        const artifact = yield* artifactOf(forge, values, fresh)
        const path = ArtifactDownload.pathOf(expandHome(text(values, "path")), artifact.name)
        const start = yield* Clock.currentTimeMillis
        let progress: DownloadProgress = { received: 0, total: artifact.size_in_bytes }
        let first: number | undefined
        const content = Effect.map(Clock.currentTimeMillis, (now): Source.Loaded => ({
          content: DownloadDocument.make(artifact, path, phase, progress, first ?? 0, now - start),
          age: 0
        }))
        const result = save(forge, values, { artifact, path }, (update) => {
          first ??= update.received
          progress = update
        }).pipe(
          Effect.catch((failure) => Effect.succeed(failureText(failure))),
          Effect.flatMap((ended) => {
            phase = ended
            return content
          })
        )
        return Stream.merge(Stream.fromEffectSchedule(content, Schedule.spaced(INTERVAL)), Stream.fromEffect(result), {
          haltStrategy: "right"
        })
      })
    )
  )
  return {
    ...source,
    refresh: (isQuiet = false) => {
      if (!isQuiet && phase._tag !== "Running") source.refresh()
    }
  }
}

/** The screen of `artifacts.download`. Opens after a form, because the download writes a file. */
export const screen: Screen = {
  id: "artifacts.download",
  label: "download an artifact",
  get entry() {
    return operation()
  },
  required,
  title: (values) => `download ${text(values, "artifact_id")}`,
  form,
  open
}
