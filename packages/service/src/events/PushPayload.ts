/** Creates the webhook payloads of pushes. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Git } from "../git/process/Git.ts"
import type { GitError } from "../git/values/GitError.ts"
import type { Commit } from "../git/values/GitObject.ts"
import type { ServedRepository } from "../repositories/RepositoryRegistry.ts"
import { timestamp } from "../base/Time.ts"
import type { Urls } from "../api/Urls.ts"
import type { UserRow } from "../accounts/UserRows.ts"
import { type PushedFiles, makeParser } from "./PushedFiles.ts"

/** The old and new target of a reference. `before` is null for a creation, `after` for a deletion. */
export interface RefMove {
  readonly ref: string
  readonly before: string | null
  readonly after: string | null
}

/** Maximum number of commits in a payload, as GitHub documents. Older commits are left out. */
const MAX_COMMITS = 2048

/** Maximum commits to read concurrently. */
const CONCURRENCY = 32

export class PushPayload extends Context.Service<
  PushPayload,
  {
    /** Creates the `push` payload for the move, creation or deletion of a reference. */
    payload(
      actor: UserRow,
      repository: ServedRepository,
      urls: Urls,
      move: RefMove
    ): Effect.Effect<Readonly<Record<string, unknown>>, GitError>
  }
>()("@tongs/service/events/PushPayload") {
  static readonly layer = Layer.effect(
    PushPayload,
    Effect.gen(function* () {
      const git = yield* Git

      /** Returns the ids of the commits reachable from `tip` but not from `base`, oldest first. */
      const brought = ({ gitDir }: ServedRepository["git"], tip: string, base: string | undefined) =>
        Effect.map(
          git.run(
            [
              "rev-list",
              "--reverse",
              `--max-count=${MAX_COMMITS}`,
              tip,
              ...(base === undefined ? [] : ["--not", base])
            ],
            { gitDir }
          ),
          ({ stdout }) => stdout.toString("latin1").split("\n").slice(0, -1)
        )

      /** Finds the files that each commit changes, compared with the first parent. */
      const filesOf = Effect.fnUntraced(function* ({ gitDir }: ServedRepository["git"], oids: ReadonlyArray<string>) {
        const { files, read } = makeParser()
        const input = oids.map((oid) => `${oid}\n`).join("")
        // Ignores errors: a partial clone lacks some objects, and the payload then omits the files.
        if (input !== "") yield* Effect.ignore(git.run(diffTree, { gitDir, input, onOutput: read }))
        return files
      })

      return PushPayload.of({
        payload: Effect.fn("Push.payload")(function* (actor, repository, urls, { after, before, ref }) {
          const { git } = repository
          const html = `${urls.html}/${repository.fullName}`
          const nothing = "0".repeat(git.objectFormat === "sha256" ? 64 : 40)
          const tip = after === null ? undefined : yield* git.resolve(after)
          const base = before === null ? undefined : yield* git.resolve(before)
          const oids = tip === undefined ? [] : yield* brought(git, tip, base ?? (yield* git.resolve("HEAD")))
          const files = yield* filesOf(git, tip === undefined ? [] : [...new Set([...oids, tip])])
          const pushCommit = Effect.fnUntraced(function* (oid: string) {
            const commit = yield* git.commit(oid)
            return commit === undefined ? [] : [pushedCommit(html, oid, commit, files.get(oid))]
          })
          const forced =
            tip !== undefined &&
            base !== undefined &&
            !(yield* Effect.orElseSucceed(git.isAncestor(base, tip), () => true))
          return {
            ref,
            before: before ?? nothing,
            after: after ?? nothing,
            created: before === null,
            deleted: after === null,
            forced,
            base_ref: null,
            // GitHub abbreviates ids in this URL to 12 digits, enough for the URL to resolve.
            compare: `${html}/compare/${(before ?? nothing).slice(0, 12)}...${(after ?? nothing).slice(0, 12)}`,
            commits: (yield* Effect.forEach(oids, pushCommit, { concurrency: CONCURRENCY })).flat(),
            head_commit: tip === undefined ? null : ((yield* pushCommit(tip))[0] ?? null),
            pusher: { name: actor.login, email: actor.email }
          }
        })
      })
    })
  )
}

const diffTree = [
  "diff-tree",
  "--stdin",
  "-z",
  "-r",
  "--root",
  "--name-status",
  "--no-renames",
  "--diff-merges=first-parent"
]

const pushedCommit = (html: string, oid: string, commit: Commit, files: PushedFiles | undefined) => {
  const person = ({ email, name, seconds }: Commit["author"]) => ({ name, email, date: timestamp(seconds * 1000) })
  return {
    id: oid,
    tree_id: commit.tree,
    distinct: true,
    message: commit.message,
    timestamp: timestamp(commit.committer.seconds * 1000),
    url: `${html}/commit/${oid}`,
    author: person(commit.author),
    committer: person(commit.committer),
    added: files?.added ?? [],
    removed: files?.removed ?? [],
    modified: files?.modified ?? []
  }
}
