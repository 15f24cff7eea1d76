/** Uploads and removes artifacts, for fixtures and `tongs`. The API has no upload. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import { timestamp } from "../../base/Time.ts"
import { retentionDays } from "../actions/WorkflowPolicyHandlers.ts"
import { type ArtifactRow, ArtifactRows } from "./ArtifactRows.ts"
import * as Transaction from "../../storage/Transaction.ts"
import type { Removal } from "../../repositories/Removals.ts"
import type { RepositoryRow } from "../../repositories/RepositoryRows.ts"
import { SettingRows } from "../../accounts/SettingRows.ts"
import { type ArchiveFailed, Archives } from "./Archives.ts"

/** Workflow run that uploads an artifact. */
export interface Run {
  readonly id: number
  /** Repository of the head commit, by default the artifact's repository. */
  readonly headRepositoryId?: number | undefined
  readonly headBranch: string
  readonly headSha: string
}

/** A file to upload as an artifact. */
export interface Upload {
  readonly repository: RepositoryRow
  readonly name: string
  /** Path of a zip file, which is stored unchanged, or of a file or folder, which is zipped. */
  readonly file: string
  /** Replaces an artifact with the same name and run. Undefined for an artifact without a run. */
  readonly run?: Run | undefined
  /** Epoch milliseconds, by default now. */
  readonly createdAt?: number | undefined
  /** Epoch milliseconds, by default after the retention time of the organization. */
  readonly expiresAt?: number | undefined
}

/** An invalid name for an artifact. */
export class UnusableName extends Schema.TaggedError<UnusableName>()("UnusableName", { name: Schema.String }) {
  override get message() {
    const name = JSON.stringify(this.name.slice(0, MAX_NAME))
    return `invalid artifact name ${name}. Use 1 to ${MAX_NAME} characters without " < > | * ? : \\ /`
  }
}

/** Characters that file names cannot contain on some platform, or an empty name. */
const unusable = /["<>|*?:\\/\p{Cc}]|^$/u
const MAX_NAME = 255

const DAY = 86_400_000

/** Uploads and removes artifacts, and removes expired archives every hour. */
export class Uploads extends Context.Service<
  Uploads,
  {
    upload(upload: Upload): Effect.Effect<ArtifactRow, ArchiveFailed | UnusableName>
    /** Removes an artifact, and the archive unless another artifact uses the archive. */
    remove(artifact: ArtifactRow): Effect.Effect<void>
    /** The archives of a repository's artifacts, to remove with the repository. */
    archivesOf(repositoryId: number): Effect.Effect<ReadonlyArray<Removal>>
  }
>()("@tongs/service/features/artifacts/Uploads") {
  static readonly layer = Layer.effect(
    Uploads,
    Effect.gen(function* () {
      const rows = yield* ArtifactRows
      const archives = yield* Archives
      const settings = yield* SettingRows
      const transaction = yield* Transaction.make

      /** At most one artifact of the same run and name. */
      const others = (repository: RepositoryRow, run: Run | undefined, name: string) =>
        rows.list(repository.id, { run: run?.id ?? null, name, descending: true }, { page: 1, perPage: 1, offset: 0 })

      const remove = ({ digest, id }: ArtifactRow) =>
        transaction(
          Effect.gen(function* () {
            yield* rows.remove(id)
            if (!(yield* rows.isReferenced(digest))) yield* archives.remove(digest)
          })
        )

      const upload = Effect.fn("Uploads.upload")(function* ({ name, repository, run, ...upload }: Upload) {
        if (name.length > MAX_NAME || unusable.test(name)) return yield* new UnusableName({ name })
        const archive = yield* archives.make(upload.file)
        const now = upload.createdAt ?? (yield* Clock.currentTimeMillis)
        const days = yield* retentionDays(settings, repository.owner.id)
        const created_at = timestamp(now)
        // One transaction for archive and row, so that a concurrent removal cannot delete the same archive.
        return yield* transaction(
          Effect.gen(function* () {
            yield* Effect.forEach(yield* others(repository, run, name), remove)
            yield* archive.keep
            return yield* rows.add({
              repository_id: repository.id,
              name,
              digest: archive.digest,
              size_in_bytes: archive.size,
              run_id: run?.id ?? null,
              head_repository_id: run === undefined ? null : (run.headRepositoryId ?? repository.id),
              head_branch: run?.headBranch ?? null,
              head_sha: run?.headSha ?? null,
              created_at,
              updated_at: created_at,
              expires_at: timestamp(upload.expiresAt ?? now + days * DAY)
            })
          })
        )
      }, Effect.scoped)

      /**
       * Removes archives of expired artifacts. Rows remain, so the API still lists the artifacts. Each archive is tested
       * again in a transaction, because an upload of any process may have stored it since.
       */
      const sweep = Effect.gen(function* () {
        const at = timestamp(yield* Clock.currentTimeMillis)
        // Artifacts keep their rows for years, but most of their archives were removed by earlier sweeps.
        const present = yield* archives.digests
        const found = (yield* rows.unreferencedDigests(at)).filter((digest) => present.has(digest))
        const remove = (digest: string) =>
          Effect.flatMap(rows.isUnexpired(digest, at), (isUnexpired) =>
            isUnexpired ? Effect.void : archives.remove(digest)
          )
        yield* Effect.forEach(found, (digest) => transaction(remove(digest)), { discard: true })
      }).pipe(Effect.catchCause((cause) => Effect.logWarning("archives of expired artifacts were kept", cause)))
      yield* Effect.forkScoped(Effect.repeat(sweep, Schedule.spaced("1 hour")))

      const archivesOf = (repositoryId: number) =>
        Effect.map(rows.digests(repositoryId), (digests) =>
          digests.map((digest) => ({ path: archives.path(digest), digest }))
        )

      return Uploads.of({ upload, remove, archivesOf })
    })
  )
}
