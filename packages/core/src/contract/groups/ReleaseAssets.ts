/** Assets of releases: files, stored as they were uploaded. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { notFound, validationFailed } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"
import { Paged } from "../Paged.ts"
import { pageQuery, releasePath, repositoryPath } from "../Parameters.ts"
import * as Presentation from "../Presentation.ts"
import { Bytes, openEnum, Timestamp } from "../Scalars.ts"
import { UserSummary } from "./User.ts"

/** An asset of a release. Its id is unique in the forge, its name in the release. */
export const ReleaseAsset = Schema.Struct({
  url: Schema.String,
  id: Schema.Int,
  node_id: Schema.String,
  name: Schema.String,
  label: Schema.NullOr(Schema.String),
  /** Null if the account was deleted. */
  uploader: Schema.NullOr(UserSummary),
  content_type: Schema.String,
  state: openEnum(["uploaded", "open"]),
  size: Bytes,
  /** `sha256:<hex digest>` of the file. Absent on older forges. */
  digest: Schema.optionalKey(Schema.NullOr(Schema.String)),
  download_count: Schema.Int,
  created_at: Timestamp,
  updated_at: Timestamp,
  browser_download_url: Schema.String
}).annotate({
  identifier: "ReleaseAsset",
  ...Presentation.of({
    columns: { ID: "id", NAME: "name", SIZE: "size", DOWNLOADS: "download_count", CREATED: "created_at" },
    title: "name",
    arguments: { asset_id: "id", username: "uploader.login" }
  })
})
export type ReleaseAsset = typeof ReleaseAsset.Type

const assetPath = { ...repositoryPath, asset_id: Schema.Int.annotate({ description: "Id of the asset." }) }

const label = Schema.String.annotate({ description: "Short description, shown instead of the name." })

/** Endpoints of assets of releases. */
export class ReleaseAssets extends Group.make("releaseAssets", () => [
  HttpApiEndpoint.get("list", "/repos/:owner/:repo/releases/:release_id/assets", {
    params: releasePath,
    query: pageQuery,
    success: Paged(Schema.Array(ReleaseAsset)),
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/list-release-assets",
      summary: "List assets of a release",
      words: "binaries, attachments",
      ...Operation.readsContents,
      paging: "page"
    })
  ),
  HttpApiEndpoint.post("upload", "/repos/:owner/:repo/releases/:release_id/assets", {
    params: releasePath,
    query: {
      name: Schema.String.annotate({ description: "File name of the asset, unique in the release." }),
      label: Schema.optionalKey(label)
    },
    payload: Schema.Struct({
      data: Schema.String.annotate({ description: "Content of the file.", ...Presentation.base64 })
    }),
    success: ReleaseAsset.pipe(HttpApiSchema.status(201)),
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/upload-release-asset",
      summary: "Upload an asset of a release",
      words: "attach file, publish binary",
      description: "The body of the request is the file, with its media type in `Content-Type`.",
      bytesBody: "data",
      ...Operation.writesContents
    })
  ),
  HttpApiEndpoint.get("get", "/repos/:owner/:repo/releases/assets/:asset_id", {
    params: assetPath,
    success: ReleaseAsset,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/get-release-asset",
      summary: "Get an asset of a release",
      description:
        "With the media type `application/octet-stream`, redirects to the file. The URL expires after one minute and needs no token.",
      hasFile: true,
      ...Operation.readsContents
    })
  ),
  HttpApiEndpoint.patch("update", "/repos/:owner/:repo/releases/assets/:asset_id", {
    params: assetPath,
    payload: Schema.Struct({
      name: Schema.optionalKey(Schema.String.annotate({ description: "The new file name, unique in the release." })),
      label: Schema.optionalKey(label),
      state: Schema.optionalKey(Schema.String.annotate({ description: "Has no effect: an asset is `uploaded`." }))
    }),
    success: ReleaseAsset,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/update-release-asset",
      summary: "Update an asset of a release",
      words: "rename asset",
      ...Operation.writesContents
    })
  ),
  HttpApiEndpoint.delete("delete", "/repos/:owner/:repo/releases/assets/:asset_id", {
    params: assetPath,
    success: HttpApiSchema.NoContent,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/delete-release-asset",
      summary: "Delete an asset of a release",
      ...Operation.writesContents
    })
  )
]) {}
