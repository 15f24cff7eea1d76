/** Git references. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { conflict, notFound, validationFailed } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"
import { repositoryPath } from "../Parameters.ts"
import * as Presentation from "../Presentation.ts"
import { openEnum, Sha } from "../Scalars.ts"

/** A reference with the referenced object. */
export const GitRef = Schema.Struct({
  /** Fully qualified name: `refs/heads/<branch>` or `refs/tags/<tag>`. */
  ref: Schema.String,
  node_id: Schema.String,
  url: Schema.String,
  object: Schema.Struct({ type: openEnum(["commit", "tag", "tree", "blob"]), sha: Sha, url: Schema.String })
}).annotate({
  identifier: "GitRef",
  ...Presentation.of({
    columns: { REF: "ref", SHA: "object.sha", TYPE: "object.type" },
    arguments: {
      ref: { path: "ref", pattern: "^refs/(.+)$" },
      tree_sha: "object.sha",
      tag_sha: { path: "object.sha", when: { "object.type": "tag" } },
      "commits.sha": "ref",
      "gitRefs.ref": { path: "ref", pattern: "^refs/(.+)$" },
      "gitRefs.sha": "object.sha"
    }
  })
})
export type GitRef = typeof GitRef.Type

const ref = Schema.String.annotate({ description: "`heads/<branch>` or `tags/<tag>`." })
const sha = Schema.String.annotate({ description: "Id of the object that the reference points to." })

/** Endpoints of references. */
export class GitRefs extends Group.make("gitRefs", () => [
  HttpApiEndpoint.get("listMatching", "/repos/:owner/:repo/git/matching-refs/:ref", {
    params: {
      ...repositoryPath,
      ref: ref.annotate({ description: "Prefix of the name, for example `heads/feat`; empty for all." })
    },
    success: Schema.Array(GitRef),
    error: [notFound, conflict]
  }).annotateMerge(
    Operation.annotations({
      operationId: "git/list-matching-refs",
      summary: "List references by prefix",
      command: "matching",
      ...Operation.readsContents,
      rest: "optional",
      alsoAt: "/repos/:owner/:repo/git/refs"
    })
  ),
  HttpApiEndpoint.get("get", "/repos/:owner/:repo/git/ref/:ref", {
    params: { ...repositoryPath, ref },
    success: GitRef,
    error: [notFound, conflict]
  }).annotateMerge(
    Operation.annotations({
      operationId: "git/get-ref",
      summary: "Get a reference",
      ...Operation.readsContents,
      rest: true,
      alsoAt: "/repos/:owner/:repo/git/refs/:ref"
    })
  ),
  HttpApiEndpoint.post("create", "/repos/:owner/:repo/git/refs", {
    params: repositoryPath,
    payload: Schema.Struct({
      ref: Schema.String.annotate({ description: "Fully qualified name, for example `refs/heads/feature`." }),
      sha
    }),
    success: GitRef.pipe(HttpApiSchema.status(201)),
    error: [notFound, conflict, validationFailed]
  }).annotateMerge(
    Operation.annotations({ operationId: "git/create-ref", summary: "Create a reference", ...Operation.writesFiles })
  ),
  HttpApiEndpoint.patch("update", "/repos/:owner/:repo/git/refs/:ref", {
    params: { ...repositoryPath, ref },
    payload: Schema.Struct({
      sha,
      force: Schema.optionalKey(
        Schema.Boolean.annotate({ description: "Allow updates that are not fast-forwards; false by default." })
      )
    }),
    success: GitRef,
    error: [notFound, conflict, validationFailed]
  }).annotateMerge(
    // A forced update leaves the previous commits without a reference. Going back is not a fast-forward.
    Operation.annotations({
      operationId: "git/update-ref",
      summary: "Update a reference",
      ...Operation.writesFiles,
      rest: true,
      reversible: { except: { force: true }, with: { force: true } }
    })
  ),
  HttpApiEndpoint.delete("delete", "/repos/:owner/:repo/git/refs/:ref", {
    params: { ...repositoryPath, ref },
    success: HttpApiSchema.NoContent,
    error: [notFound, conflict, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "git/delete-ref",
      summary: "Delete a reference",
      ...Operation.writesContents,
      rest: true,
      restorable: true
    })
  )
]) {}
