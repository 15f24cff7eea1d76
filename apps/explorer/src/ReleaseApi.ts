/** The part of the explorer's API that reads releases. Times are ISO 8601. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"

const Text = Schema.NullOr(Schema.String)

/** A file of a release. */
export const Asset = Schema.Struct({
  id: Schema.Int,
  name: Schema.String,
  label: Text,
  /** In bytes. */
  size: Schema.Finite,
  /** `sha256:<hex digest>`. Null on forges that do not compute it. */
  digest: Text,
  downloads: Schema.Int
})
export type Asset = typeof Asset.Type

export const Release = Schema.Struct({
  id: Schema.Int,
  tag: Schema.String,
  /** Empty without a title. */
  name: Schema.String,
  /** The branch or commit of a tag that does not exist yet. */
  target: Schema.String,
  /** Null for a deleted account. */
  author: Text,
  isDraft: Schema.Boolean,
  isPrerelease: Schema.Boolean,
  createdAt: Schema.String,
  /** Null for a draft. */
  publishedAt: Text,
  /** The notes in Markdown, and the same as HTML of the forge, which is not safe. */
  source: Schema.String,
  html: Schema.String,
  reactions: Schema.Array(Schema.Struct({ content: Schema.String, count: Schema.Int })),
  assets: Schema.Array(Asset),
  /** The forge's own page of the release. */
  url: Schema.String,
  isLatest: Schema.Boolean
})
export type Release = typeof Release.Type

/** One page of the releases of a repository, the newest first. */
export const ReleaseList = Schema.Struct({
  releases: Schema.Array(Release),
  /** Number of the next page. */
  next: Schema.NullOr(Schema.Int)
})
export type ReleaseList = typeof ReleaseList.Type

const repository = { owner: Schema.String, repo: Schema.String }

/** Releases. */
export class Releases extends HttpApiGroup.make("releases")
  .add(
    HttpApiEndpoint.get("listReleases", "/releases", {
      query: { ...repository, page: Schema.Int },
      success: ReleaseList
    }),
    HttpApiEndpoint.get("getRelease", "/release", {
      query: {
        ...repository,
        /** The latest release by default. */
        tag: Schema.optionalKey(Schema.String)
      },
      success: Release
    }),
    HttpApiEndpoint.get("getAsset", "/asset", {
      query: { ...repository, id: Schema.Int },
      success: HttpApiSchema.StreamUint8Array()
    })
  )
  .prefix("/api") {}
