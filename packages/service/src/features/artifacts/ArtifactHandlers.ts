import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { type Artifact, Artifacts } from "@tongs/core/contract/groups/Artifacts"
import { ArtifactDownloads } from "./ArtifactDownloads.ts"
import { Uploads } from "./Uploads.ts"
import { nodeId } from "../../api/NodeId.ts"
import type { RepositoryContext } from "../../api/RequestContext.ts"
import { group, redirect } from "../../api/Handlers.ts"
import * as ApiError from "../../api/ApiError.ts"
import { parseTimestamp } from "../../base/Time.ts"
import { type ArtifactRow, ArtifactRows as Rows, type ArtifactFilter } from "./ArtifactRows.ts"
import * as Shapes from "../../api/Shapes.ts"

const hasExpired = ({ expires_at }: ArtifactRow, now: number) => Date.parse(expires_at) <= now

export const make = Effect.gen(function* () {
  const rows = yield* Rows
  const uploads = yield* Uploads
  const downloads = yield* ArtifactDownloads

  const shape = (row: ArtifactRow, now: number, { repository, urls }: RepositoryContext): Artifact => {
    const url = `${Shapes.repositoryUrl(repository, urls)}/actions/artifacts/${row.id}`
    const { head_branch, head_repository_id, head_sha, repository_id, run_id } = row
    return {
      id: row.id,
      node_id: nodeId("Artifact", row.id),
      name: row.name,
      size_in_bytes: row.size_in_bytes,
      url,
      archive_download_url: `${url}/zip`,
      expired: hasExpired(row, now),
      created_at: parseTimestamp(row.created_at),
      expires_at: parseTimestamp(row.expires_at),
      updated_at: parseTimestamp(row.updated_at),
      digest: `sha256:${row.digest}`,
      workflow_run:
        run_id === null
          ? null
          : {
              id: run_id,
              repository_id,
              ...(head_repository_id === null ? {} : { head_repository_id }),
              ...(head_branch === null ? {} : { head_branch }),
              ...(head_sha === null ? {} : { head_sha })
            }
    }
  }

  const find = Effect.fnUntraced(function* (id: number, { repository }: RepositoryContext) {
    return (yield* rows.find(repository.row.id, id)) ?? (yield* ApiError.notFound())
  })

  const list = Effect.fnUntraced(function* (selection: ArtifactFilter, context: RepositoryContext) {
    const { id } = context.repository.row
    const now = yield* Clock.currentTimeMillis
    const found = yield* rows.list(id, selection, context.page)
    const total_count = yield* rows.count(id, selection)
    return {
      items: found.map((row) => shape(row, now, context)),
      total: total_count,
      wrap: (artifacts: ReadonlyArray<Artifact>) => ({ total_count, artifacts })
    }
  })

  return group(Artifacts)({
    *listForRepo({ name }, context) {
      return yield* list({ name, descending: true }, context)
    },
    *listForWorkflowRun({ direction, name, run_id }, context) {
      return yield* list({ name, run: run_id, descending: direction !== "asc" }, context)
    },
    *get({ artifact_id }, context) {
      return shape(yield* find(artifact_id, context), yield* Clock.currentTimeMillis, context)
    },
    *delete({ artifact_id }, context) {
      yield* uploads.remove(yield* find(artifact_id, context))
    },
    *download({ archive_format, artifact_id }, context) {
      const row = yield* find(artifact_id, context)
      if (archive_format !== "zip") {
        return yield* ApiError.invalid("archive_format must be zip", [
          { resource: "Artifact", field: "archive_format", code: "invalid" }
        ])
      }
      if (hasExpired(row, yield* Clock.currentTimeMillis)) return yield* ApiError.gone("Artifact has expired")
      return redirect(yield* downloads.link(row, context.urls))
    }
  })
})
