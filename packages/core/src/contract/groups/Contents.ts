/** Files and folders of a repository. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as Exposure from "../Exposure.ts"
import { conflict, notFound, validationFailed } from "../FailureCodec.ts"
import { GitCommit, NewSignature } from "./GitCommits.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"
import { refQuery, repositoryPath } from "../Parameters.ts"
import * as Presentation from "../Presentation.ts"
import { License } from "./Repository.ts"
import { Bytes, ExternalUrl, openEnum, Sha } from "../Scalars.ts"

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
      tree_sha: { path: "sha", when: { type: "dir" } },
      dir: { path: "path", when: { type: "dir" } },
      "contents.sha": { path: "sha", when: { type: "file" } }
    }
  })
})
export type ContentEntry = typeof ContentEntry.Type

/** The license file of a repository with its content, and the recognized license. */
export const LicenseContent = Schema.Struct({ ...ContentEntry.fields, license: Schema.NullOr(License) }).annotate({
  identifier: "LicenseContent",
  ...Presentation.of({
    columns: { PATH: "path", LICENSE: "license.spdx_id", NAME: "license.name" },
    arguments: { path: "path", file_sha: "sha" }
  })
})
export type LicenseContent = typeof LicenseContent.Type

/** The commit of a change to a file, and the file after the change; null if the file was deleted. */
export const FileCommit = Schema.Struct({ content: Schema.NullOr(ContentEntry), commit: GitCommit }).annotate({
  identifier: "FileCommit",
  ...Presentation.of({
    columns: { COMMIT: "commit.sha", PATH: "content.path", SUBJECT: "commit.message" },
    title: "commit.message",
    arguments: { ref: "commit.sha", commit_sha: "commit.sha", path: "content.path", "commits.sha": "commit.sha" }
  })
})
export type FileCommit = typeof FileCommit.Type

const path = Schema.String.annotate({ description: "Path of the file." })

const message = Schema.String.annotate({ description: "Commit message." })

/** Branch, author and committer of the commit that changes a file. */
const commit = {
  branch: Schema.optionalKey(Schema.String.annotate({ description: "The default branch by default." })),
  committer: Schema.optionalKey(
    NewSignature.annotate({ description: "The signed-in user at the current time by default." })
  ),
  author: Schema.optionalKey(NewSignature.annotate({ description: "The committer by default." }))
}

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
      operationId: "repos/get-content",
      summary: "Get a file, or list a folder",
      tool: "file_contents",
      ...Operation.readsContents,
      rest: "optional",
      mediaTypes: ["raw", "html"]
    })
  ),
  HttpApiEndpoint.put("createOrUpdate", "/repos/:owner/:repo/contents/:path", {
    params: { ...repositoryPath, path },
    payload: Schema.Struct({
      message,
      content: Schema.String.annotate({ description: "Content of the file, in Base64.", ...Presentation.base64 }),
      sha: Schema.optionalKey(
        Schema.String.annotate({ description: "Blob id of the file to replace; required if the file exists." })
      ),
      ...commit
    }),
    success: [FileCommit.pipe(HttpApiSchema.status(201)), FileCommit.pipe(HttpApiSchema.status(200))],
    error: [notFound, conflict, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/create-or-update-file-contents",
      summary: "Create or update a file",
      words: "new file, add file, write file",
      description: "Commits the file to a branch. The first commit of an empty repository creates its default branch.",
      ...Operation.writesFiles,
      exposure: Exposure.workflowFiles,
      effect: "create",
      rest: true
    })
  ),
  HttpApiEndpoint.delete("delete", "/repos/:owner/:repo/contents/:path", {
    params: { ...repositoryPath, path },
    payload: Schema.Struct({
      message,
      sha: Schema.String.annotate({ description: "Blob id of the file to delete." }),
      ...commit
    }),
    success: FileCommit,
    error: [notFound, conflict, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/delete-file",
      summary: "Delete a file",
      words: "remove file, rm",
      description: "Commits the deletion to a branch.",
      ...Operation.writesFiles,
      rest: true
    })
  ),
  HttpApiEndpoint.get("getReadme", "/repos/:owner/:repo/readme", {
    params: repositoryPath,
    query: refQuery,
    success: ContentEntry,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/get-readme",
      summary: "Get the README of a repository",
      description: "The README in .github, in the root, or in docs, in this order.",
      command: "readme",
      ...Operation.readsContents,
      mediaTypes: ["raw", "html"]
    })
  ),
  HttpApiEndpoint.get("getReadmeInDirectory", "/repos/:owner/:repo/readme/:dir", {
    params: { ...repositoryPath, dir: Schema.String.annotate({ description: "Path of the folder." }) },
    query: refQuery,
    success: ContentEntry,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/get-readme-in-directory",
      summary: "Get the README of a folder",
      command: "readme-in-directory",
      ...Operation.readsContents,
      rest: true,
      mediaTypes: ["raw", "html"]
    })
  ),
  HttpApiEndpoint.get("getLicense", "/repos/:owner/:repo/license", {
    params: repositoryPath,
    query: refQuery,
    success: LicenseContent,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "licenses/get-for-repo",
      summary: "Get the license of a repository",
      words: "licence",
      description: "The license file in the root, and the license that its text is.",
      command: "license",
      ...Operation.readsContents,
      permission: [[Operation.metadataRead]],
      mediaTypes: ["raw", "html"]
    })
  )
]) {}
