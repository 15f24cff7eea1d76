import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { ReleaseAssets } from "@tongs/core/contract/groups/ReleaseAssets"
import * as ApiError from "../../api/ApiError.ts"
import { group, redirect } from "../../api/Handlers.ts"
import type { RepositoryContext, SignedInRepositoryContext } from "../../api/RequestContext.ts"
import { requireRow } from "../../storage/RowDecoder.ts"
import * as Transaction from "../../storage/Transaction.ts"
import { AssetFiles } from "../../releases/AssetFiles.ts"
import { type ReleaseAssetRow, ReleaseAssetRows } from "../../releases/ReleaseAssetRows.ts"
import { type ReleaseRow, ReleaseRows } from "../../releases/ReleaseRows.ts"
import * as ReleaseShapes from "../../releases/ReleaseShapes.ts"
import { AssetDownloads } from "./AssetDownloads.ts"
import * as DraftAccess from "./DraftAccess.ts"
import * as ReleaseTarget from "./ReleaseTarget.ts"

/** Maximum number of assets of a release, as on GitHub. */
const MAX_ASSETS = 1000

const MAX_NAME_BYTES = 250
const MAX_LABEL = 255

/** Time without a byte after which an upload ends. */
const MAX_SILENCE = "1 minute"

const invalid = (field: string, code: string, message?: string) =>
  ApiError.invalid(message === undefined ? "Validation Failed" : `Validation Failed: ${message}`, [
    { resource: "ReleaseAsset", field, code, ...(message === undefined ? {} : { message }) }
  ])

const nameExists = invalid("name", "already_exists")

/** Replaces what GitHub replaces in file names: characters other than letters, digits, `-`, `_`, `+`, `@` and `~`. */
const fileName = (text: string): string => text.replace(/[^\w.+@~-]+/g, ".").replace(/^\.+|\.+$/g, "")

const checkName = Effect.fnUntraced(function* (text: string) {
  const name = fileName(text)
  if (name === "") return yield* invalid("name", "missing_field")
  return name.length > MAX_NAME_BYTES
    ? yield* invalid("name", "custom", `name is longer than ${MAX_NAME_BYTES} characters`)
    : name
})

const checkLabel = (label: string | undefined) =>
  label !== undefined && label.length > MAX_LABEL
    ? Effect.fail(invalid("label", "custom", `label is longer than ${MAX_LABEL} characters`))
    : Effect.void

/** Media type of an upload without or with an invalid `Content-Type`. */
const DEFAULT_TYPE = "application/octet-stream"

const contentTypeOf = (header: string | undefined): string =>
  header !== undefined && header.length <= 255 && /^[\w.+-]+\/[\w.+-]+(?:\s*;[\x20-\x7e]*)?$/.test(header)
    ? header
    : DEFAULT_TYPE

/** Handlers of assets of releases. */
export const make = Effect.gen(function* () {
  const rows = yield* ReleaseAssetRows
  const releases = yield* ReleaseRows
  const files = yield* AssetFiles
  const downloads = yield* AssetDownloads
  const target = yield* ReleaseTarget.make
  const transaction = yield* Transaction.make

  const shape = (row: ReleaseAssetRow, release: ReleaseRow, { repository, urls }: RepositoryContext) =>
    ReleaseShapes.asset(row, release, repository, urls)

  /** Finds an asset with its release. */
  const find = Effect.fnUntraced(function* (id: number, context: RepositoryContext) {
    const asset = yield* rows.find(context.repository.row.id, id)
    const release = asset === undefined ? undefined : yield* releases.byId(asset.release_id)
    const isHidden = release?.draft === 1 && !DraftAccess.seesDrafts(context)
    if (asset === undefined || release === undefined || isHidden) return yield* ApiError.notFound()
    return { asset, release }
  })

  const refuseImmutable = ({ immutable }: ReleaseRow, action: string) =>
    immutable === 1 ? Effect.fail(ApiError.invalid(`Cannot ${action} an immutable release.`)) : Effect.void

  /** Checks what an upload needs before the file is received, and again before it is stored. */
  const checkUpload = Effect.fnUntraced(function* (releaseId: number, name: string, context: RepositoryContext) {
    const release = yield* target.find(releaseId, context)
    yield* refuseImmutable(release, "upload assets to")
    if ((yield* rows.byName(release.id, name)) !== undefined) return yield* nameExists
    if ((yield* rows.count(release.id)) >= MAX_ASSETS)
      return yield* invalid("release_id", "custom", `a release has at most ${MAX_ASSETS} assets`)
    return release
  })

  /** The file in the body of a request. Fails after more bytes than `size`, or if the client is silent or leaves. */
  const bytesOf = ({ body: { stream } }: SignedInRepositoryContext, size: number) => {
    let received = 0
    return (stream ?? Stream.empty).pipe(
      Stream.mapError(() => ApiError.unreadableRequest(400, "Request body is incomplete")),
      Stream.timeoutOrElse({
        duration: MAX_SILENCE,
        orElse: () => Stream.fail(ApiError.unreadableRequest(400, `Request body had no data for ${MAX_SILENCE}`))
      }),
      Stream.tap((chunk) => {
        received += chunk.length
        return received > size
          ? Effect.fail(ApiError.unreadableRequest(400, `Request body has more than ${size} bytes`))
          : Effect.void
      })
    )
  }

  return group(ReleaseAssets)({
    *list({ release_id }, context) {
      const release = yield* target.find(release_id, context)
      const { items, total } = yield* rows.list(release.id, context.page)
      return { items: items.map((row) => shape(row, release, context)), total }
    },

    *upload({ label, name: givenName, release_id }, context) {
      const { body, caller } = context
      const name = yield* checkName(givenName)
      yield* checkLabel(label)
      yield* checkUpload(release_id, name, context)
      const length = body.headers["content-length"] ?? ""
      if (!/^\d{1,15}$/.test(length)) return yield* ApiError.unreadableRequest(400, `Bad Content-Length: ${length}`)
      const size = Number(length)
      if (size > files.maxBytes)
        return yield* invalid("size", "custom", `size must be less than or equal to ${files.maxBytes}`)
      const upload = Effect.gen(function* () {
        const file = yield* files.receive(bytesOf(context, size))
        if (file.size !== size)
          return yield* ApiError.unreadableRequest(400, `Request body has ${file.size} bytes instead of ${size}`)
        const asset = {
          uploader_id: caller.user.id,
          name,
          label: label ?? null,
          content_type: contentTypeOf(body.headers["content-type"]),
          size,
          digest: file.digest
        }
        return yield* transaction(
          Effect.gen(function* () {
            const release = yield* checkUpload(release_id, name, context)
            const id = yield* rows.add({ ...asset, release_id: release.id })
            if (id === undefined) return yield* nameExists
            yield* file.keep
            return shape(yield* requireRow(rows.find(context.repository.row.id, id)), release, context)
          })
        )
      })
      return yield* Effect.scoped(upload)
    },

    *get({ asset_id }, context) {
      const { asset, release } = yield* find(asset_id, context)
      const { mediaType, repository, urls } = context
      return mediaType === "octet-stream"
        ? redirect(yield* downloads.link(repository.row.id, asset, urls))
        : shape(asset, release, context)
    },

    *update({ asset_id, label, name: givenName }, context) {
      const name = givenName === undefined ? undefined : yield* checkName(givenName)
      yield* checkLabel(label)
      return yield* transaction(
        Effect.gen(function* () {
          const { asset, release } = yield* find(asset_id, context)
          yield* refuseImmutable(release, "update assets of")
          const other = name === undefined ? undefined : yield* rows.byName(release.id, name)
          if (other !== undefined && other.id !== asset.id) return yield* nameExists
          yield* rows.update(asset.id, { name: name ?? asset.name, label: label ?? asset.label })
          return shape(yield* requireRow(rows.find(context.repository.row.id, asset.id)), release, context)
        })
      )
    },

    *delete({ asset_id }, context) {
      const removed = yield* transaction(
        Effect.gen(function* () {
          const { asset, release } = yield* find(asset_id, context)
          yield* refuseImmutable(release, "delete assets of")
          yield* rows.remove(asset.id)
          return asset
        })
      )
      yield* files.removeUnused([removed.digest])
    }
  })
})
