/** Releases: versions of a repository, each of a tag, with notes and assets. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { notFound, validationFailed } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import { textTypes } from "../IssueAccess.ts"
import * as Operation from "../Operation.ts"
import { Paged } from "../Paged.ts"
import { pageQuery, releasePath, repositoryPath } from "../Parameters.ts"
import * as Presentation from "../Presentation.ts"
import { Timestamp } from "../Scalars.ts"
import { commentBody } from "./CommitComments.ts"
import { ReactionRollup } from "./Issue.ts"
import { ReleaseAsset } from "./ReleaseAssets.ts"
import { UserSummary } from "./User.ts"

/** A release. Its id is unique in the forge. Only one published release of a repository has a tag. */
export const Release = Schema.Struct({
  url: Schema.String,
  assets_url: Schema.String,
  upload_url: Schema.String,
  html_url: Schema.String,
  id: Schema.Int,
  /** Null if the account was deleted. */
  author: Schema.NullOr(UserSummary),
  node_id: Schema.String,
  tag_name: Schema.String,
  /** The branch or commit from which publishing creates the tag. */
  target_commitish: Schema.String,
  name: Schema.NullOr(Schema.String),
  draft: Schema.Boolean,
  immutable: Schema.optionalKey(Schema.Boolean),
  prerelease: Schema.Boolean,
  /** Time of the commit of the tag. */
  created_at: Timestamp,
  updated_at: Schema.optionalKey(Schema.NullOr(Timestamp)),
  /** Null for a draft. */
  published_at: Schema.NullOr(Timestamp),
  assets: Schema.Array(ReleaseAsset),
  tarball_url: Schema.NullOr(Schema.String),
  zipball_url: Schema.NullOr(Schema.String),
  ...commentBody,
  body: Schema.optionalKey(Schema.NullOr(Schema.String)),
  mentions_count: Schema.optionalKey(Schema.Int),
  discussion_url: Schema.optionalKey(Schema.String),
  reactions: Schema.optionalKey(ReactionRollup)
}).annotate({
  identifier: "Release",
  ...Presentation.of({
    columns: {
      ID: "id",
      TAG: "tag_name",
      NAME: "name",
      DRAFT: "draft",
      PRERELEASE: "prerelease",
      PUBLISHED: "published_at"
    },
    title: "tag_name",
    arguments: { release_id: "id", tag: "tag_name", username: "author.login" }
  })
})
export type Release = typeof Release.Type

/** Generated title and notes of a release. */
export const ReleaseNotes = Schema.Struct({ name: Schema.String, body: Schema.String }).annotate({
  identifier: "ReleaseNotes",
  ...Presentation.of({ columns: { NAME: "name", BODY: "body" }, title: "name" })
})
export type ReleaseNotes = typeof ReleaseNotes.Type

const text = (description: string) => Schema.optionalKey(Schema.String.annotate({ description }))
const flag = (description: string) => Schema.optionalKey(Schema.Boolean.annotate({ description }))

const members = {
  target_commitish: text("Branch or commit from which a missing tag is created; the default branch by default."),
  name: text("Title."),
  body: text("Notes in Markdown."),
  draft: flag("A draft is visible only with write access, and publishing creates its tag."),
  prerelease: flag("A prerelease is not ready for production."),
  discussion_category_name: text("Category of a discussion to create. This forge has none."),
  make_latest: Schema.optionalKey(
    Schema.Literals(["true", "false", "legacy"]).annotate({
      description:
        "Makes the release the latest one: true, by default when published; legacy decides by date and version."
    })
  )
}

/** The members of a new release. */
export const NewRelease = Schema.Struct({
  tag_name: Schema.String.annotate({ description: "Name of the tag." }),
  ...members,
  generate_release_notes: flag("Generates the title, if not given, and appends generated notes.")
}).annotate({ identifier: "NewRelease" })
export type NewRelease = typeof NewRelease.Type

/** The members of a release to change. */
export const ReleaseUpdate = Schema.Struct({ tag_name: text("Name of the tag."), ...members }).annotate({
  identifier: "ReleaseUpdate"
})
export type ReleaseUpdate = typeof ReleaseUpdate.Type

const reads = { ...Operation.readsContents, mediaTypes: textTypes } as const // literal types
const writes = { ...Operation.writesContents, mediaTypes: textTypes } as const // literal types

/** Endpoints of releases. */
export class Releases extends Group.make("releases", () => [
  HttpApiEndpoint.get("list", "/repos/:owner/:repo/releases", {
    params: repositoryPath,
    query: pageQuery,
    success: Paged(Schema.Array(Release)),
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/list-releases",
      summary: "List releases",
      words: "versions, changelog",
      description: "Drafts are listed only with write access.",
      ...reads,
      paging: "page"
    })
  ),
  HttpApiEndpoint.post("create", "/repos/:owner/:repo/releases", {
    params: repositoryPath,
    payload: NewRelease,
    success: Release.pipe(HttpApiSchema.status(201)),
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/create-release",
      summary: "Create a release",
      words: "publish version",
      description: "Creates the tag, unless the release is a draft or the tag exists.",
      ...writes
    })
  ),
  HttpApiEndpoint.post("generateNotes", "/repos/:owner/:repo/releases/generate-notes", {
    params: repositoryPath,
    payload: Schema.Struct({
      tag_name: Schema.String.annotate({ description: "Tag of the release. It may not exist yet." }),
      target_commitish: text("Branch or commit of a missing tag; the default branch by default."),
      previous_tag_name: text("Tag after which the changes begin; the previous release by default."),
      configuration_file_path: text("Configuration file; `.github/release.yml` or `.github/release.yaml` by default.")
    }),
    success: ReleaseNotes,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/generate-release-notes",
      summary: "Generate notes for a release",
      words: "changelog, what's changed",
      description: "Lists the pull requests merged since the previous tag. Nothing is stored.",
      ...Operation.writesContents,
      effect: "read"
    })
  ),
  HttpApiEndpoint.get("getLatest", "/repos/:owner/:repo/releases/latest", {
    params: repositoryPath,
    success: Release,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/get-latest-release",
      summary: "Get the latest release",
      words: "newest version",
      description: "Never a draft or a prerelease.",
      ...reads
    })
  ),
  HttpApiEndpoint.get("getByTag", "/repos/:owner/:repo/releases/tags/:tag", {
    params: { ...repositoryPath, tag: Schema.String.annotate({ description: "Name of the tag." }) },
    success: Release,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/get-release-by-tag",
      summary: "Get a release by its tag",
      description: "Never a draft.",
      ...reads,
      rest: true
    })
  ),
  HttpApiEndpoint.get("get", "/repos/:owner/:repo/releases/:release_id", {
    params: releasePath,
    success: Release,
    error: notFound
  }).annotateMerge(Operation.annotations({ operationId: "repos/get-release", summary: "Get a release", ...reads })),
  HttpApiEndpoint.patch("update", "/repos/:owner/:repo/releases/:release_id", {
    params: releasePath,
    payload: ReleaseUpdate,
    success: Release,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/update-release",
      summary: "Update a release",
      words: "edit notes, publish draft",
      ...writes,
      // A published release has sent its webhooks, and may be immutable.
      reversible: { except: { draft: false, make_latest: "any", discussion_category_name: "any" } }
    })
  ),
  HttpApiEndpoint.delete("delete", "/repos/:owner/:repo/releases/:release_id", {
    params: releasePath,
    success: HttpApiSchema.NoContent,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/delete-release",
      summary: "Delete a release",
      description: "The tag stays.",
      ...Operation.writesContents
    })
  )
]) {}
