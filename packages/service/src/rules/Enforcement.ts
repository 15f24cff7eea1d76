/** Enforces rulesets before a reference changes. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Forbidden, ValidationFailed } from "@tongs/core/contract/Failure"
import { Git } from "../git/process/Git.ts"
import type { GitError } from "../git/values/GitError.ts"
import type { ServedRepository } from "../repositories/RepositoryRegistry.ts"
import type { Caller } from "../access/Caller.ts"
import * as ApiError from "../api/ApiError.ts"
import { type Role, Roles } from "../access/Roles.ts"
import { type Evaluation, RulesetRows, type RulesetRow, type Violation } from "./RulesetRows.ts"
import { Verifier } from "../verification/Verifier.ts"
import * as Bypass from "./Bypass.ts"
import * as RuleChecks from "./RuleChecks.ts"
import * as RulesetConditions from "./RulesetConditions.ts"
import * as WorkflowFiles from "./WorkflowFiles.ts"

/** The caller that changes a reference, the caller's role, and the repository. */
export interface PushActor {
  readonly caller: Caller
  readonly role: Role
  readonly repository: ServedRepository
}

/** Id of a repository without a row, which the first push creates. No evaluations are recorded for this id. */
export const UNREGISTERED_ID = 0

/** Maximum time to check one rule. */
const MAX_DURATION = "20 seconds"
const tooLong = () => Effect.succeed(`not checked within ${MAX_DURATION}`)

interface RulesetResult {
  readonly ruleset: RulesetRow
  readonly result: Evaluation["result"]
  readonly violations: ReadonlyArray<Violation>
}

/**
 * Checks changes of references against the rulesets of organizations, and changes of workflow files against the token.
 */
export class Enforcement extends Context.Service<
  Enforcement,
  {
    /**
     * Fails with the violated rules of active rulesets, or if the token may not change workflow files. Records the
     * results of rulesets in evaluation mode, and all failed or bypassed checks.
     */
    check(actor: PushActor, change: RuleChecks.RefChange): Effect.Effect<void, Forbidden | ValidationFailed | GitError>
    /** Returns the branches that an active ruleset with rules protects. `refs` are full names. */
    protectedBranches(
      repository: ServedRepository,
      refs: ReadonlyArray<string>
    ): Effect.Effect<ReadonlySet<string>, GitError>
    /** Returns the checks that active rulesets require on a branch, by default on the default branch. */
    requiredChecks(
      repository: ServedRepository,
      branch?: string
    ): Effect.Effect<ReadonlyArray<RuleChecks.RequiredCheck>, GitError>
  }
>()("@tongs/service/rules/Enforcement") {
  static readonly layer = Layer.effect(
    Enforcement,
    Effect.gen(function* () {
      const git = yield* Git
      const roles = yield* Roles
      const rulesets = yield* RulesetRows
      const verifier = yield* Verifier

      /** Returns a function that decides whether a ruleset applies to a reference of a repository. */
      const matcher = Effect.fnUntraced(function* ({ git, row }: ServedRepository) {
        const subject = {
          repositoryId: row.id,
          repositoryName: row.name,
          properties: {
            custom: yield* rulesets.properties(row.id),
            system: new Map([
              ["visibility", [row.private === 1 ? "private" : "public"]],
              ["fork", ["false"]]
            ])
          },
          defaultBranch: yield* git.head
        }
        return (ruleset: RulesetRow, ref: string) => RulesetConditions.matchesConditions(ruleset, { ...subject, ref })
      })

      const applicableRulesets = Effect.fnUntraced(function* (repository: ServedRepository, ref: string) {
        const enabled = yield* rulesets.listEnabled(repository.row.owner.id)
        if (enabled.length === 0) return enabled
        const matches = yield* matcher(repository)
        return enabled.filter((ruleset) => matches(ruleset, ref))
      })

      const protectedBranches = Effect.fn("Enforcement.protectedBranches")(function* (
        repository: ServedRepository,
        refs: ReadonlyArray<string>
      ) {
        const found = new Set<string>()
        if (repository.row.owner.type !== "Organization") return found
        const active = (yield* rulesets.listEnabled(repository.row.owner.id)).filter(
          ({ enforcement, rules, target }) => target === "branch" && enforcement === "active" && rules.length > 0
        )
        if (active.length === 0) return found
        const matches = yield* matcher(repository)
        for (const ref of refs) if (active.some((ruleset) => matches(ruleset, ref))) found.add(ref)
        return found
      })

      const requiredChecks = Effect.fn("Enforcement.requiredChecks")(function* (
        repository: ServedRepository,
        branch?: string
      ) {
        if (repository.row.owner.type !== "Organization") return []
        const active = (yield* rulesets.listEnabled(repository.row.owner.id)).filter(
          ({ enforcement, rules, target }) =>
            target === "branch" &&
            enforcement === "active" &&
            rules.some(({ type }) => type === "required_status_checks")
        )
        if (active.length === 0) return []
        const matches = yield* matcher(repository)
        const ref = `refs/heads/${branch ?? (yield* repository.git.head)}`
        return active
          .filter((ruleset) => matches(ruleset, ref))
          .flatMap(({ rules }) => rules)
          .flatMap((rule) => {
            if (rule.type !== "required_status_checks") return []
            const isStrict = rule.parameters.strict_required_status_checks_policy
            return rule.parameters.required_status_checks.map((check) => ({ ...check, isStrict }))
          })
      })

      const check = Effect.fn("Enforcement.check")(function* (
        { caller, repository, role }: PushActor,
        change: RuleChecks.RefChange
      ) {
        yield* WorkflowFiles.check(caller, repository.git, change)
        const { id, owner } = repository.row
        if (caller.kind === "anonymous" || owner.type !== "Organization") return
        const applied = yield* applicableRulesets(repository, change.ref)
        if (applied.length === 0) return

        const actor: Bypass.RuleActor = {
          userId: caller.user.id,
          appId: caller.kind === "installation" ? caller.installation?.appId : undefined,
          isOrganizationAdmin: (yield* roles.onOrganization(caller, owner.id)) === "admin",
          role
        }
        const violationsOf = yield* RuleChecks.make(git, repository.git, verifier, change)
        const results: Array<RulesetResult> = []
        for (const ruleset of applied) {
          const bypass = Bypass.bypassOf(ruleset.bypass_actors, actor, change.pullRequest !== undefined)
          if (bypass === "exempt") continue
          const violations: Array<Violation> = []
          for (const rule of ruleset.rules) {
            const message = yield* Effect.timeoutOrElse(violationsOf(rule), { duration: MAX_DURATION, orElse: tooLong })
            if (message !== undefined) violations.push({ rule: rule.type, message })
          }
          const result = violations.length === 0 ? "pass" : bypass === undefined ? "fail" : "bypass"
          results.push({ ruleset, result, violations })
        }

        const recorded = results.filter(
          ({ result, ruleset }) => ruleset.enforcement === "evaluate" || result !== "pass"
        )
        if (recorded.length > 0 && id !== UNREGISTERED_ID) {
          yield* rulesets.record(
            recorded.map(({ result, ruleset, violations }) => ({
              ruleset_id: ruleset.id,
              repository_id: id,
              actor_id: caller.user.id,
              ref: change.ref,
              before_oid: change.before,
              after_oid: change.after,
              result,
              violations
            }))
          )
        }
        const failed = results.filter(({ result, ruleset }) => ruleset.enforcement === "active" && result === "fail")
        if (failed.length > 0) return yield* violationError(failed)
      })

      return Enforcement.of({ check, protectedBranches, requiredChecks })
    })
  )
}

const violationError = (failed: ReadonlyArray<RulesetResult>) => {
  const errors = failed.flatMap(({ ruleset, violations }) =>
    violations.map(({ message, rule }) => ({
      resource: "Ruleset",
      field: rule,
      code: "custom",
      message: `ruleset ${JSON.stringify(ruleset.name)}, rule ${rule}: ${message}`
    }))
  )
  return ApiError.invalid(
    `Repository rule violations found: ${errors.map(({ message }) => message).join("; ")}`,
    errors
  )
}
