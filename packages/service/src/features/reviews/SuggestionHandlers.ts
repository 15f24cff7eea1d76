import * as Effect from "effect/Effect"
import { Suggestions as Group } from "@tongs/core/contract/groups/Suggestions"
import type { UserRow } from "../../accounts/UserRows.ts"
import { group, withStatus } from "../../api/Handlers.ts"
import * as Shapes from "../../api/Shapes.ts"
import type { GitRepository } from "../../git/GitRepository.ts"
import type { TreeChange } from "../../git/objects/ObjectWriter.ts"
import { type ReviewCommentRow, ReviewCommentRows } from "../../reviews/ReviewCommentRows.ts"
import { isOutdated, type ReviewThreadRow, ReviewThreadRows } from "../../reviews/ReviewThreadRows.ts"
import * as Suggestions from "../../reviews/Suggestions.ts"
import { ThreadTracer } from "../../reviews/ThreadTracer.ts"
import { CommitSigning } from "../../verification/CommitSigning.ts"
import * as BranchCommits from "../gitData/BranchCommits.ts"
import * as PullRequestMerges from "../pulls/PullRequestMerges.ts"
import * as PullRequestTarget from "../pulls/PullRequestTarget.ts"
import * as ReviewTarget from "./ReviewTarget.ts"

/** Maximum number of suggestions of a commit, and maximum bytes of a file that they change. */
const MAX_SUGGESTIONS = 100
const MAX_FILE_BYTES = 10 * 1024 * 1024

const { refused } = PullRequestTarget

/** A suggestion with its author, and the file that it changes. */
interface Suggestion {
  readonly path: string
  readonly edit: Suggestions.SuggestedEdit
  readonly author: UserRow | null
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** Returns the suggestion of a comment. Fails with 422 for a comment that has none, or whose lines have changed. */
const suggestionOf = Effect.fnUntraced(function* (
  comment: ReviewCommentRow,
  thread: ReviewThreadRow | undefined,
  head: string,
  index: number
) {
  const lines = Suggestions.parse(comment.body)[index]
  if (lines === undefined) return yield* refused(`The comment ${comment.id} has no suggestion ${index}`)
  if (comment.is_pending === 1) return yield* refused(`The comment ${comment.id} is pending`)
  if (thread === undefined || thread.traced_head !== head || isOutdated(thread) || thread.line === null)
    return yield* refused(`The suggestion of the comment ${comment.id} is outdated`)
  if (thread.side === "LEFT" || thread.start_side === "LEFT")
    return yield* refused(`The comment ${comment.id} is on removed lines`)
  const first = thread.start_line ?? thread.line
  const length = (thread.original_line ?? 0) - (thread.original_start_line ?? thread.original_line ?? 0)
  // Lines that were added between the commented ones would be lost.
  if (thread.line - first !== length) return yield* refused(`The suggestion of the comment ${comment.id} is outdated`)
  const edit = { first, last: thread.line, lines }
  return { path: thread.path, edit, author: comment.author } satisfies Suggestion
})

/** Returns the change of a file of a commit. */
const changeOf = Effect.fnUntraced(function* (
  git: GitRepository,
  tip: string,
  path: string,
  suggestions: ReadonlyArray<Suggestion>
) {
  const edits = suggestions.map(({ edit }) => edit)
  if (Suggestions.overlap(edits)) return yield* refused(`Suggestions change the same lines of ${path}`)
  const entry = yield* git.entryAt(tip, path)
  const size = entry?.kind === "file" ? ((yield* git.info(entry.oid))?.size ?? 0) : 0
  if (size > MAX_FILE_BYTES) return yield* refused(`${path} is too large`)
  const blob = entry?.kind === "file" ? yield* git.blob(entry.oid, MAX_FILE_BYTES) : undefined
  const text = yield* Effect.try({
    try: () => decoder.decode(blob?.bytes),
    catch: () => undefined
  }).pipe(Effect.orElseSucceed(() => undefined))
  const changed = text === undefined ? undefined : Suggestions.apply(text, edits)
  if (entry === undefined || changed === undefined) return yield* refused(`The suggestions do not fit ${path}`)
  const mode: TreeChange["mode"] = entry.mode === "100755" ? "100755" : "100644"
  return { path, mode, oid: yield* git.writeBlob(Buffer.from(changed)) } satisfies TreeChange
})

/** Handlers of suggested changes. */
export const make = Effect.gen(function* () {
  const comments = yield* ReviewCommentRows
  const commit = yield* BranchCommits.make
  const { headContext } = yield* PullRequestMerges.make
  const signing = yield* CommitSigning
  const target = yield* PullRequestTarget.make
  const threads = yield* ReviewThreadRows
  const tracer = yield* ThreadTracer

  /** GitHub's messages, with the authors of the suggestions. */
  const messageOf = Effect.fnUntraced(function* (
    given: string | undefined,
    all: ReadonlyArray<Suggestion>,
    caller: UserRow
  ) {
    const [only, ...more] = all
    const title =
      more.length === 0 && only !== undefined
        ? `Update ${only.path.split("/").at(-1)}`
        : "Apply suggestions from code review"
    const authors = new Map<number, UserRow>()
    for (const { author } of all) if (author !== null && author.id !== caller.id) authors.set(author.id, author)
    const people = yield* Effect.forEach([...authors.values()], Shapes.personOf)
    const trailers = people.map(({ email, name }) => `Co-authored-by: ${name} <${email}>`)
    return [given?.trim() || title, ...(trailers.length === 0 ? [] : [trailers.join("\n")])].join("\n\n") + "\n"
  })

  return group(Group)({
    *apply({ expected_head_sha, message, pull_number, suggestions: given }, context) {
      const { caller, repository } = context
      const found = yield* target.find(pull_number, context)
      const { issue, pull } = found
      if (pull.state === "closed") return yield* refused("The pull request is closed")
      const head = pull.head_sha
      if (expected_head_sha !== undefined && expected_head_sha.toLowerCase() !== head)
        return yield* refused("expected head sha didn’t match current head ref.")
      if (given.length === 0 || given.length > MAX_SUGGESTIONS)
        return yield* refused(`Pass 1 to ${MAX_SUGGESTIONS} suggestions`)
      const own = yield* headContext(found, context)
      const ids = given.map(({ comment_id }) => comment_id)
      // The lines after the last push are found in the background.
      yield* tracer.trace(issue.id)
      const rows = yield* comments.byIds(ids, ReviewTarget.readerOf(caller))
      const places = yield* threads.byIds([...rows.values()].flatMap(({ thread_id }) => thread_id ?? []))
      const all: Array<Suggestion> = []
      for (const { comment_id, index = 0 } of given) {
        const comment = rows.get(comment_id)
        const isOwn = comment?.repository_id === repository.row.id && comment.pull_number === issue.number
        if (comment === undefined || !isOwn)
          return yield* refused(`The pull request has no review comment ${comment_id}`)
        all.push(yield* suggestionOf(comment, places.get(comment.thread_id ?? 0), head, index))
      }
      const byPath = [...Map.groupBy(all, ({ path }) => path)]
      const person = yield* Shapes.personOf(caller.user)
      const text = yield* messageOf(message, all, caller.user)
      const { git } = own.repository
      const oid = yield* commit(
        own,
        pull.head_ref,
        Effect.fnUntraced(function* (tip) {
          if (tip !== head) return yield* refused("The head branch has moved")
          const base = (yield* git.commit(tip))?.tree
          const changes = yield* Effect.forEach(byPath, ([path, edits]) => changeOf(git, tip, path, edits))
          const tree = yield* git.writeTree(changes, base)
          if (tree === base) return yield* refused("The suggestions change nothing")
          const content = { tree, parents: [tip], author: person, committer: person, message: text }
          return yield* git.writeCommit(content, signing.sign)
        })
      )
      const sha = Shapes.sha(oid ?? head)
      return withStatus(201, { sha, branch: pull.head_ref, paths: byPath.map(([path]) => path) })
    }
  })
})
