import * as Effect from "effect/Effect"
import type { FieldError } from "@tongs/core/contract/Failure"
import { type NewBypassActor, type Ruleset, Rulesets as Contract } from "@tongs/core/contract/groups/Rulesets"
import { nodeId } from "../../api/NodeId.ts"
import { group } from "../../api/Handlers.ts"
import * as ApiError from "../../api/ApiError.ts"
import { parseTimestamp } from "../../base/Time.ts"
import type { Urls } from "../../api/Urls.ts"
import * as RulesetValidation from "../../rules/RulesetValidation.ts"
import { RulesetRows, type RulesetRow } from "../../rules/RulesetRows.ts"
import { UserRows } from "../../accounts/UserRows.ts"

const summary = (row: RulesetRow, source: string, { api, html }: Urls): Ruleset => ({
  id: row.id,
  name: row.name,
  target: row.target,
  source_type: "Organization",
  source,
  enforcement: row.enforcement,
  node_id: nodeId("RepositoryRuleset", row.id),
  _links: {
    self: { href: `${api}/orgs/${source}/rulesets/${row.id}` },
    html: { href: `${html}/organizations/${source}/settings/rules/${row.id}` }
  },
  created_at: parseTimestamp(row.created_at),
  updated_at: parseTimestamp(row.updated_at)
})

const details = (row: RulesetRow, source: string, urls: Urls): Ruleset => ({
  ...summary(row, source, urls),
  bypass_actors: row.bypass_actors,
  conditions: conditionsOf(row),
  rules: row.rules
})

/** Conditions in one of three forms. Validation ensures that rows have exactly one. */
const conditionsOf = ({ conditions }: RulesetRow): NonNullable<Ruleset["conditions"]> | null => {
  const { ref_name, repository_id, repository_name, repository_property } = conditions ?? {}
  const refs = ref_name === undefined ? {} : { ref_name }
  if (repository_name !== undefined) return { ...refs, repository_name }
  if (repository_id !== undefined) return { ...refs, repository_id }
  if (repository_property === undefined) return null
  const { exclude, include } = repository_property
  return {
    ...refs,
    repository_property: {
      ...(include === undefined ? {} : { include: include.map(withSource) }),
      ...(exclude === undefined ? {} : { exclude: exclude.map(withSource) })
    }
  }
}

const withSource = <P extends object>(property: P) => ({ source: "custom", ...property })

const failed = (errors: ReadonlyArray<FieldError>) =>
  ApiError.invalid(`Validation Failed: ${errors.map(({ message = "" }) => message).join("; ")}`, errors)

export const make = Effect.gen(function* () {
  const rulesets = yield* RulesetRows
  const users = yield* UserRows

  /** Errors for bypass actors of type `User` without a user account. */
  const strangers = Effect.fnUntraced(function* (actors: ReadonlyArray<NewBypassActor>) {
    const errors: Array<FieldError> = []
    for (const [index, { actor_id, actor_type }] of actors.entries()) {
      if (actor_type !== "User" || typeof actor_id !== "number") continue
      const user = yield* users.byId(actor_id)
      if (user?.type === "User") continue
      const field = `bypass_actors.${index}.actor_id`
      errors.push({ resource: "Ruleset", field, code: "missing", message: `${field}: no user with id ${actor_id}` })
    }
    return errors
  })

  return group(Contract)({
    *listForOrg({ targets: wanted }, { organization, page, urls }) {
      const named = (wanted ?? "")
        .split(",")
        .map((target) => target.trim())
        .filter((target) => target !== "")
      const { items, total } = yield* rulesets.list(organization.id, [...new Set(named)], page)
      return { items: items.map((row) => summary(row, organization.login, urls)), total }
    },

    *getForOrg({ ruleset_id }, { organization, urls }) {
      const row = yield* rulesets.get(organization.id, ruleset_id)
      return row === undefined ? yield* ApiError.notFound() : details(row, organization.login, urls)
    },

    *createForOrg(body, { organization, urls }) {
      const { bypass_actors = [], conditions, enforcement, name, rules = [], target = "branch" } = body
      const errors = [...(yield* RulesetValidation.validate(body)), ...(yield* strangers(bypass_actors))]
      if (errors.length > 0) return yield* failed(errors)
      const row = yield* rulesets
        .add(organization.id, {
          name,
          target,
          enforcement,
          bypass_actors: bypass_actors.map((actor) => ({ bypass_mode: "always", ...actor })),
          conditions: conditions ?? null,
          rules
        })
        .pipe(
          Effect.mapError(() =>
            failed([{ resource: "Ruleset", field: "name", code: "already_exists", message: "name: must be unique" }])
          )
        )
      return details(row, organization.login, urls)
    }
  })
})
