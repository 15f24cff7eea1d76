/** Creates, changes and deletes rulesets, each in one transaction with the version and the webhook deliveries. */
import * as Effect from "effect/Effect"
import type { FieldError } from "@tongs/core/contract/Failure"
import type { NewBypassActor, NewRuleset, RulesetChange } from "@tongs/core/contract/groups/Rulesets"
import { InstallationRows } from "../../access/InstallationRows.ts"
import { TeamRows } from "../../accounts/TeamRows.ts"
import { type UserRow, UserRows } from "../../accounts/UserRows.ts"
import * as ApiError from "../../api/ApiError.ts"
import type { SignedInOrganizationContext, SignedInRepositoryContext } from "../../api/RequestContext.ts"
import { AutoMergeQueue } from "../../events/AutoMergeQueue.ts"
import { Events } from "../../events/Events.ts"
import * as RulesetValidation from "../../rules/RulesetValidation.ts"
import { type RulesetContent, RulesetRows, type RulesetRow } from "../../rules/RulesetRows.ts"
import { RulesetVersionRows } from "../../rules/RulesetVersionRows.ts"
import * as Transaction from "../../storage/Transaction.ts"
import * as RulesetShapes from "./RulesetShapes.ts"

type Context = SignedInOrganizationContext | SignedInRepositoryContext

/** The organization or repository of a request. */
type Target =
  | Pick<SignedInOrganizationContext, "kind" | "organization">
  | Pick<SignedInRepositoryContext, "kind" | "repository">

/** Returns the source of the rulesets of a request. */
export const sourceOf = (context: Target): RulesetShapes.RulesetSource =>
  context.kind === "organization"
    ? RulesetShapes.ofOrganization(context.organization)
    : RulesetShapes.ofRepository(context.repository)

const accountOf = (context: Context): UserRow =>
  context.kind === "organization" ? context.organization : context.repository.row.owner

const failed = (errors: ReadonlyArray<FieldError>) =>
  ApiError.invalid(`Validation Failed: ${errors.map(({ message = "" }) => message).join("; ")}`, errors)

const nameTaken = () =>
  failed([{ resource: "Ruleset", field: "name", code: "already_exists", message: "name: must be unique" }])

const kinds = { User: "user", Team: "team", Integration: "app" } as const // words of messages

/** Maximum number of rulesets of an organization or repository. */
const MAX_RULESETS = 75

export const make = Effect.gen(function* () {
  const autoMerges = yield* AutoMergeQueue
  const events = yield* Events
  const installations = yield* InstallationRows
  const rulesets = yield* RulesetRows
  const teams = yield* TeamRows
  const transaction = yield* Transaction.make
  const users = yield* UserRows
  const versions = yield* RulesetVersionRows

  /** Errors for bypass actors without an account, team or app. */
  const strangers = Effect.fnUntraced(function* (actors: ReadonlyArray<NewBypassActor>, organizationId: number) {
    const idsOf = (type: keyof typeof kinds) =>
      actors.flatMap(({ actor_id, actor_type }) =>
        actor_type === type && typeof actor_id === "number" ? [actor_id] : []
      )
    const found = { User: new Set<number>(), Team: new Set<number>(), Integration: new Set<number>() }
    for (const id of new Set(idsOf("User"))) if ((yield* users.byId(id))?.type === "User") found.User.add(id)
    if (idsOf("Team").length > 0)
      for (const { id } of yield* teams.byIds(organizationId, idsOf("Team"))) found.Team.add(id)
    if (idsOf("Integration").length > 0)
      for (const id of (yield* installations.appsById(idsOf("Integration"))).keys()) found.Integration.add(id)
    return actors.flatMap(({ actor_id, actor_type }, index): ReadonlyArray<FieldError> => {
      if (actor_type !== "User" && actor_type !== "Team" && actor_type !== "Integration") return []
      if (typeof actor_id !== "number" || found[actor_type].has(actor_id)) return []
      const field = `bypass_actors.${index}.actor_id`
      const message = `${field}: no ${kinds[actor_type]} with id ${actor_id}`
      return [{ resource: "Ruleset", field, code: "missing", message }]
    })
  })

  const contentOf = Effect.fnUntraced(function* (ruleset: NewRuleset, context: Context) {
    const { bypass_actors = [], conditions, enforcement, name, rules = [], target = "branch" } = ruleset
    const errors = [
      ...(yield* RulesetValidation.validate(ruleset, context.kind)),
      ...(yield* strangers(bypass_actors, accountOf(context).id))
    ]
    if (errors.length > 0) return yield* failed(errors)
    return {
      name,
      target,
      enforcement,
      bypass_actors: bypass_actors.map((actor) => ({ bypass_mode: "always" as const, ...actor })),
      conditions: conditions ?? null,
      rules
    } satisfies RulesetContent
  })

  const announce = Effect.fnUntraced(function* (
    action: "created" | "edited" | "deleted",
    row: RulesetRow,
    context: Context,
    changes?: object
  ) {
    const payload = {
      repository_ruleset: RulesetShapes.details(row, sourceOf(context), context.urls, true),
      ...(changes === undefined ? {} : { changes })
    }
    const event = { actor: context.caller.user, event: "repository_ruleset", action, payload } as const // literal type
    yield* autoMerges.offer({ _tag: "All" })
    return yield* context.kind === "organization"
      ? events.announceInOrganization({ ...event, organization: context.organization })
      : events.announce({ ...event, repository: context.repository })
  })

  const create = Effect.fnUntraced(function* (ruleset: NewRuleset, context: Context) {
    const content = yield* contentOf(ruleset, context)
    const { owner } = sourceOf(context)
    return yield* transaction(
      Effect.gen(function* () {
        if ((yield* rulesets.listAll(owner)).length >= MAX_RULESETS)
          return yield* ApiError.invalid(`At most ${MAX_RULESETS} rulesets are allowed`)
        const row = yield* Effect.mapError(rulesets.add(owner, content), nameTaken)
        yield* versions.add(row.id, context.caller.user.id, content)
        yield* announce("created", row, context)
        return row
      })
    )
  })

  const find = Effect.fnUntraced(function* (id: number, context: Target) {
    return (yield* rulesets.get(sourceOf(context).owner, id)) ?? (yield* ApiError.notFound())
  })

  const update = Effect.fnUntraced(function* (id: number, change: RulesetChange, context: Context) {
    return yield* transaction(
      Effect.gen(function* () {
        const before = yield* find(id, context)
        const { conditions, ...members } = before
        const kept = { ...members, ...(conditions === null ? {} : { conditions }) }
        const content = yield* contentOf({ ...kept, ...change }, context)
        const row = yield* Effect.mapError(rulesets.set(before, content), nameTaken)
        yield* versions.add(row.id, context.caller.user.id, content)
        yield* announce("edited", row, context, changesOf(before, row))
        return row
      })
    )
  })

  const remove = Effect.fnUntraced(function* (id: number, context: Context) {
    yield* transaction(
      Effect.gen(function* () {
        const row = yield* find(id, context)
        yield* rulesets.remove(row.id)
        yield* announce("deleted", row, context)
      })
    )
  })

  return { create, find, remove, update, versions }
})

/** The changes of an edited ruleset, as in the webhook event. */
const changesOf = (before: RulesetRow, after: RulesetRow) => {
  const former = new Map(before.rules.map((rule) => [rule.type, rule]))
  const types = new Set(after.rules.map(({ type }) => type))
  const added = after.rules.filter(({ type }) => !former.has(type))
  const deleted = before.rules.filter(({ type }) => !types.has(type))
  const updated = after.rules.flatMap((rule) => {
    const old = former.get(rule.type)
    const configuration = { from: JSON.stringify(old) }
    return old === undefined || configuration.from === JSON.stringify(rule)
      ? []
      : [{ rule, changes: { configuration } }]
  })
  return {
    ...(before.name === after.name ? {} : { name: { from: before.name } }),
    ...(before.enforcement === after.enforcement ? {} : { enforcement: { from: before.enforcement } }),
    ...(added.length + deleted.length + updated.length === 0 ? {} : { rules: { added, deleted, updated } })
  }
}
