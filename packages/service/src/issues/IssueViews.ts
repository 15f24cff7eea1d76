/** Creates the resources of issues and comments for a reader, in as many statements for a page as for one. */
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import type { Issue } from "@tongs/core/contract/groups/Issue"
import type { IssueComment } from "@tongs/core/contract/groups/IssueComments"
import { readsIssues } from "@tongs/core/contract/IssueAccess"
import type { Caller } from "../access/Caller.ts"
import { Roles } from "../access/Roles.ts"
import type { MarkdownBody } from "../api/MarkdownBody.ts"
import type { RequestContext } from "../api/RequestContext.ts"
import { revisionOf } from "../base/ObjectRevisions.ts"
import type { KeyedItem } from "../base/Paging.ts"
import type { GitError } from "../git/values/GitError.ts"
import { type ServedRepository, RepositoryRegistry } from "../repositories/RepositoryRegistry.ts"
import { AuthorAssociations } from "./AuthorAssociation.ts"
import type { IssueCommentRow } from "./IssueCommentRows.ts"
import type { IssueRow } from "./IssueRows.ts"
import * as IssueShapes from "./IssueShapes.ts"
import { MarkdownBodies } from "./MarkdownBodies.ts"

/** The reader of a view, and how texts are rendered. */
export type Reader = Pick<RequestContext, "caller" | "urls" | "mediaType">

type IssueWithRepository = readonly [row: IssueRow, repository: ServedRepository]

export const make = Effect.gen(function* () {
  const bodies = yield* MarkdownBodies
  const registry = yield* RepositoryRegistry
  const roles = yield* Roles
  const { association } = yield* AuthorAssociations

  /** Returns the ids of the repositories among `ids` whose issues a caller may read. */
  const readable = Effect.fnUntracedEager(function* (caller: Caller, ids: ReadonlySet<number>) {
    if (ids.size === 0) return new Set<number>()
    const rows = yield* registry.byIds(ids)
    return new Set((yield* roles.readable(caller, rows, readsIssues.permission.flat())).map(({ id }) => id))
  })

  /** Returns the texts of issues by id. */
  const textsOf = Effect.fnUntraced(function* (items: ReadonlyArray<IssueWithRepository>, reader: Reader) {
    const made = yield* bodies.make(
      items.map(([{ body }, repository]) => ({ text: body ?? "", repository })),
      reader
    )
    return new Map<number, IssueShapes.IssueDetails["body"]>(
      Arr.zipWith(items, made, ([row], text) => [row.id, row.body === null ? withoutBody(text) : text])
    )
  })

  /** Creates issues, each of its repository. The JSON of rendered texts is not cached, because links depend on more. */
  const issuesOf = Effect.fnUntracedEager(function* (
    items: ReadonlyArray<IssueWithRepository>,
    reader: Reader
  ): Effect.fn.Return<ReadonlyArray<KeyedItem<Issue>>, GitError> {
    const others = items.flatMap(([{ blocked_by, blocking, parent, sub_issues }, { row }]) =>
      [...blocked_by, ...blocking, ...sub_issues, ...(parent === null ? [] : [parent])]
        .map((one) => one.repository_id)
        .filter((other) => other !== row.id)
    )
    const known = yield* readable(reader.caller, new Set(others))
    const texts = isRaw(reader) ? undefined : yield* textsOf(items, reader)
    const made: Array<KeyedItem<Issue>> = []
    for (const [row, repository] of items) {
      const { fullName } = repository
      const details = {
        fullName,
        association: yield* association(repository, row.author, row.standing),
        isReadable: (id: number) => known.has(id),
        body: texts?.get(row.id) ?? { body: row.body }
      }
      made.push({
        key:
          texts === undefined
            ? `${revisionOf(row)} ${fullName} ${details.association} ${[...known].join()}`
            : undefined,
        make: () => IssueShapes.issue(row, details, reader.urls)
      })
    }
    return made
  })

  /** Creates issues of any repositories, each with its row and its repository. Leaves out repositories without git data. */
  const across = Effect.fnUntraced(function* (rows: ReadonlyArray<IssueRow>, reader: Reader) {
    const ids = new Set(rows.map(({ repository_id }) => repository_id))
    const served = yield* registry.open(yield* registry.byIds(ids))
    const byId = new Map(served.map((repository) => [repository.row.id, repository]))
    const items = rows.flatMap((row): ReadonlyArray<IssueWithRepository> => {
      const repository = byId.get(row.repository_id)
      return repository === undefined ? [] : [[row, repository]]
    })
    const issues = yield* issuesOf(items, reader)
    return Arr.zip(items, issues).map(([[row, repository], issue]) => ({ row, repository, issue: issue.make() }))
  })

  /** Creates issues of one repository, whose JSON can be cached. */
  const keyedIssues = (rows: ReadonlyArray<IssueRow>, repository: ServedRepository, reader: Reader) =>
    issuesOf(
      rows.map((row) => [row, repository]),
      reader
    )

  /** Creates issues of one repository. */
  const issues = (rows: ReadonlyArray<IssueRow>, repository: ServedRepository, reader: Reader) =>
    Effect.map(keyedIssues(rows, repository, reader), createAll)

  /** Creates comments on issues of one repository, whose JSON can be cached. */
  const keyedComments = Effect.fnUntracedEager(function* (
    rows: ReadonlyArray<IssueCommentRow>,
    repository: ServedRepository,
    reader: Reader
  ): Effect.fn.Return<ReadonlyArray<KeyedItem<IssueComment>>, GitError> {
    const { fullName } = repository
    const texts = isRaw(reader)
      ? undefined
      : yield* bodies.make(
          rows.map(({ body }) => ({ text: body, repository })),
          reader
        )
    const made: Array<KeyedItem<IssueComment>> = []
    for (const [index, row] of rows.entries()) {
      const details = {
        fullName,
        association: yield* association(repository, row.author, row.standing),
        body: texts?.[index] ?? { body: row.body }
      }
      made.push({
        key: texts === undefined ? `${revisionOf(row)} ${fullName} ${details.association}` : undefined,
        make: () => IssueShapes.comment(row, details, reader.urls)
      })
    }
    return made
  })

  /** Creates comments on issues of one repository. */
  const comments = (rows: ReadonlyArray<IssueCommentRow>, repository: ServedRepository, reader: Reader) =>
    Effect.map(keyedComments(rows, repository, reader), createAll)

  return { across, comments, issues, keyedComments, keyedIssues, readable }
})

const createAll = <A>(items: ReadonlyArray<KeyedItem<A>>) => items.map(({ make }) => make())

/** True if texts are not rendered. */
const isRaw = ({ mediaType }: Reader) => mediaType !== "text" && mediaType !== "html" && mediaType !== "full"

/** The members of a missing body: null, or empty if rendered. */
const withoutBody = ({ body, ...rendered }: MarkdownBody) => ({
  ...rendered,
  ...(body === undefined ? {} : { body: null })
})
