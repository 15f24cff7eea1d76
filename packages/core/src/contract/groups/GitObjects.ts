/** Trees, blobs and annotated tags. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as Exposure from "../Exposure.ts"
import { conflict, notFound, validationFailed } from "../FailureCodec.ts"
import { NewSignature, Signature, Verification } from "./GitCommits.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"
import { repositoryPath } from "../Parameters.ts"
import * as Presentation from "../Presentation.ts"
import { Bytes, openEnum, Sha } from "../Scalars.ts"

/** An entry of a tree. */
export const GitTreeEntry = Schema.Struct({
  path: Schema.String,
  /** Six octal digits: `100644`, `100755`, `040000`, `120000` or `160000`. */
  mode: Schema.String,
  type: openEnum(["blob", "tree", "commit"]),
  sha: Sha,
  /** Size in bytes. Blobs only. */
  size: Schema.optionalKey(Bytes),
  /** API URL of the object. Absent for submodules, because the commit of a submodule is in another repository. */
  url: Schema.optionalKey(Schema.String)
}).annotate({
  identifier: "GitTreeEntry",
  ...Presentation.of({
    columns: { PATH: "path", TYPE: "type", SIZE: "size", SHA: "sha", MODE: "mode" },
    arguments: {
      tree_sha: { path: "sha", when: { type: "tree" } },
      file_sha: { path: "sha", when: { type: "blob" } }
    },
    opens: ["gitTrees.get", "gitBlobs.get"]
  })
})
export type GitTreeEntry = typeof GitTreeEntry.Type

/** A change to a tree: sets or removes the entry at a path. */
export const NewGitTreeEntry = Schema.Struct({
  path: Schema.String.annotate({ description: "Path of the entry; may contain folders." }),
  /** `100644` file, `100755` executable file, `040000` folder, `160000` submodule, `120000` symbolic link. */
  mode: Schema.Literals(["100644", "100755", "040000", "160000", "120000"]),
  type: Schema.optionalKey(Schema.Literals(["blob", "tree", "commit"])),
  /** Id of an existing object, or null to remove the entry. */
  sha: Schema.optionalKey(Schema.NullOr(Schema.String)),
  /** Text of a new file, instead of `sha`. */
  content: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "NewGitTreeEntry" })
export type NewGitTreeEntry = typeof NewGitTreeEntry.Type

/** A tree with its entries, and if requested, with the entries of all subtrees. */
export const GitTree = Schema.Struct({
  sha: Sha,
  url: Schema.optionalKey(Schema.String),
  tree: Schema.Array(GitTreeEntry),
  /** True if entries are missing because the tree is too large: read the subtrees instead. */
  truncated: Schema.Boolean
}).annotate({ identifier: "GitTree" })
export type GitTree = typeof GitTree.Type

/** A blob with its content. */
export const GitBlob = Schema.Struct({
  sha: Sha,
  node_id: Schema.String,
  url: Schema.String,
  /** Size in bytes. */
  size: Schema.NullOr(Bytes),
  encoding: openEnum(["base64", "utf-8"]),
  content: Schema.String
}).annotate({ identifier: "GitBlob" })
export type GitBlob = typeof GitBlob.Type

/** The id of a new blob. */
export const NewBlob = Schema.Struct({ sha: Sha, url: Schema.String }).annotate({
  identifier: "NewBlob",
  ...Presentation.of({ columns: { BLOB: "sha" }, arguments: { file_sha: "sha" }, opens: ["gitBlobs.get"] })
})
export type NewBlob = typeof NewBlob.Type

/** An annotated tag. */
export const GitTag = Schema.Struct({
  sha: Sha,
  node_id: Schema.String,
  url: Schema.String,
  tag: Schema.String,
  message: Schema.String,
  tagger: Signature,
  object: Schema.Struct({ type: openEnum(["commit", "tag", "tree", "blob"]), sha: Sha, url: Schema.String }),
  verification: Schema.optionalKey(Verification)
}).annotate({
  identifier: "GitTag",
  ...Presentation.of({
    columns: { SHA: "sha", TAG: "tag", SUBJECT: "message" },
    title: "tag",
    arguments: { tag_sha: "sha", ref: "tag", "gitRefs.ref": { path: "tag", template: "tags/{}" }, "gitRefs.sha": "sha" }
  })
})
export type GitTag = typeof GitTag.Type

/** Endpoints of trees. */
export class GitTrees extends Group.make("gitTrees", () => [
  HttpApiEndpoint.get("get", "/repos/:owner/:repo/git/trees/:tree_sha", {
    params: {
      ...repositoryPath,
      tree_sha: Schema.String.annotate({ description: "Id of a tree or commit, or a branch or tag." })
    },
    query: {
      recursive: Schema.optionalKey(
        Schema.String.annotate({ description: "With any value: includes the entries of subtrees." })
      )
    },
    success: GitTree,
    error: [notFound, conflict, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "git/get-tree",
      summary: "Get a tree",
      ...Operation.readsContents,
      rest: true
    })
  ),
  HttpApiEndpoint.post("create", "/repos/:owner/:repo/git/trees", {
    params: repositoryPath,
    payload: Schema.Struct({
      tree: Schema.Array(NewGitTreeEntry).annotate({
        description: "Changes: objects with path, mode, type, and either sha (null removes the entry) or content."
      }),
      base_tree: Schema.optionalKey(
        Schema.String.annotate({ description: "Id of the tree to change; an empty tree by default." })
      )
    }),
    success: GitTree.pipe(HttpApiSchema.status(201)),
    error: [notFound, conflict, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "git/create-tree",
      summary: "Create a tree",
      ...Operation.writesFiles,
      exposure: Exposure.workflowFiles
    })
  )
]) {}

/** Endpoints of blobs. */
export class GitBlobs extends Group.make("gitBlobs", () => [
  HttpApiEndpoint.get("get", "/repos/:owner/:repo/git/blobs/:file_sha", {
    params: { ...repositoryPath, file_sha: Schema.String.annotate({ description: "Full id of the blob." }) },
    success: GitBlob,
    error: [notFound, conflict, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "git/get-blob",
      summary: "Get a blob",
      ...Operation.readsContents,
      mediaTypes: ["raw"]
    })
  ),
  HttpApiEndpoint.post("create", "/repos/:owner/:repo/git/blobs", {
    params: repositoryPath,
    payload: Schema.Struct({
      content: Schema.String.annotate({ description: "Content of the blob.", ...Presentation.base64If("encoding") }),
      encoding: Schema.optionalKey(
        Schema.Literals(["utf-8", "base64"]).annotate({ description: "Encoding of the content; utf-8 by default." })
      )
    }),
    success: NewBlob.pipe(HttpApiSchema.status(201)),
    error: [notFound, conflict, validationFailed]
  }).annotateMerge(
    Operation.annotations({ operationId: "git/create-blob", summary: "Create a blob", ...Operation.writesContents })
  )
]) {}

/** Endpoints of annotated tags. */
export class GitTags extends Group.make("gitTags", () => [
  HttpApiEndpoint.get("get", "/repos/:owner/:repo/git/tags/:tag_sha", {
    params: { ...repositoryPath, tag_sha: Schema.String.annotate({ description: "Full id of the tag object." }) },
    success: GitTag,
    error: [notFound, conflict]
  }).annotateMerge(
    Operation.annotations({ operationId: "git/get-tag", summary: "Get an annotated tag", ...Operation.readsContents })
  ),
  HttpApiEndpoint.post("create", "/repos/:owner/:repo/git/tags", {
    params: repositoryPath,
    payload: Schema.Struct({
      tag: Schema.String.annotate({ description: "Name of the tag, for example v1.0.0." }),
      message: Schema.String.annotate({ description: "Message of the tag." }),
      object: Schema.String.annotate({ description: "Id of the tagged object." }),
      type: Schema.Literals(["commit", "tree", "blob"]).annotate({ description: "Type of the tagged object." }),
      tagger: Schema.optionalKey(
        NewSignature.annotate({ description: "The signed-in user at the current time by default." })
      )
    }),
    success: GitTag.pipe(HttpApiSchema.status(201)),
    error: [notFound, conflict, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "git/create-tag",
      summary: "Create an annotated tag",
      description: "Creates the tag object only. Create the reference `refs/tags/NAME` to it afterwards.",
      ...Operation.writesContents
    })
  )
]) {}
