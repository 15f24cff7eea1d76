/** Creates the resources of pull requests for a reader, in as many statements for a page as for one. */
import { hash } from "node:crypto"
import * as Effect from "effect/Effect"
import type { PullRequestSummary } from "@tongs/core/contract/groups/PullRequest"
import type { Repository } from "@tongs/core/contract/groups/Repository"
import { Roles } from "../../access/Roles.ts"
import * as GitFacts from "../../api/GitFacts.ts"
import type { RepositoryContext } from "../../api/RequestContext.ts"
import * as Shapes from "../../api/Shapes.ts"
import { revisionOf } from "../../base/ObjectRevisions.ts"
import type { KeyedItem } from "../../base/Paging.ts"
import { AuthorAssociations } from "../../issues/AuthorAssociation.ts"
import type { IssueRow } from "../../issues/IssueRows.ts"
import { MarkdownBodies } from "../../issues/MarkdownBodies.ts"
import { type PullRequestRow, PullRequestRows } from "../../issues/PullRequestRows.ts"
import * as PullRequestShapes from "../../issues/PullRequestShapes.ts"
import * as MergeState from "../../pulls/MergeState.ts"
import { RepositoryRegistry } from "../../repositories/RepositoryRegistry.ts"
import type { Found } from "./PullRequestTarget.ts"

const isRendered = ({ mediaType }: RepositoryContext) =>
  mediaType === "text" || mediaType === "html" || mediaType === "full"

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
    const { repository } = context
    if (!isRendered(context)) return issues.map(({ body }) => ({ body }))
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

  /** Creates the pull requests of a list. The JSON of rendered texts is not cached, because links depend on more. */
  const summaries = Effect.fnUntraced(function* (issues: ReadonlyArray<IssueRow>, context: RepositoryContext) {
    const rows = yield* pulls.byIssues(issues.map(({ id }) => id))
    const found = issues.flatMap((issue): ReadonlyArray<Found> => {
      const pull = rows.get(issue.id)
      return pull === undefined ? [] : [{ issue, pull }]
    })
    const identities = new Map<object | null, string>([[null, ""]])
    const identityOf = (repository: Repository | null) => {
      const known = identities.get(repository)
      if (known !== undefined) return known
      const made = hash("sha1", JSON.stringify(repository), "base64")
      identities.set(repository, made)
      return made
    }
    return (yield* detailed(found, context)).map(({ details, issue, pull }): KeyedItem<PullRequestSummary> => {
      const repositories = `${identityOf(details.base)} ${identityOf(details.head)}`
      return {
        key: isRendered(context)
          ? undefined
          : `${revisionOf(issue)} ${JSON.stringify(pull)} ${details.association} ${repositories}`,
        make: () => PullRequestShapes.summary(issue, pull, details, context.urls)
      }
    })
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
