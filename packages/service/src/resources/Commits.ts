import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type CommitSummary, Commits, type FileChange } from "@tongs/core/contract/Commits"
import type { Change } from "../git/Changes.ts"
import type { Commit } from "../git/GitObject.ts"
import type { Hosted } from "../Hosting.ts"
import { group, raw } from "../http/Handlers.ts"
import * as Refusal from "../http/Refusal.ts"
import { encodePath, type Urls } from "../http/Urls.ts"
import { type UserRow, Users } from "../storage/Users.ts"
import * as Shapes from "./Shapes.ts"

/** Objects that are read side by side for one page. */
const concurrency = 16

const seconds = (moment: string) => Math.floor(Date.parse(moment) / 1000)

/** The members that are there. */
const definite = <T extends object>(members: T) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>
  } & {} // what is undefined is gone

export const make = Effect.gen(function* () {
  const users = yield* Users

  /** The account that an e-mail address belongs to. */
  const account = (email: string) => (email === "" ? Effect.succeedNone : users.byEmail(email))

  const summary = (
    hosted: Hosted,
    urls: Urls,
    oid: string,
    commit: Commit,
    account: { readonly author: Option.Option<UserRow>; readonly committer: Option.Option<UserRow> }
  ): CommitSummary => {
    const url = Shapes.repositoryUrl(hosted, urls)
    const html = `${urls.html}/${hosted.fullName}/commit`
    const person = (row: Option.Option<UserRow>) =>
      Option.match(row, { onNone: () => null, onSome: (row) => Shapes.userSummary(row, urls) })
    return {
      sha: Shapes.sha(oid),
      node_id: Shapes.nodeId("Commit", `${hosted.row.id}:${oid}`),
      commit: {
        author: Shapes.signature(commit.author),
        committer: Shapes.signature(commit.committer),
        message: commit.message,
        tree: { sha: Shapes.sha(commit.tree), url: Shapes.objectUrl(hosted, urls, "tree", commit.tree) },
        url: Shapes.objectUrl(hosted, urls, "commit", oid),
        comment_count: 0,
        verification: Shapes.verification(commit.signature)
      },
      url: `${url}/commits/${oid}`,
      html_url: `${html}/${oid}`,
      comments_url: `${url}/commits/${oid}/comments`,
      author: person(account.author),
      committer: person(account.committer),
      parents: commit.parents.map((parent) => ({
        sha: Shapes.sha(parent),
        url: `${url}/commits/${parent}`,
        html_url: `${html}/${parent}`
      }))
    }
  }

  const accounts = (commit: Commit) =>
    Effect.all({ author: account(commit.author.email), committer: account(commit.committer.email) })

  const fileChange = (hosted: Hosted, urls: Urls, commit: string, change: Change): FileChange => {
    const { _links: _, html_url, url } = Shapes.contentUrls(hosted, urls, commit, "blob", change.oid, change.path)
    return {
      sha: change.oid,
      filename: change.path,
      status: change.status,
      additions: change.additions,
      deletions: change.deletions,
      changes: change.additions + change.deletions,
      blob_url: html_url,
      raw_url: `${urls.html}/${hosted.fullName}/raw/${commit}/${encodePath(change.path)}`,
      contents_url: url,
      ...(change.patch === undefined ? {} : { patch: change.patch }),
      ...(change.previousPath === undefined ? {} : { previous_filename: change.previousPath })
    }
  }

  /** Who is meant: a login stands for the address of its account. */
  const author = (text: string | undefined) =>
    text === undefined
      ? Effect.undefined
      : Effect.map(users.byLogin(text), (row) => Option.getOrUndefined(row)?.email ?? text)

  return group(Commits)({
    *list(query, { page, repository, urls }) {
      const { git } = repository
      if ((yield* git.refs("refs/heads/")).length === 0) return yield* Refusal.conflict("Git Repository is empty.")
      const from = yield* git.resolve(query.sha ?? "HEAD")
      if (from === undefined) return yield* Refusal.notFound()
      const filter = definite({
        from,
        path: query.path === "" ? undefined : query.path,
        author: yield* author(query.author),
        committer: yield* author(query.committer),
        since: query.since === undefined ? undefined : seconds(query.since),
        until: query.until === undefined ? undefined : seconds(query.until)
      })
      const oids = yield* git.log({ ...filter, skip: page.offset, limit: page.perPage })
      const total = yield* git.countLog(filter)
      const items = yield* Effect.forEach(
        oids,
        Effect.fnUntraced(function* (oid) {
          const commit = yield* git.commit(oid)
          return commit === undefined ? [] : [summary(repository, urls, oid, commit, yield* accounts(commit))]
        }),
        { concurrency }
      )
      return { items: items.flat(), total }
    },

    *get({ ref }, { mediaType, repository, urls }) {
      const { git } = repository
      const oid = yield* git.resolve(ref)
      const commit = oid === undefined ? undefined : yield* git.commit(oid)
      if (oid === undefined || commit === undefined) return yield* Refusal.invalid(`No commit found for SHA: ${ref.slice(0, 200)}`)
      const [parent] = commit.parents
      switch (mediaType) {
        case "sha":
          return raw("application/vnd.service.sha; charset=utf-8", oid)
        case "diff":
          return raw("application/vnd.service.diff; charset=utf-8", yield* git.changes.diff(oid, parent))
        case "patch":
          return raw("application/vnd.service.patch; charset=utf-8", yield* git.changes.patch(oid))
      }
      const changes = yield* git.changes.of(oid, parent)
      const additions = changes.reduce((sum, change) => sum + change.additions, 0)
      const deletions = changes.reduce((sum, change) => sum + change.deletions, 0)
      return {
        ...summary(repository, urls, oid, commit, yield* accounts(commit)),
        stats: { additions, deletions, total: additions + deletions },
        files: changes.map((change) => fileChange(repository, urls, oid, change))
      }
    }
  })
})
