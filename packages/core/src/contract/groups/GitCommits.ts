/** Git commit objects. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { conflict, notFound, validationFailed } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"
import { repositoryPath } from "../Parameters.ts"
import * as Presentation from "../Presentation.ts"
import { openEnum, Sha, Timestamp } from "../Scalars.ts"

/** The author or committer of a commit, with the time. */
export const Signature = Schema.Struct({ date: Timestamp, name: Schema.String, email: Schema.String }).annotate({
  identifier: "GitSignature"
})

/** The forge's verification of a commit's signature, with the reason for the result. */
export const Verification = Schema.Struct({
  verified: Schema.Boolean,
  reason: openEnum([
    "expired_key",
    "not_signing_key",
    "gpgverify_error",
    "gpgverify_unavailable",
    "unsigned",
    "unknown_signature_type",
    "no_user",
    "unverified_email",
    "bad_email",
    "unknown_key",
    "malformed_signature",
    "invalid",
    "valid"
  ]),
  signature: Schema.NullOr(Schema.String),
  payload: Schema.NullOr(Schema.String),
  verified_at: Schema.optionalKey(Schema.NullOr(Schema.String))
}).annotate({ identifier: "Verification" })
export type Verification = typeof Verification.Type

/** A git commit object. */
export const GitCommit = Schema.Struct({
  sha: Sha,
  node_id: Schema.String,
  url: Schema.String,
  html_url: Schema.String,
  author: Signature,
  committer: Signature,
  message: Schema.String,
  tree: Schema.Struct({ url: Schema.String, sha: Sha }),
  parents: Schema.Array(Schema.Struct({ url: Schema.String, sha: Sha, html_url: Schema.String })),
  verification: Verification
}).annotate({
  identifier: "GitCommit",
  ...Presentation.of({
    columns: { SHA: "sha", SUBJECT: "message", AUTHOR: "author.name", AGE: "author.date" },
    title: "message",
    arguments: {
      ref: "sha",
      commit_sha: "sha",
      tree_sha: "tree.sha",
      "commits.sha": "sha",
      "gitRefs.sha": "sha"
    }
  })
})
export type GitCommit = typeof GitCommit.Type

/** The author, committer or tagger of a new object. */
export const NewSignature = Schema.Struct({
  name: Schema.String,
  email: Schema.String,
  date: Schema.optionalKey(Timestamp.annotate({ description: "ISO 8601; now by default." }))
})

/** The members of a new commit object. */
export const NewGitCommit = Schema.Struct({
  message: Schema.String.annotate({ description: "Commit message." }),
  tree: Schema.String.annotate({ description: "Id of the commit's tree." }),
  parents: Schema.optionalKey(
    Schema.Array(Schema.String).annotate({ description: "Ids of the parents; a root commit has none." })
  ),
  author: Schema.optionalKey(
    NewSignature.annotate({ description: "The signed-in user at the current time by default." })
  ),
  committer: Schema.optionalKey(NewSignature.annotate({ description: "The author by default." })),
  signature: Schema.optionalKey(
    Schema.String.annotate({
      description: "ASCII-armored detached PGP signature over the commit as it will be written."
    })
  )
}).annotate({ identifier: "NewGitCommit" })

/** Endpoints of commit objects. */
export class GitCommits extends Group.make("gitCommits", () => [
  HttpApiEndpoint.post("create", "/repos/:owner/:repo/git/commits", {
    params: repositoryPath,
    payload: NewGitCommit,
    success: GitCommit.pipe(HttpApiSchema.status(201)),
    error: [notFound, conflict, validationFailed]
  }).annotateMerge(
    Operation.annotations({ operationId: "git/create-commit", summary: "Create a commit", ...Operation.writesContents })
  ),
  HttpApiEndpoint.get("get", "/repos/:owner/:repo/git/commits/:commit_sha", {
    params: { ...repositoryPath, commit_sha: Schema.String.annotate({ description: "Full id of the commit." }) },
    success: GitCommit,
    error: [notFound, conflict]
  }).annotateMerge(
    Operation.annotations({ operationId: "git/get-commit", summary: "Get a commit object", ...Operation.readsContents })
  )
]) {}
