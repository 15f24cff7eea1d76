/** Files and folders of a repository (spec part 4; spec part 1 §9.1.3). */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { notFound, validationFailed } from "./Failure.ts"
import * as Group from "./Group.ts"
import * as Operation from "./Operation.ts"
import { repositoryPath } from "./Parameters.ts"
import * as Presentation from "./Presentation.ts"
import { Bytes, ExternalUrl, openEnum, Sha } from "./Scalars.ts"

const links = Schema.Struct({
  self: Schema.String,
  git: Schema.NullOr(Schema.String),
  html: Schema.NullOr(Schema.String)
})

/** A file with its content, or an entry of a folder, which has no content. */
export const ContentEntry = Schema.Struct({
  /** Before version 2026-03-10, submodules have the type `file` in the list of a folder. */
  type: openEnum(["file", "dir", "symlink", "submodule"]),
  size: Bytes,
  name: Schema.String,
  path: Schema.String,
  sha: Sha,
  url: Schema.String,
  git_url: Schema.NullOr(Schema.String),
  html_url: Schema.NullOr(Schema.String),
  download_url: Schema.NullOr(Schema.String),
  _links: links,
  /** `base64`, or `none` for a file over 1 MB: request the raw media type instead. */
  encoding: Schema.optionalKey(openEnum(["base64", "none"])),
  content: Schema.optionalKey(Schema.String),
  /** Target path of a symbolic link. */
  target: Schema.optionalKey(Schema.String),
  /** Clone URL of a submodule. */
  submodule_git_url: Schema.optionalKey(Schema.NullOr(ExternalUrl))
}).annotate({
  identifier: "ContentEntry",
  ...Presentation.of({
    columns: { PATH: "path", TYPE: "type", SIZE: "size", SHA: "sha" },
    arguments: {
      path: "path",
      file_sha: { path: "sha", when: { type: "file" } },
      tree_sha: { path: "sha", when: { type: "dir" } }
    }
  })
})
export type ContentEntry = typeof ContentEntry.Type

/** Endpoints of files and folders. */
export class Contents extends Group.make("contents", () => [
  HttpApiEndpoint.get("get", "/repos/:owner/:repo/contents/:path", {
    params: {
      ...repositoryPath,
      path: Schema.String.annotate({ description: "File or folder; empty for the root." })
    },
    query: {
      ref: Schema.optionalKey(
        Schema.String.annotate({ description: "Branch, tag or commit; the default branch by default." })
      )
    },
    success: Schema.Union([ContentEntry, Schema.Array(ContentEntry)]),
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      summary: "Get a file, or list a folder",
      tool: "file_contents",
      ...Operation.readsContents,
      rest: "optional",
      mediaTypes: ["raw", "html"]
    })
  )
]) {}
