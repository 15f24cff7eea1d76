/** Creates the resources of pull requests for a reader, in as many statements for a page as for one. */
import * as Effect from "effect/Effect"
import type { Repository } from "@tongs/core/contract/groups/Repository"
import { Roles } from "../../access/Roles.ts"
import * as GitFacts from "../../api/GitFacts.ts"
import type { RepositoryContext } from "../../api/RequestContext.ts"
import * as Shapes from "../../api/Shapes.ts"
import { AuthorAssociations } from "../../issues/AuthorAssociation.ts"
import type { IssueRow } from "../../issues/IssueRows.ts"
import { MarkdownBodies } from "../../issues/MarkdownBodies.ts"
import { type PullRequestRow, PullRequestRows } from "../../issues/PullRequestRows.ts"
import * as PullRequestShapes from "../../issues/PullRequestShapes.ts"
import * as MergeState from "../../pulls/MergeState.ts"
import { RepositoryRegistry } from "../../repositories/RepositoryRegistry.ts"
import type { Found } from "./PullRequestTarget.ts"

export const make = Effect.gen(function* () {
  const bodies = yield* MarkdownBodies
  const pulls = yield* PullRequestRows
  const registry = yield* RepositoryRegistry
  const roles = yield* Roles
  const stateOf = yield* MergeState.make
  const { association } = yield* AuthorAssociations

  /** Returns the repositories of the heads that the reader may see, by id. */
  const headsOf = Effect.fnUntraced(function* (
    rows: ReadonlyArray<PullRequestRow>,
    { caller, repository, role, urls }: RepositoryContext
  ) {
    const base = Shapes.repository(repository, yield* GitFacts.read(repository), role, urls)
    const heads = new Map<number, Repository>([[repository.row.id, base]])
    const others = new Set(rows.flatMap(({ head_repository_id: id }) => (id === null || heads.has(id) ? [] : [id])))
    if (others.size === 0) return { base, heads }
    const listed = yield* registry.byIds(others)
    const served = yield* registry.open(yield* roles.readable(caller, listed))
    const roleOf = yield* roles.onRepositories(
      caller,
      served.map(({ row }) => row)
    )
    for (const one of served) {
      const shape = Shapes.repository(one, yield* GitFacts.read(one), roleOf.get(one.row.id) ?? "none", urls)
      heads.set(one.row.id, shape)
    }
    return { base, heads }
  })

  /** The rendered texts, or the source of the texts. */
  const textsOf = Effect.fnUntraced(function* (issues: ReadonlyArray<IssueRow>, context: RepositoryContext) {
    const { mediaType, repository } = context
    if (mediaType !== "text" && mediaType !== "html" && mediaType !== "full")
      return issues.map(({ body }) => ({ body }))
    const made = yield* bodies.make(
      issues.map(({ body }) => ({ text: body ?? "", repository })),
      context
    )
    return made.map(({ body, ...rendered }, index) => ({
      ...rendered,
      ...(body === undefined ? {} : { body: issues[index]?.body ?? null })
    }))
  })

  const detailed = Effect.fnUntraced(function* (found: ReadonlyArray<Found>, context: RepositoryContext) {
    const { repository } = context
    const { base, heads } = yield* headsOf(
      found.map(({ pull }) => pull),
      context
    )
    const texts = yield* textsOf(
      found.map(({ issue }) => issue),
      context
    )
    return yield* Effect.forEach(found, ({ issue, pull }, index) =>
      Effect.map(association(repository, issue.author, issue.standing), (association) => ({
        issue,
        pull,
        details: {
          fullName: repository.fullName,
          owner: repository.row.owner,
          association,
          body: texts[index] ?? { body: issue.body },
          base,
          head: heads.get(pull.head_repository_id ?? 0) ?? null
        }
      }))
    )
  })

  /** Creates the pull requests of a list. */
  const summaries = Effect.fnUntraced(function* (issues: ReadonlyArray<IssueRow>, context: RepositoryContext) {
    const rows = yield* pulls.byIssues(issues.map(({ id }) => id))
    const found = issues.flatMap((issue): ReadonlyArray<Found> => {
      const pull = rows.get(issue.id)
      return pull === undefined ? [] : [{ issue, pull }]
    })
    return (yield* detailed(found, context)).map(({ details, issue, pull }) =>
      PullRequestShapes.summary(issue, pull, details, context.urls)
    )
  })

  /** Creates one pull request. */
  const one = Effect.fnUntraced(function* (found: Found, context: RepositoryContext) {
    const [first] = yield* detailed([found], context)
    if (first === undefined) return yield* Effect.die(new Error("A pull request has no view"))
    const shape = PullRequestShapes.pullRequest(first.issue, first.pull, first.details, context.urls)
    if (shape.mergeable_state !== "clean") return shape
    return { ...shape, mergeable_state: yield* stateOf(first.pull, context.repository) }
  })

  return { one, summaries }
})
