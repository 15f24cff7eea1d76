/** Enforces rulesets and branch protections before a reference changes. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Forbidden, ValidationFailed } from "@tongs/core/contract/Failure"
import type { Caller } from "../access/Caller.ts"
import { type Role, Roles } from "../access/Roles.ts"
import { TeamRows } from "../accounts/TeamRows.ts"
import * as ApiError from "../api/ApiError.ts"
import { Git } from "../git/process/Git.ts"
import type { GitError } from "../git/values/GitError.ts"
import * as RefName from "../git/values/RefName.ts"
import type { ServedRepository } from "../repositories/RepositoryRegistry.ts"
import { Verifier } from "../verification/Verifier.ts"
import { BranchProtectionRows } from "./BranchProtectionRows.ts"
import * as Bypass from "./Bypass.ts"
import { ImmutableTagRows } from "./ImmutableTagRows.ts"
import * as RuleChecks from "./RuleChecks.ts"
import * as RulesetConditions from "./RulesetConditions.ts"
import { RulesetRows, type RulesetRow } from "./RulesetRows.ts"
import * as RuleSources from "./RuleSources.ts"
import { type RuleEvaluation, RuleSuiteRows, type SuiteResult } from "./RuleSuiteRows.ts"
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

/** Maximum length of a recorded violation, in characters. */
const MAX_MESSAGE = 2000

/** The result of the rules of a source. */
interface SourceResult {
  readonly source: RuleSources.RuleSource
  readonly evaluations: ReadonlyArray<RuleEvaluation>
  /** The violations that the actor may not bypass. */
  readonly refusals: ReadonlyArray<RuleEvaluation>
}

/**
 * Checks changes of references against rulesets and branch protections, and changes of workflow files against the token.
 */
export class Enforcement extends Context.Service<
  Enforcement,
  {
    /**
     * Fails with the violated rules of active rulesets and branch protections, or if the token may not change workflow
     * files. Records the results of all rules as a rule suite.
     */
    check(actor: PushActor, change: RuleChecks.RefChange): Effect.Effect<void, Forbidden | ValidationFailed | GitError>
    /** Returns the branches that a branch protection or an active ruleset with rules protects. `refs` are full names. */
    protectedBranches(
      repository: ServedRepository,
      refs: ReadonlyArray<string>
    ): Effect.Effect<ReadonlySet<string>, GitError>
    /** Returns the checks that active rules require on a branch, by default on the default branch. */
    requiredChecks(
      repository: ServedRepository,
      branch?: string
    ): Effect.Effect<ReadonlyArray<RuleChecks.RequiredCheck>, GitError>
    /** Returns the active rules of a branch, of rulesets and of its branch protection. */
    activeRules(
      repository: ServedRepository,
      branch: string
    ): Effect.Effect<ReadonlyArray<RuleSources.AppliedRule>, GitError>
    /** Returns the active rulesets for a branch. */
    branchRulesets(repository: ServedRepository, branch: string): Effect.Effect<ReadonlyArray<RulesetRow>, GitError>
    /** Returns the rulesets of the repository's organization that select the repository. */
    parentRulesets(repository: ServedRepository): Effect.Effect<ReadonlyArray<RulesetRow>, GitError>
    /** True if the rules of a branch let the caller dismiss reviews of its pull requests. */
    mayDismissReviews(actor: PushActor, branch: string): Effect.Effect<boolean, GitError>
    /** Returns the strongest bypass that a ruleset gives to a caller, for a direct change and for a merge. */
    bypasses(
      actor: PushActor,
      ruleset: Pick<RulesetRow, "bypass_actors">
    ): Effect.Effect<{ readonly direct: Bypass.Bypass; readonly merge: Bypass.Bypass }>
  }
>()("@tongs/service/rules/Enforcement") {
  static readonly layer = Layer.effect(
    Enforcement,
    Effect.gen(function* () {
      const git = yield* Git
      const immutableTags = yield* ImmutableTagRows
      const protections = yield* BranchProtectionRows
      const roles = yield* Roles
      const rulesets = yield* RulesetRows
      const suites = yield* RuleSuiteRows
      const teams = yield* TeamRows
      const verifier = yield* Verifier

      const subjectOf = Effect.fnUntraced(function* ({ git, row }: ServedRepository) {
        return {
          repositoryId: row.id,
          repositoryName: row.name,
          properties: {
            custom: yield* rulesets.properties(row.id),
            system: new Map([
              ["visibility", [row.private === 1 ? "private" : "public"]],
              ["fork", [row.parent_id === null ? "false" : "true"]]
            ])
          },
          defaultBranch: yield* git.head
        }
      })

      /** Returns a function that decides whether a ruleset applies to a reference of a repository. */
      const matcher = Effect.fnUntraced(function* (repository: ServedRepository) {
        const subject = yield* subjectOf(repository)
        return (ruleset: RulesetRow, ref: string) => RulesetConditions.matchesConditions(ruleset, { ...subject, ref })
      })

      /** Returns the rulesets of the organization. Rulesets of a person's repositories are their own. */
      const ofOrganization = ({ row }: ServedRepository) =>
        row.owner.type === "Organization"
          ? rulesets.listAll({ organizationId: row.owner.id })
          : Effect.succeed<ReadonlyArray<RulesetRow>>([])

      /** Returns the enabled rulesets with rules that can apply to the repository, those of the organization first. */
      const enabledRulesets = Effect.fnUntraced(function* (repository: ServedRepository) {
        const all = [
          ...(yield* ofOrganization(repository)),
          ...(yield* rulesets.listAll({ repositoryId: repository.row.id }))
        ]
        return all.filter(({ enforcement, rules }) => enforcement !== "disabled" && rules.length > 0)
      })

      const protectionOf = (repository: ServedRepository, ref: string) =>
        ref.startsWith(BRANCHES)
          ? Effect.map(protections.ofRepository(repository.row.id), (all) => all.get(ref.slice(BRANCHES.length)))
          : Effect.undefined

      const matchingRulesets = Effect.fnUntraced(function* (repository: ServedRepository, ref: string) {
        const enabled = yield* enabledRulesets(repository)
        if (enabled.length === 0) return enabled
        const matches = yield* matcher(repository)
        return enabled.filter((ruleset) => matches(ruleset, ref))
      })

      /**
       * The tips of the default branch, and of the references to which the same rulesets apply as to a new one. Commits of
       * others are checked, as nothing checked them when they were pushed.
       */
      const acceptedTips = Effect.fnUntraced(function* (repository: ServedRepository, { ref }: RuleChecks.RefChange) {
        const rulesets = yield* matchingRulesets(repository, ref)
        const matches = yield* matcher(repository)
        const head = RefName.branch(yield* repository.git.head)
        const refs = yield* repository.git.refs()
        return refs
          .filter(({ name }) => name === head || (name !== ref && rulesets.every((ruleset) => matches(ruleset, name))))
          .map(({ oid }) => oid)
      })

      const sourcesOf = Effect.fnUntraced(function* (repository: ServedRepository, ref: string) {
        const protection = yield* protectionOf(repository, ref)
        return [
          ...(yield* matchingRulesets(repository, ref)).map(RuleSources.ofRuleset),
          ...(protection === undefined ? [] : [RuleSources.ofProtection(protection)])
        ]
      })

      const protectedBranches = Effect.fn("Enforcement.protectedBranches")(function* (
        repository: ServedRepository,
        refs: ReadonlyArray<string>
      ) {
        const own = yield* protections.ofRepository(repository.row.id)
        const found = new Set(own.size === 0 ? [] : refs.filter((ref) => own.has(RefName.short(ref))))
        const active = (yield* enabledRulesets(repository)).filter(
          ({ enforcement, target }) => target === "branch" && enforcement === "active"
        )
        if (active.length === 0) return found
        const matches = yield* matcher(repository)
        for (const ref of refs) if (active.some((ruleset) => matches(ruleset, ref))) found.add(ref)
        return found
      })

      const activeRules = Effect.fn("Enforcement.activeRules")(function* (
        repository: ServedRepository,
        branch: string
      ) {
        const sources = yield* sourcesOf(repository, RefName.branch(branch))
        return sources
          .filter(({ enforcement }) => enforcement === "active")
          .flatMap(({ rules }) => rules.map(({ rule }) => rule))
      })

      const requiredChecks = Effect.fn("Enforcement.requiredChecks")(function* (
        repository: ServedRepository,
        branch?: string
      ) {
        const rules = yield* activeRules(repository, branch ?? (yield* repository.git.head))
        return RuleChecks.requiredChecksOf(rules)
      })

      const actorOf = Effect.fnUntraced(function* (
        { repository, role }: PushActor,
        caller: Exclude<Caller, { readonly kind: "anonymous" }>,
        bypassActors: ReadonlyArray<{ readonly actor_type: string }>
      ) {
        const { id, type } = repository.row.owner
        const hasTeams = bypassActors.some(({ actor_type }) => actor_type === "Team")
        return {
          userId: caller.user.id,
          appId: caller.kind === "installation" ? caller.installation?.appId : undefined,
          isOrganizationAdmin: type === "Organization" && (yield* roles.onOrganization(caller, id)) === "admin",
          teams: hasTeams ? yield* teams.ofMember(caller.user.id) : noTeams,
          role
        } satisfies Bypass.RuleActor
      })

      /** Fails for a tag that an immutable release has, or that a deleted one had. */
      const checkImmutableTag = Effect.fnUntraced(function* (
        repositoryId: number,
        { after, ref }: RuleChecks.RefChange
      ) {
        if (!ref.startsWith(TAGS)) return
        const tag = yield* immutableTags.find(repositoryId, ref.slice(TAGS.length))
        if (tag === undefined || (tag.release_id === null && after === null)) return
        const message =
          tag.release_id === null
            ? "tag_name was used by an immutable release"
            : "the tag belongs to an immutable release"
        return yield* ApiError.invalid(`Reference cannot change: ${message}`, [
          { resource: "Reference", field: "ref", code: "custom", message }
        ])
      })

      const check = Effect.fn("Enforcement.check")(function* (at: PushActor, change: RuleChecks.RefChange) {
        const { caller, repository } = at
        yield* WorkflowFiles.check(caller, repository.git, change)
        yield* checkImmutableTag(repository.row.id, change)
        if (caller.kind === "anonymous") return
        const sources = yield* sourcesOf(repository, change.ref)
        if (sources.length === 0) return

        const actor = yield* actorOf(
          at,
          caller,
          sources.flatMap(({ rules }) => rules.flatMap(({ bypassActors }) => bypassActors))
        )
        const violationOf = yield* RuleChecks.make(
          git,
          repository.git,
          verifier,
          change,
          acceptedTips(repository, change)
        )
        const results: Array<SourceResult> = []
        for (const source of sources) {
          const evaluations: Array<RuleEvaluation> = []
          const refusals: Array<RuleEvaluation> = []
          for (const { bypassActors, rule } of source.rules) {
            const bypass = Bypass.bypassOf(bypassActors, actor, change.pullRequest !== undefined)
            if (bypass === "exempt") continue
            const message = yield* Effect.timeoutOrElse(violationOf(rule), { duration: MAX_DURATION, orElse: tooLong })
            const evaluation = evaluationOf(source, rule, message)
            evaluations.push(evaluation)
            if (message !== undefined && bypass === undefined) refusals.push(evaluation)
          }
          if (evaluations.length > 0) results.push({ source, evaluations, refusals })
        }
        if (results.length === 0) return

        const active = results.filter(({ source }) => source.enforcement === "active")
        const evaluated = results.filter(({ source }) => source.enforcement === "evaluate")
        if (repository.row.id !== UNREGISTERED_ID) {
          yield* suites.add({
            repository_id: repository.row.id,
            actor_id: caller.user.id,
            ref: change.ref,
            before_oid: change.before,
            after_oid: change.after,
            result: worstOf(active),
            evaluation_result: evaluated.length === 0 ? null : worstOf(evaluated),
            evaluations: results.flatMap(({ evaluations }) => evaluations)
          })
        }
        const failed = active.filter(({ refusals }) => refusals.length > 0)
        if (failed.length > 0) return yield* violationError(failed, change.pullRequest === undefined ? 422 : 405)
      })

      return Enforcement.of({
        check,
        protectedBranches,
        requiredChecks,
        activeRules,
        branchRulesets: (repository, branch) =>
          Effect.map(matchingRulesets(repository, RefName.branch(branch)), (all) =>
            all.filter(({ enforcement, target }) => enforcement === "active" && target === "branch")
          ),
        parentRulesets: Effect.fnUntraced(function* (repository) {
          const all = yield* ofOrganization(repository)
          if (all.length === 0) return all
          const subject = yield* subjectOf(repository)
          return all.filter((ruleset) => RulesetConditions.matchesRepository(ruleset, subject))
        }),
        mayDismissReviews: Effect.fnUntraced(function* (at, branch) {
          if (at.caller.kind === "anonymous") return false
          const allowed = RuleSources.dismissersByRule(yield* activeRules(at.repository, branch))
          if (allowed.length === 0) return true
          const actor = yield* actorOf(at, at.caller, allowed.flat())
          return allowed.every((actors) => Bypass.includes(actors, actor))
        }),
        bypasses: Effect.fnUntraced(function* (at, { bypass_actors: actors }) {
          if (at.caller.kind === "anonymous") return { direct: undefined, merge: undefined }
          const actor = yield* actorOf(at, at.caller, actors)
          return { direct: Bypass.bypassOf(actors, actor, false), merge: Bypass.bypassOf(actors, actor, true) }
        })
      })
    })
  )
}

const BRANCHES = "refs/heads/"
const TAGS = "refs/tags/"

const noTeams: ReadonlySet<number> = new Set()

const evaluationOf = (
  { enforcement, id, name, type }: RuleSources.RuleSource,
  rule: RuleSources.AppliedRule,
  message: string | undefined
): RuleEvaluation => ({
  source: { type, id, name },
  enforcement,
  rule: rule.type,
  ...(message === undefined ? { result: "pass" } : { result: "fail", message: message.slice(0, MAX_MESSAGE) })
})

/** Returns the result of several sources: a failure of one is a failure of all. */
const worstOf = (results: ReadonlyArray<SourceResult>): SuiteResult => {
  if (results.some(({ refusals }) => refusals.length > 0)) return "fail"
  const isViolated = results.some(({ evaluations }) => evaluations.some(({ result }) => result === "fail"))
  return isViolated ? "bypass" : "pass"
}

const sourceNames = { ruleset: "ruleset", protected_branch: "branch protection" } as const // words of messages

const violationError = (failed: ReadonlyArray<SourceResult>, status: 405 | 422) => {
  const errors = failed.flatMap(({ refusals, source }) =>
    refusals.map(({ message = "", rule }) => ({
      resource: source.type === "ruleset" ? "Ruleset" : "ProtectedBranch",
      field: rule,
      code: "custom",
      message: `${sourceNames[source.type]} ${JSON.stringify(source.name)}, rule ${rule}: ${message}`
    }))
  )
  const detail = `Repository rule violations found: ${errors.map(({ message }) => message).join("; ")}`
  return ApiError.invalid(detail, errors, status)
}
