/** Artifacts come and go: a row and an archive. Nobody uploads over the API (spec part 2 §4.4); fixtures and `tongs` do. */
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
import type { RepositoryRow } from "../../repositories/RepositoryRows.ts"
import { SettingRows } from "../../accounts/SettingRows.ts"
import { type ArchiveFailed, Archives } from "./Archives.ts"

/** The run of a workflow that leaves an artifact behind. */
export interface Run {
  readonly id: number
  /** The repository that an artifact belongs to, unless another is named. */
  readonly headRepositoryId?: number | undefined
  readonly headBranch: string
  readonly headSha: string
}

export interface Upload {
  readonly repository: RepositoryRow
  readonly name: string
  /** A zip file, which is kept as it is; or a file or a folder, which is zipped. */
  readonly file: string
  /** Another artifact of this run, or of none, and of this name is replaced. */
  readonly run?: Run | undefined
  /** Epoch milliseconds; now by default. */
  readonly createdAt?: number | undefined
  /** Epoch milliseconds; by default so many days after the creation as the organization keeps artifacts. */
  readonly expiresAt?: number | undefined
}

/** An artifact cannot be called so. */
export class UnusableName extends Schema.TaggedError<UnusableName>()("UnusableName", { name: Schema.String }) {
  override get message() {
    const name = JSON.stringify(this.name.slice(0, maxName))
    return `an artifact cannot be called ${name}: a name has 1 to ${maxName} characters, and none of " < > | * ? : \\ /`
  }
}

/** What a name may not have: it becomes a file's name on every platform. */
const unusable = /["<>|*?:\\/\p{Cc}]|^$/u
const maxName = 255

const day = 86_400_000

export class Uploads extends Context.Service<
  Uploads,
  {
    /** Keeps a file as an artifact. */
    upload(upload: Upload): Effect.Effect<ArtifactRow, ArchiveFailed | UnusableName>
    /** Removes an artifact, and its archive unless another has the same. */
    remove(artifact: ArtifactRow): Effect.Effect<void>
  }
>()("@tongs/service/features/artifacts/Uploads") {
  static readonly layer = Layer.effect(
    Uploads,
    Effect.gen(function* () {
      const rows = yield* ArtifactRows
      const archives = yield* Archives
      const settings = yield* SettingRows
      const transaction = yield* Transaction.make

      /** Those of the same run and name: one at most. */
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
        if (name.length > maxName || unusable.test(name)) return yield* new UnusableName({ name })
        const archive = yield* archives.make(upload.file)
        const now = upload.createdAt ?? (yield* Clock.currentTimeMillis)
        const days = yield* retentionDays(settings, repository.owner.id)
        const created_at = timestamp(now)
        // Its archive comes with its row: a removal of the same archive cannot come between.
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
              expires_at: timestamp(upload.expiresAt ?? now + days * day)
            })
          })
        )
      }, Effect.scoped)

      /** The archives of what has expired go; that there were such artifacts is still told. */
      const sweep = Effect.gen(function* () {
        const unreferencedDigests = yield* rows.unreferencedDigests(timestamp(yield* Clock.currentTimeMillis))
        yield* Effect.forEach(unreferencedDigests, (digest) => archives.remove(digest), { discard: true })
      })
      yield* Effect.forkScoped(Effect.repeat(sweep, Schedule.spaced("1 hour")))

      return Uploads.of({ upload, remove })
    })
  )
}
