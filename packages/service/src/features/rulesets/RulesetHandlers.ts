import * as Effect from "effect/Effect"
import { Rulesets as Contract } from "@tongs/core/contract/groups/Rulesets"
import { group } from "../../api/Handlers.ts"
import * as ApiError from "../../api/ApiError.ts"
import { RulesetRows } from "../../rules/RulesetRows.ts"
import * as RulesetChanges from "./RulesetChanges.ts"
import * as RulesetShapes from "./RulesetShapes.ts"
import { targetsOf } from "./RulesetTargets.ts"

/** Handlers of the rulesets of organizations. */
export const make = Effect.gen(function* () {
  const changes = yield* RulesetChanges.make
  const rulesets = yield* RulesetRows

  return group(Contract)({
    *listForOrg({ targets }, { organization, page, urls }) {
      const source = RulesetShapes.ofOrganization(organization)
      const { items, total } = yield* rulesets.list(source.owner, targetsOf(targets), page)
      return { items: items.map((row) => RulesetShapes.summary(row, source, urls)), total }
    },

    *getForOrg({ ruleset_id }, context) {
      const row = yield* changes.find(ruleset_id, context)
      return RulesetShapes.details(row, RulesetChanges.sourceOf(context), context.urls, true)
    },

    *createForOrg(ruleset, context) {
      const row = yield* changes.create(ruleset, context)
      return RulesetShapes.details(row, RulesetChanges.sourceOf(context), context.urls, true)
    },

    *updateForOrg(change, context) {
      const row = yield* changes.update(change.ruleset_id, change, context)
      return RulesetShapes.details(row, RulesetChanges.sourceOf(context), context.urls, true)
    },

    *deleteForOrg({ ruleset_id }, context) {
      yield* changes.remove(ruleset_id, context)
    },

    *listVersionsForOrg({ ruleset_id }, context) {
      const { id } = yield* changes.find(ruleset_id, context)
      const { items, total } = yield* changes.versions.list(id, context.page)
      return { items: items.map(RulesetShapes.version), total }
    },

    *getVersionForOrg({ ruleset_id, version_id }, context) {
      const { id } = yield* changes.find(ruleset_id, context)
      const version = yield* changes.versions.get(id, version_id)
      if (version === undefined) return yield* ApiError.notFound()
      const state = RulesetShapes.stateOf(id, version.state, RulesetChanges.sourceOf(context))
      return { ...RulesetShapes.version(version), state }
    }
  })
})
