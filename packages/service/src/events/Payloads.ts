/** What webhooks are told of an event, in the API's shapes and the documents' vocabulary. */
import * as Effect from "effect/Effect"
import type { Commit } from "../git/GitObject.ts"
import type { GitError } from "../git/GitError.ts"
import type { Hosted } from "../Hosting.ts"
import { timestamp } from "../http/Time.ts"
import type { Urls } from "../http/Urls.ts"
import * as GitFacts from "../resources/GitFacts.ts"
import * as Shapes from "../resources/Shapes.ts"
import type { UserRow } from "../storage/Users.ts"
import type { Circumstances, Happening } from "./Events.ts"

/** What a webhook for `event` is told, less what all are told. */
export interface Notice {
  readonly event: string
  readonly action: string | null
  readonly payload: Effect.Effect<Readonly<Record<string, unknown>>, GitError>
}

/** What all are told: the repository, its organization, and who did it. */
export const common = Effect.fnUntraced(function* ({ actor, repository, urls }: Circumstances) {
  const { owner } = repository.row
  const { permissions: _, ...shape } = Shapes.repository(repository, yield* GitFacts.read(repository), "read", urls)
  return {
    repository: shape,
    ...(owner.type === "Organization" ? { organization: organization(owner, urls) } : {}),
    sender: Shapes.userSummary(actor, urls)
  }
})

/** An organization in brief. */
export const organization = ({ id, login, name }: UserRow, urls: Urls) => {
  const url = `${urls.api}/orgs/${login}`
  return {
    login,
    id,
    node_id: Shapes.nodeId("Organization", id),
    url,
    repos_url: `${url}/repos`,
    events_url: `${url}/events`,
    hooks_url: `${url}/hooks`,
    issues_url: `${url}/issues`,
    members_url: `${url}/members{/member}`,
    public_members_url: `${url}/public_members{/member}`,
    avatar_url: `${urls.html}/avatars/u/${id}`,
    description: name
  }
}

/** The webhook events that an event of the lists is. */
export const notices = (happening: Happening): ReadonlyArray<Notice> => {
  const { change, payload, type } = happening
  const plain = (event: string, own: Readonly<Record<string, unknown>> = payload): Notice => ({
    event,
    action: typeof own.action === "string" ? own.action : null,
    payload: Effect.succeed(own)
  })
  const pushed: ReadonlyArray<Notice> =
    change === undefined ? [] : [{ event: "push", action: null, payload: push(happening, change.move) }]
  switch (type) {
    case "CreateEvent":
      return payload.ref_type === "repository"
        ? [plain("repository", { action: "created" })]
        : [plain("create"), ...pushed]
    case "DeleteEvent":
      return [plain("delete"), ...pushed]
    case "PushEvent":
      return pushed
    case "PublicEvent":
      return [plain("public", {}), plain("repository", { action: "publicized" })]
    default:
      // `CommitCommentEvent` is `commit_comment`.
      return [
        plain(
          type
            .replace(/Event$/, "")
            .replace(/(?<=[a-z])(?=[A-Z])/g, "_")
            .toLowerCase()
        )
      ]
  }
}

/** How a reference moved; null where it was not there before, or is no more. */
export interface Move {
  readonly ref: string
  readonly before: string | null
  readonly after: string | null
}

/** Commits that one push tells of. */
const maxCommits = 20

/** Commits among which is looked for those that were there before. */
const maxKnown = 1024

/** What is told of a push, of the references that it made and removed too. */
export const push = Effect.fnUntraced(function* (
  { actor, repository, urls }: Circumstances,
  { after, before, ref }: Move
) {
  const { git } = repository
  const html = `${urls.html}/${repository.fullName}`
  const nothing = "0".repeat(git.objectFormat === "sha256" ? 64 : 40)
  const tip = after === null ? undefined : yield* git.resolve(after)
  const base = before === null ? undefined : yield* git.resolve(before)
  const commits = tip === undefined ? [] : yield* newCommits(repository, tip, base ?? (yield* git.resolve("HEAD")))
  const head = tip === undefined ? undefined : yield* git.commit(tip)
  return {
    ref,
    before: before ?? nothing,
    after: after ?? nothing,
    created: before === null,
    deleted: after === null,
    forced:
      tip !== undefined && base !== undefined && !(yield* Effect.orElseSucceed(git.isAncestor(base, tip), () => true)),
    base_ref: null,
    compare: `${html}/compare/${(before ?? nothing).slice(0, 12)}...${(after ?? nothing).slice(0, 12)}`,
    commits: yield* Effect.forEach(commits, ([oid, commit]) => pushedCommit(repository, html, oid, commit)),
    head_commit: tip === undefined || head === undefined ? null : yield* pushedCommit(repository, html, tip, head),
    pusher: { name: actor.login, email: actor.email }
  }
})

/** Of the newest commits, those that cannot be reached from `base`; oldest first. */
const newCommits = Effect.fnUntraced(function* ({ git }: Hosted, tip: string, base: string | undefined) {
  const known = new Set(base === undefined ? [] : yield* git.log({ from: base, skip: 0, limit: maxKnown }))
  const oids = (yield* git.log({ from: tip, skip: 0, limit: maxCommits })).filter((oid) => !known.has(oid)).toReversed()
  const commits = yield* Effect.forEach(oids, (oid) => Effect.map(git.commit(oid), (commit) => [oid, commit] as const)) // a pair
  return commits.flatMap(([oid, commit]) => (commit === undefined ? [] : [[oid, commit] as const])) // a pair
})

const pushedCommit = Effect.fnUntraced(function* ({ git }: Hosted, html: string, oid: string, commit: Commit) {
  // The parent of a shallow clone's oldest commit is not there.
  const changes = yield* Effect.orElseSucceed(git.changes.of(oid, commit.parents[0]), () => [])
  const paths = (...statuses: ReadonlyArray<string>) =>
    changes.filter(({ status }) => statuses.includes(status)).map(({ path }) => path)
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
    added: paths("added", "copied", "renamed"),
    removed: [
      ...paths("removed"),
      ...changes.flatMap(({ previousPath, status }) =>
        status === "renamed" && previousPath !== undefined ? [previousPath] : []
      )
    ],
    modified: paths("modified", "changed")
  }
})
