import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { Commits } from "@tongs/core/contract/groups/Commits"
import type * as Differences from "../../git/history/Differences.ts"
import { GitRepositories } from "../../git/GitRepositories.ts"
import type { GitRepository } from "../../git/GitRepository.ts"
import * as ObjectPools from "../../git/ObjectPools.ts"
import type { GitError } from "../../git/values/GitError.ts"
import { group, withPages } from "../../api/Handlers.ts"
import * as ApiError from "../../api/ApiError.ts"
import * as StreamedBody from "../../api/StreamedBody.ts"
import { encodePath } from "../../api/Urls.ts"
import { UserRows } from "../../accounts/UserRows.ts"
import * as EmptyRepository from "../../api/EmptyRepository.ts"
import type { RepositoryContext } from "../../api/RequestContext.ts"
import * as Shapes from "../../api/Shapes.ts"
import { patches, text } from "./CommitText.ts"
import { fileChange } from "./FileChangeShape.ts"
import * as CommitSummaries from "./CommitSummaries.ts"
import * as ComparedVersions from "./ComparedVersions.ts"
import * as CommitSearchHandler from "./CommitSearchHandler.ts"

/** Maximum length of an author or committer filter, in characters. Git supports only a few thousand. */
const MAX_PERSON = 500

const seconds = (moment: string | undefined) =>
  moment === undefined ? undefined : Math.floor(Date.parse(moment) / 1000)

/** Maximum number of commits and of files in a comparison, and of files on all pages of a commit, as on GitHub. */
const MAX_COMPARED = 250
const MAX_COMPARED_FILES = 300
const MAX_COMMIT_FILES = 3_000

/** The changed lines of all files of a commit. */
const statsOf = (files: ReadonlyArray<Differences.FileChange>) => {
  const additions = files.reduce((sum, file) => sum + file.additions, 0)
  const deletions = files.reduce((sum, file) => sum + file.deletions, 0)
  return { additions, deletions, total: additions + deletions }
}

export const make = Effect.gen(function* () {
  const repositories = yield* GitRepositories
  const users = yield* UserRows
  const resolve = yield* ComparedVersions.make
  const search = yield* CommitSearchHandler.make
  const { summaries, summarizer } = yield* CommitSummaries.make

  /** Filter for git: a login becomes the email address of the account. Rejects newlines, which git reads as "or". */
  const person = Effect.fnUntraced(function* (field: "author" | "committer", text: string | undefined) {
    if (text === undefined) return undefined
    if (text.length > MAX_PERSON || /\p{Cc}/u.test(text)) {
      const message = `${field} must be a login, name or email address of at most ${MAX_PERSON} characters`
      return yield* ApiError.invalid(`Validation Failed: ${message}`, [
        { resource: "Commit", field, code: "invalid", message }
      ])
    }
    return (yield* users.byLogin(text))?.email ?? text
  })

  /** Compares two versions. Objects of a fork are readable until the scope closes. */
  const compare = Effect.fnUntraced(function* (
    { basehead }: { readonly basehead: string },
    { caller, mediaType, repository, urls }: RepositoryContext
  ) {
    const [base, head, ...more] = yield* Effect.forEach(basehead.split("...", 3), (name) =>
      resolve(repository, name, caller)
    )
    // No name of a version contains two dots.
    if (base === undefined || head === undefined || more.length > 0) {
      return yield* EmptyRepository.notFound(repository.git)
    }
    const isFork = base.repository.row.id !== head.repository.row.id
    /** Reads the objects of both repositories. */
    const view = isFork
      ? repositories.openView(base.repository.git, ObjectPools.objectFolder(head.repository.git))
      : Effect.succeed(base.repository.git)
    const git = yield* view
    const mergeBase = yield* git.mergeBase(base.oid, head.oid)
    if (mergeBase === undefined) return yield* ApiError.notFound()
    const streamed = (read: (git: GitRepository) => Stream.Stream<Uint8Array, GitError>) =>
      // The response outlives the view above.
      StreamedBody.fromStream(`${mergeBase}...${head.oid}`, Stream.unwrap(Effect.map(view, read)))
    if (mediaType === "diff") {
      return text(mediaType, yield* streamed((git) => git.changes.diffBetween(mergeBase, head.oid)))
    }
    const ahead = { from: head.oid, exclude: base.oid }
    const aheadBy = yield* git.countLog(ahead)
    const oids = (yield* git.log({ ...ahead, skip: 0, limit: MAX_COMPARED })).toReversed()
    if (mediaType === "patch") {
      return text(mediaType, yield* streamed((git) => patches(git, oids)))
    }
    const behindBy = yield* git.countLog({ from: base.oid, exclude: head.oid })
    const described = yield* summaries(base.repository, urls, [base.oid, mergeBase])
    const [baseCommit, mergeBaseCommit] = described.map(({ make }) => make())
    if (baseCommit === undefined || mergeBaseCommit === undefined) return yield* ApiError.notFound()
    const html = `${urls.html}/${repository.fullName}/compare`
    const range = { from: mergeBase, to: head.oid }
    const listing = yield* git.changes.list(range)
    const files = yield* git.changes.withPatches(range, listing, listing.files.slice(0, MAX_COMPARED_FILES))
    const permalink = [base, head].map(({ oid, repository: { fullName } }) =>
      isFork ? `${fullName.replace("/", ":")}:${oid}` : oid
    )
    return {
      url: `${Shapes.repositoryUrl(repository, urls)}/compare/${encodePath(basehead)}`,
      html_url: `${html}/${encodePath(basehead)}`,
      permalink_url: `${html}/${permalink.join("...")}`,
      diff_url: `${html}/${encodePath(basehead)}.diff`,
      patch_url: `${html}/${encodePath(basehead)}.patch`,
      base_commit: baseCommit,
      merge_base_commit: mergeBaseCommit,
      status: aheadBy > 0 && behindBy > 0 ? "diverged" : aheadBy > 0 ? "ahead" : behindBy > 0 ? "behind" : "identical",
      ahead_by: aheadBy,
      behind_by: behindBy,
      total_commits: aheadBy,
      commits: (yield* summaries(head.repository, urls, oids)).map(({ make }) => make()),
      files: files.map((change) => fileChange(head.repository, urls, head.oid, change))
    }
  }, Effect.scoped)

  return group(Commits)({
    *list(query, { page, repository, urls }) {
      const { git } = repository
      const from = yield* git.resolve(query.sha ?? "HEAD")
      if (from === undefined) return yield* EmptyRepository.notFound(git)
      const filter = {
        from,
        path: query.path === "" ? undefined : query.path,
        author: yield* person("author", query.author),
        committer: yield* person("committer", query.committer),
        since: seconds(query.since),
        until: seconds(query.until)
      }
      if (Number.isNaN(filter.since) || Number.isNaN(filter.until)) {
        return yield* ApiError.invalid("Invalid timestamp in since or until")
      }
      const { offset, perPage } = page
      const oids = yield* git.log({ ...filter, skip: offset, limit: perPage + 1 })
      const keyed = yield* summaries(repository, urls, oids.slice(0, perPage))
      // Scripts count commits by the last page of pages with one commit, so requests for such pages wait for the count.
      const total = yield* perPage === 1 ? git.countLog(filter) : git.promptCountLog(filter)
      return { keyed: () => keyed, total: total ?? { more: oids.length > perPage } }
    },

    *get({ ref }, { mediaType, page, repository, urls }) {
      const { git } = repository
      const oid = yield* git.resolve(ref)
      const commit = oid === undefined ? undefined : yield* git.commit(oid)
      if (oid === undefined || commit === undefined)
        return yield* ApiError.invalid(`No commit found for SHA: ${ref.slice(0, 200)}`)
      // Clients send a known id as the ETag, to ask whether a branch has moved.
      if (mediaType === "sha") return { ...text(mediaType, oid), etag: `"${oid}"` }
      if (mediaType === "diff") return text(mediaType, yield* StreamedBody.fromStream(oid, git.changes.diff(oid)))
      if (mediaType === "patch")
        return text(mediaType, yield* StreamedBody.fromStream(oid, git.changes.patch(oid, commit)))
      const found = { oid, commit }
      const summarize = yield* summarizer(repository, urls, [found])
      const range = { from: yield* git.changes.parentOf(commit), to: oid }
      const listing = yield* git.changes.list(range)
      const total = Math.min(listing.files.length, MAX_COMMIT_FILES)
      const listed = listing.files.slice(page.offset, Math.min(page.offset + page.perPage, total))
      const changes = yield* git.changes.withPatches(range, listing, listed)
      return withPages(total, {
        ...(yield* summarize(found)).make(),
        ...(listing.isCounted ? { stats: statsOf(listing.files) } : {}),
        files: changes.map((change) => fileChange(repository, urls, oid, change))
      })
    },

    *compare(input, context) {
      return yield* compare(input, context)
    },

    *search(input, context) {
      return yield* search(input, context)
    }
  })
})
