/** Creates the resources of issues and comments for a reader, in as many statements for a page as for one. */
import * as Effect from "effect/Effect"
import type { Issue } from "@tongs/core/contract/groups/Issue"
import type { IssueComment } from "@tongs/core/contract/groups/IssueComments"
import type { Caller } from "../access/Caller.ts"
import { Roles } from "../access/Roles.ts"
import * as MarkdownBody from "../api/MarkdownBody.ts"
import type { RequestContext } from "../api/RequestContext.ts"
import type { GitError } from "../git/values/GitError.ts"
import { type ServedRepository, RepositoryRegistry } from "../repositories/RepositoryRegistry.ts"
import * as AuthorAssociation from "./AuthorAssociation.ts"
import type { IssueCommentRow } from "./IssueCommentRows.ts"
import type { IssueRow } from "./IssueRows.ts"
import * as IssueShapes from "./IssueShapes.ts"
import { MilestoneRows } from "./MilestoneRows.ts"

/** The reader of a view, and how texts are rendered. */
export type Reader = Pick<RequestContext, "caller" | "urls" | "mediaType">

const isNumber = (value: number | null): value is number => value !== null

export const make = Effect.gen(function* () {
  const milestones = yield* MilestoneRows
  const registry = yield* RepositoryRegistry
  const roles = yield* Roles
  const { association } = yield* AuthorAssociation.make

  /** Returns the ids of the repositories among `ids` that a caller may see. */
  const readable = Effect.fnUntraced(function* (caller: Caller, ids: ReadonlySet<number>) {
    if (ids.size === 0) return new Set<number>()
    const rows = (yield* registry.list).filter(({ id }) => ids.has(id))
    return new Set((yield* roles.visible(caller, rows)).map(({ id }) => id))
  })

  const bodyOf = Effect.fnUntraced(function* (source: string | null, { mediaType }: Reader) {
    if (source !== null) return yield* MarkdownBody.make(source, mediaType)
    const { body: _, ...rendered } = yield* MarkdownBody.make("", mediaType)
    return { ...rendered, ...(mediaType === "text" || mediaType === "html" ? {} : { body: null }) }
  })

  /** Creates issues, each of its repository. */
  const issuesOf = Effect.fnUntraced(function* (
    items: ReadonlyArray<readonly [row: IssueRow, repository: ServedRepository]>,
    reader: Reader
  ): Effect.fn.Return<ReadonlyArray<Issue>, GitError> {
    const others = items.flatMap(
      ([
        { blocked_by, blocking, parent, sub_issues },
        {
          row: { id }
        }
      ]) =>
        [...blocked_by, ...blocking, ...sub_issues, ...(parent === null ? [] : [parent])]
          .map((one) => one.repository_id)
          .filter((other) => other !== id)
    )
    const known = yield* readable(reader.caller, new Set(others))
    const found = yield* milestones.byIds([...new Set(items.map(([row]) => row.milestone_id).filter(isNumber))])
    return yield* Effect.forEach(
      items,
      Effect.fnUntraced(function* ([row, repository]) {
        const details = {
          fullName: repository.fullName,
          association: yield* association(repository, row.author, row.standing),
          milestone: row.milestone_id === null ? undefined : found.get(row.milestone_id),
          isReadable: (id: number) => known.has(id),
          body: yield* bodyOf(row.body, reader)
        }
        return IssueShapes.issue(row, details, reader.urls)
      })
    )
  })

  /** Creates issues of one repository. */
  const issues = (rows: ReadonlyArray<IssueRow>, repository: ServedRepository, reader: Reader) =>
    issuesOf(
      rows.map((row) => [row, repository]),
      reader
    )

  /** Creates comments on issues of one repository. */
  const comments = (rows: ReadonlyArray<IssueCommentRow>, repository: ServedRepository, reader: Reader) =>
    Effect.forEach(
      rows,
      Effect.fnUntraced(function* (row): Effect.fn.Return<IssueComment, GitError> {
        const details = {
          fullName: repository.fullName,
          association: yield* association(repository, row.author, row.standing),
          body: yield* MarkdownBody.make(row.body, reader.mediaType)
        }
        return IssueShapes.comment(row, details, reader.urls)
      })
    )

  return { comments, issues, issuesOf, readable }
})
