import * as Effect from "effect/Effect"
import { RepositoryRulesets } from "@tongs/core/contract/groups/RepositoryRulesets"
import { atLeast } from "../../access/Roles.ts"
import { group } from "../../api/Handlers.ts"
import * as ApiError from "../../api/ApiError.ts"
import type { RepositoryContext } from "../../api/RequestContext.ts"
import * as Paging from "../../base/Paging.ts"
import { Enforcement } from "../../rules/Enforcement.ts"
import { RulesetRows, type RulesetRow } from "../../rules/RulesetRows.ts"
import * as RulesetChanges from "./RulesetChanges.ts"
import * as RulesetShapes from "./RulesetShapes.ts"
import { targetsOf } from "./RulesetTargets.ts"

/** Handlers of the rulesets of repositories. */
export const make = Effect.gen(function* () {
  const changes = yield* RulesetChanges.make
  const rules = yield* Enforcement
  const rulesets = yield* RulesetRows

  /** Returns the rulesets of the repository, and by default those of the organization that select the repository. */
  const rulesetsOf = Effect.fnUntraced(function* ({ repository }: RepositoryContext, includesParents = true) {
    const own = yield* rulesets.listAll({ repositoryId: repository.row.id })
    return includesParents ? [...own, ...(yield* rules.parentRulesets(repository))] : own
  })

  const details = Effect.fnUntraced(function* (row: RulesetRow, context: RepositoryContext) {
    const { direct, merge } = yield* rules.bypasses(context, row)
    const mode = direct ?? (merge === undefined ? "never" : "pull_requests_only")
    return {
      ...RulesetShapes.details(
        row,
        RulesetShapes.sourceOf(row, context.repository),
        context.urls,
        atLeast(context.role, "admin")
      ),
      current_user_can_bypass: mode
    }
  })

  return group(RepositoryRulesets)({
    *list({ includes_parents, targets }, context) {
      const wanted = targetsOf(targets)
      const all = (yield* rulesetsOf(context, includes_parents)).filter(
        ({ target }) => wanted.length === 0 || wanted.includes(target)
      )
      const { items, total } = Paging.slice(all, context.page)
      const { repository, urls } = context
      return {
        items: items.map((row) => RulesetShapes.summary(row, RulesetShapes.sourceOf(row, repository), urls)),
        total
      }
    },

    *create(ruleset, context) {
      return yield* details(yield* changes.create(ruleset, context), context)
    },

    *get({ includes_parents, ruleset_id }, context) {
      const row = (yield* rulesetsOf(context, includes_parents)).find(({ id }) => id === ruleset_id)
      return row === undefined ? yield* ApiError.notFound() : yield* details(row, context)
    },

    *update(change, context) {
      return yield* details(yield* changes.update(change.ruleset_id, change, context), context)
    },

    *delete({ ruleset_id }, context) {
      yield* changes.remove(ruleset_id, context)
    },

    *listVersions({ ruleset_id }, context) {
      const { id } = yield* changes.find(ruleset_id, context)
      const { items, total } = yield* changes.versions.list(id, context.page)
      return { items: items.map(RulesetShapes.version), total }
    },

    *getVersion({ ruleset_id, version_id }, context) {
      const { id } = yield* changes.find(ruleset_id, context)
      const version = yield* changes.versions.get(id, version_id)
      if (version === undefined) return yield* ApiError.notFound()
      const state = RulesetShapes.stateOf(id, version.state, RulesetChanges.sourceOf(context))
      return { ...RulesetShapes.version(version), state }
    },

    *listBranchRules({ branch }, { page, repository }) {
      const active = yield* rules.branchRulesets(repository, branch)
      const all = active.flatMap((row) => RulesetShapes.branchRules(row, RulesetShapes.sourceOf(row, repository)))
      return Paging.slice(all, page)
    }
  })
})
