/** Fixtures of artifacts. */
import { existsSync } from "node:fs"
import { resolve } from "node:path"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Sha } from "@tongs/core/contract/Scalars"
import { type Run, Uploads } from "./Uploads.ts"
import { FixtureTimestamp } from "../../api/FixtureTimestamp.ts"
import * as FixtureSection from "../../api/FixtureSection.ts"

const WorkflowRun = Schema.Struct({
  id: Schema.Int.check(Schema.isGreaterThan(0)),
  head_repository_id: Schema.optionalKey(Schema.Int),
  head_branch: Schema.optionalKey(Schema.String),
  head_sha: Schema.optionalKey(Sha)
})

const runOf = Effect.fnUntraced(function* (repository: string, run: typeof WorkflowRun.Type) {
  const { head_branch, head_repository_id: headRepositoryId, head_sha, id } = run
  if (head_branch !== undefined && head_sha !== undefined) {
    return { id, headRepositoryId, headBranch: head_branch, headSha: head_sha } satisfies Run
  }
  const { branch, commit } = yield* FixtureSection.tip("workflow_run.head_sha", repository)
  return { id, headRepositoryId, headBranch: head_branch ?? branch, headSha: head_sha ?? commit } satisfies Run
})

const millis = (moment: string | undefined) => (moment === undefined ? undefined : Date.parse(moment))

/** Section `artifacts`. Paths in the file are relative to `folder`. */
export const sections = (folder: string) => [
  FixtureSection.make(
    "artifacts",
    Schema.Struct({
      repository: Schema.String,
      name: Schema.String,
      file: Schema.String,
      workflow_run: Schema.optionalKey(WorkflowRun),
      created_at: Schema.optionalKey(FixtureTimestamp),
      expires_at: Schema.optionalKey(FixtureTimestamp)
    }),
    // Names are unique within a workflow run.
    ({ name, repository, workflow_run }) => [
      FixtureSection.identity("name", FixtureSection.foldCase(repository), workflow_run?.id ?? "none", name)
    ],
    Effect.fnUntraced(function* ({ created_at, expires_at, file, name, repository, workflow_run }) {
      const row = yield* FixtureSection.repository("repository", repository)
      const path = resolve(folder, file)
      if (!existsSync(path)) return yield* FixtureSection.failAt("file", `no such file: ${path}`)
      const uploads = yield* Uploads
      const uploading = uploads.upload({
        repository: row,
        name,
        file: path,
        run: workflow_run === undefined ? undefined : yield* runOf(repository, workflow_run),
        createdAt: millis(created_at),
        expiresAt: millis(expires_at)
      })
      yield* Effect.mapError(
        uploading,
        ({ _tag, message }) =>
          new FixtureSection.FixtureError({ path: _tag === "UnusableName" ? "name" : "file", detail: message })
      )
    })
  )
]
