/**
 * Clones the repositories of an organization or user of another forge into the data folder of the embedded forge, and
 * keeps the clones up to date. A later run, also after a kill, continues where the previous one ended.
 */
import { createHash } from "node:crypto"
import { basename } from "node:path"
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import type { Credential, Token } from "@tongs/core/client/Credential"
import type { Forge } from "@tongs/core/client/Forge"
import type { Failure } from "@tongs/core/contract/Failure"
import { OrganizationRows } from "@tongs/service/accounts/OrganizationRows"
import { type UserRow, UserRows } from "@tongs/service/accounts/UserRows"
import type { GitError } from "@tongs/service/git/values/GitError"
import { Owner } from "@tongs/service/main/Owner"
import { type CloneRow, CloneRows } from "@tongs/service/repositories/CloneRows"
import { RepositoryRegistry } from "@tongs/service/repositories/RepositoryRegistry"
import { type NameTaken, type RepositoryRow, RepositoryRows } from "@tongs/service/repositories/RepositoryRows"
import * as AccountRepositories from "./AccountRepositories.ts"
import * as CloneContent from "./CloneContent.ts"
import type { CloneTarget, Selection } from "./CloneTarget.ts"
import type { FetchFailed } from "./GitFetch.ts"

/** The forge to clone from. */
export interface Remote {
  readonly forge: Forge["Service"]
  readonly baseUrl: string
  readonly credential: Token | Credential | undefined
}

/** The progress of a run. */
export interface CloneProgress {
  /** Number of selected repositories; undefined during the listing. */
  readonly total: number | undefined
  readonly done: number
  /** Bytes received in this run. */
  readonly bytes: number
}

/** The result of a run. */
export interface CloneReport {
  readonly total: number
  readonly cloned: number
  readonly fetched: number
  readonly unchanged: number
  readonly bytes: number
  /** Repositories that could not be cloned or fetched, with reasons. */
  readonly failures: ReadonlyArray<{ readonly name: string; readonly reason: string }>
  /** True if the disk had no space for a repository. */
  readonly isDiskFull: boolean
  /** Names of kept clones whose repository is no longer on the forge, or no longer visible. */
  readonly missing: ReadonlyArray<string>
  /** True if the account has more repositories than are listed. */
  readonly isTruncated: boolean
}

/** Repositories cloned at the same time. */
const CONCURRENCY = 4

/** Runs once. A repository that fails becomes part of the report, and the run continues with the next. */
export const run = Effect.fn("OwnerClone.run")(function* (
  remote: Remote,
  selection: Selection,
  onProgress: (progress: CloneProgress) => void
) {
  onProgress({ total: undefined, done: 0, bytes: 0 })
  const { account, choices, ids, isTruncated } = yield* AccountRepositories.list(remote, selection)
  const owner = yield* localAccount(account.login)
  const clones = yield* knownClones(remote.baseUrl, owner)

  const targets = choices.flatMap((choice) => (choice._tag === "Clone" ? [choice.target] : []))
  const refused = choices.flatMap((choice) => (choice._tag === "Refused" ? [choice] : []))
  const received = new Map<string, number>()
  let done = 0
  const bytes = () => [...received.values()].reduce((sum, count) => sum + count, 0)
  const progress = () => onProgress({ total: targets.length, done, bytes: bytes() })
  progress()

  const results = yield* Effect.forEach(
    // Starts with the most recently pushed repositories.
    targets.toSorted((a, b) => ((a.pushedAt ?? "") < (b.pushedAt ?? "") ? 1 : -1)),
    (target) =>
      cloneOne(remote, owner, target, { ids, clones }, (count) => {
        received.set(target.name, count)
        progress()
      }).pipe(
        Effect.map((outcome) => ({ outcome, name: target.name, reason: "", isDiskFull: false })),
        Effect.catch((error: Problem) =>
          Effect.succeed({
            outcome: "failed" as const,
            name: target.name,
            reason: describe(error),
            isDiskFull: error._tag === "DiskFull" || (error._tag === "FetchFailed" && error.isDiskFull)
          })
        ),
        Effect.tap(() =>
          Effect.sync(() => {
            done++
            progress()
          })
        )
      ),
    { concurrency: CONCURRENCY }
  )
  const count = (wanted: string) => results.filter(({ outcome }) => outcome === wanted).length
  return {
    total: targets.length,
    cloned: count("cloned"),
    fetched: count("fetched"),
    unchanged: count("unchanged"),
    bytes: bytes(),
    failures: [...refused, ...results.filter(({ outcome }) => outcome === "failed")].map(({ name, reason }) => ({
      name,
      reason
    })),
    isDiskFull: results.some((result) => result.isDiskFull),
    missing: isTruncated
      ? []
      : [...clones.values()].flatMap(({ clone, row }) => (ids.has(clone.remote_id) ? [] : [row.name])),
    isTruncated
  } satisfies CloneReport
})

type Problem = FetchFailed | GitError | NameTaken | Failure | CloneContent.DiskFull | CloneContent.NameInUse

const describe = (error: Problem): string =>
  error._tag === "NameTaken" ? `another repository is named ${error.name}` : error.message

/**
 * Returns the account of the embedded forge. The forge's owner becomes a member, so that private clones are visible.
 */
const localAccount = Effect.fnUntraced(function* (login: string) {
  const users = yield* UserRows
  const { user } = yield* Owner
  const account = yield* users.ensure({ login, type: "Organization" })
  if (account.type === "Organization") {
    yield* (yield* OrganizationRows).setRole(account.id, user.id, "owner")
  }
  return account
})

interface KnownClone {
  readonly clone: CloneRow
  readonly row: RepositoryRow
}

/** The account's clones by the id of the remote repository. */
const knownClones = Effect.fnUntraced(function* (baseUrl: string, owner: UserRow) {
  const rows = new Map((yield* (yield* RepositoryRows).list).map((row) => [row.id, row]))
  const clones = yield* (yield* CloneRows).list(baseUrl)
  return new Map(
    clones.flatMap((clone): ReadonlyArray<readonly [number, KnownClone]> => {
      const row = rows.get(clone.repository_id)
      return row === undefined || row.owner.id !== owner.id ? [] : [[clone.remote_id, { clone, row }]]
    })
  )
})

interface Known {
  /** Ids of all repositories that the forge listed. */
  readonly ids: ReadonlySet<number>
  readonly clones: ReadonlyMap<number, KnownClone>
}

const cloneOne = Effect.fnUntraced(function* (
  remote: Remote,
  owner: UserRow,
  target: CloneTarget,
  { clones, ids }: Known,
  onBytes: (count: number) => void
) {
  const rows = yield* RepositoryRows
  const known = clones.get(target.remoteId)
  const save = (repositoryId: number) =>
    Effect.flatMap(CloneRows, (clones) =>
      clones.save({
        repository_id: repositoryId,
        forge: remote.baseUrl,
        remote_id: target.remoteId,
        pushed_at: target.pushedAt
      })
    )
  if (known !== undefined) {
    yield* freeName(owner, target, { clones, ids })
    yield* update(known.row, target)
    if (target.pushedAt !== null && known.clone.pushed_at === target.pushedAt) return "unchanged"
    yield* CloneContent.fill(known.row.git, target, remote.credential, onBytes)
    yield* save(known.row.id)
    return "fetched"
  }
  yield* freeName(owner, target, { clones, ids })
  const folderName = folderNameOf(remote.baseUrl, target.remoteId)
  const holder = yield* rows.find(owner.login, target.name)
  if (holder !== undefined && basename(holder.git) !== `${folderName}.git`) {
    return yield* new CloneContent.NameInUse({ name: `${owner.login}/${target.name}` })
  }
  const registry = yield* RepositoryRegistry
  const isFilled = yield* Ref.make(false)
  const context = yield* CloneContent.services
  const fill = (gitDir: string) =>
    CloneContent.fill(gitDir, target, remote.credential, onBytes).pipe(
      Effect.andThen(Ref.set(isFilled, true)),
      Effect.provideContext(context)
    )
  const folder = yield* registry.buildOnce(owner, folderName, fill)
  // An earlier process was killed before saving the rows, and the forge can have newer commits by now.
  if (!(yield* Ref.get(isFilled))) yield* fill(folder)
  const { description, name } = target
  const creation = { name, private: target.private, ...(description === null ? {} : { description }) }
  const row = (yield* rows.byGit(folder)) ?? (yield* registry.add(owner, creation, folder)).row
  yield* save(row.id)
  yield* update(row, target)
  const { user } = yield* Owner
  if (owner.type !== "Organization" && owner.id !== user.id) {
    yield* (yield* OrganizationRows).setCollaboration(row.id, user.id, "read")
  }
  return "cloned"
})

/** The name of a clone's folder, which no renaming changes. */
const folderNameOf = (baseUrl: string, remoteId: number) =>
  `clone-${createHash("sha256").update(baseUrl).digest("hex").slice(0, 8)}-${remoteId}`

/** Renames the clone of a deleted repository if a new repository has the same name. */
const freeName = Effect.fnUntraced(function* (owner: UserRow, target: CloneTarget, { clones, ids }: Known) {
  const rows = yield* RepositoryRows
  const holder = yield* rows.find(owner.login, target.name)
  const old = [...clones.values()].find(({ row }) => row.id === holder?.id)
  if (old === undefined || ids.has(old.clone.remote_id)) return
  yield* rows.update(old.row.id, { name: `${target.name.slice(0, 80)}-${old.clone.remote_id}`, archived: true })
})

/** Applies changes of the repository's name and settings. */
const update = Effect.fnUntraced(function* (row: RepositoryRow, target: CloneTarget) {
  const { archived, description, name, topics } = target
  const isSame =
    row.name === name &&
    row.description === description &&
    (row.private === 1) === target.private &&
    (row.archived === 1) === archived &&
    row.topics.join() === topics.join()
  if (isSame) return
  yield* (yield* RepositoryRows).update(row.id, { name, description, private: target.private, archived, topics })
})
