/** Commits of the contract with data from the database: accounts, comment counts and verification. */
import * as Effect from "effect/Effect"
import type { Verification } from "@tongs/core/contract/groups/GitCommits"
import type { CommitSummary } from "@tongs/core/contract/groups/Commits"
import type { Commit, Person } from "../../git/values/GitObject.ts"
import type { ServedRepository } from "../../repositories/RepositoryRegistry.ts"
import { nodeId } from "../../api/NodeId.ts"
import type { Urls } from "../../api/Urls.ts"
import { CommitCommentRows } from "../comments/CommitCommentRows.ts"
import { type UserRow, UserRows } from "../../accounts/UserRows.ts"
import { Verifier } from "../../verification/Verifier.ts"
import type * as Paging from "../../base/Paging.ts"
import * as ReadyEffects from "../../base/ReadyEffects.ts"
import * as Shapes from "../../api/Shapes.ts"

/** Objects of a page read at the same time. */
const CONCURRENCY = 16

/** Accounts by email address. */
type Accounts = Map<string, UserRow | undefined>

/** A commit and the object id. */
interface CommitWithId {
  readonly oid: string
  readonly commit: Commit
}

/** A commit with data from the database. */
interface CommitWithData extends CommitWithId {
  readonly accounts: Accounts
  readonly verification: Verification
  readonly comments: number
}

/** Creates the functions that describe commits. */
export const make = Effect.gen(function* () {
  const users = yield* UserRows
  const comments = yield* CommitCommentRows
  const verifier = yield* Verifier

  /** Accounts of the authors and committers. Looks up each address once. */
  const accountsOf = Effect.fnUntraced(function* (commits: ReadonlyArray<Commit>) {
    const accounts: Accounts = new Map()
    for (const { author, committer } of commits) {
      for (const { email } of [author, committer]) {
        if (email !== "" && !accounts.has(email)) accounts.set(email, yield* users.byEmail(email))
      }
    }
    return accounts
  })

  /**
   * Makes a function that gives the summary of each commit. Reads the accounts and comment counts of all commits once.
   */
  const summarizer = Effect.fnUntraced(function* (
    served: ServedRepository,
    urls: Urls,
    commits: ReadonlyArray<CommitWithId>
  ) {
    const accounts = yield* accountsOf(commits.map(({ commit }) => commit))
    const oids = commits.map(({ oid }) => oid)
    const commented = yield* comments.counts(served.row.id, oids)
    const texts = new Map([...accounts].map(([email, row]) => [email, JSON.stringify(row)]))
    return ({ commit, oid }: CommitWithId) => {
      const count = commented.get(oid) ?? 0
      const { author, committer, signature } = commit
      const people = `${texts.get(author.email)}\n${texts.get(committer.email)}`
      const summaryOf = (verification: Verification): Paging.KeyedItem<CommitSummary> => ({
        // The object id determines the commit, including the signature.
        key: `${served.row.id} ${served.fullName} ${oid} ${count} ${verification.reason} ${verification.verified_at}\n${people}`,
        make: () => summary(served, urls, { oid, commit, accounts, verification, comments: count })
      })
      return ReadyEffects.map(verifier.verify({ oid, signature, signer: committer }), summaryOf)
    }
  })

  const summary = (
    served: ServedRepository,
    urls: Urls,
    { accounts, comments, commit, oid, verification }: CommitWithData
  ): CommitSummary => {
    const url = Shapes.repositoryUrl(served, urls)
    const html = `${urls.html}/${served.fullName}/commit`
    const person = ({ email }: Person) => {
      const row = accounts.get(email)
      return row === undefined ? null : Shapes.userSummary(row, urls)
    }
    return {
      sha: Shapes.sha(oid),
      node_id: nodeId("Commit", `${served.row.id}:${oid}`),
      commit: {
        author: Shapes.signature(commit.author),
        committer: Shapes.signature(commit.committer),
        // Trimmed as on GitHub; the git data API has the exact message.
        message: commit.message.replace(/\n$/, ""),
        tree: { sha: Shapes.sha(commit.tree), url: Shapes.objectUrl(served, urls, "tree", commit.tree) },
        url: Shapes.objectUrl(served, urls, "commit", oid),
        comment_count: comments,
        verification
      },
      url: `${url}/commits/${oid}`,
      html_url: `${html}/${oid}`,
      comments_url: `${url}/commits/${oid}/comments`,
      author: person(commit.author),
      committer: person(commit.committer),
      parents: commit.parents.map((parent) => ({
        sha: Shapes.sha(parent),
        url: `${url}/commits/${parent}`,
        html_url: `${html}/${parent}`
      }))
    }
  }

  const summaries = Effect.fnUntraced(function* (served: ServedRepository, urls: Urls, oids: ReadonlyArray<string>) {
    const found = yield* ReadyEffects.forEach(oids, served.git.commit, { concurrency: CONCURRENCY })
    const commits = oids.flatMap((oid, index) => {
      const commit = found[index]
      return commit === undefined ? [] : [{ oid, commit }]
    })
    return yield* ReadyEffects.forEach(commits, yield* summarizer(served, urls, commits), { concurrency: 1 })
  })

  return { summarizer, summaries }
})
