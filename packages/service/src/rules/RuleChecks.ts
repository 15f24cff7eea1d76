/** Checks a change of a reference against each kind of rule. */
import * as Effect from "effect/Effect"
import * as AbbreviatedId from "@tongs/core/text/AbbreviatedId"
import * as Glob from "@tongs/core/text/Glob"
import type { Git } from "../git/process/Git.ts"
import { type GitError, gitError } from "../git/values/GitError.ts"
import type { Commit } from "../git/values/GitObject.ts"
import type { GitRepository } from "../git/GitRepository.ts"
import * as RefName from "../git/values/RefName.ts"
import type { Verifier } from "../verification/Verifier.ts"
import * as PatternMatching from "./PatternMatching.ts"
import * as ReviewRequirements from "./ReviewRequirements.ts"
import type { AppliedRule } from "./RuleSources.ts"

/** A required check: a status or check run with this name, of the app if it has one. */
export interface RequiredCheck {
  readonly context: string
  readonly integration_id?: number
  /** True if the head must have all commits of the base branch. */
  readonly isStrict?: boolean
}

/** Returns the checks that rules require. */
export const requiredChecksOf = (rules: ReadonlyArray<AppliedRule>): ReadonlyArray<RequiredCheck> =>
  rules.flatMap((rule) => {
    if (rule.type !== "required_status_checks") return []
    const isStrict = rule.parameters.strict_required_status_checks_policy
    return rule.parameters.required_status_checks.map((check) => ({ ...check, isStrict }))
  })

/** Returns the environments to which rules require a deployment. */
export const requiredDeploymentsOf = (rules: ReadonlyArray<AppliedRule>): ReadonlyArray<string> =>
  rules.flatMap((rule) =>
    rule.type === "required_deployments" ? rule.parameters.required_deployment_environments : []
  )

/** What happened to a commit outside of git. */
export interface CommitState {
  /** Returns whether a check passed. */
  readonly hasPassed: (check: RequiredCheck) => boolean
  /** Returns whether the commit was deployed to an environment successfully. */
  readonly isDeployed: (environment: string) => boolean
}

/** What rules demand of a pull request. The state is that of the head. */
export interface MergedPullRequest extends CommitState {
  readonly head: string
  readonly method: "merge" | "squash" | "rebase"
  readonly reviews: ReviewRequirements.ReviewState
}

/** A change of a reference: created if `before` is null, deleted if `after` is null. The ids can be of any object. */
export interface RefChange {
  readonly ref: string
  readonly before: string | null
  readonly after: string | null
  /** The pull request that the change merges. */
  readonly pullRequest?: MergedPullRequest | undefined
  /** The state of the new commit. By default no check passed, and the commit was not deployed. */
  readonly state?: Effect.Effect<CommitState> | undefined
  /** True for the update of a fork's branch from the upstream repository. */
  readonly isForkSync?: boolean | undefined
}

/** Maximum new commits of a change if a rule checks each commit. */
const MAX_COMMITS = 10_000

/** Number of paths to check before yielding to the event loop. */
const FILES_PER_TICK = 100

/**
 * Creates a function that checks a rule and returns the message of a violation, or `undefined`. Reads new commits and
 * files only once for all rules. Fails with `TooLarge` if there are more than 10,000 new commits. `accepted` returns
 * the commits with which a new reference is compared.
 */
export const make = Effect.fnUntraced(function* (
  git: Git["Service"],
  repository: GitRepository,
  verifier: Verifier["Service"],
  change: RefChange,
  accepted: Effect.Effect<ReadonlyArray<string>, GitError>
) {
  const { after, before, ref } = change
  const name = RefName.short(ref)
  const kind = ref.startsWith("refs/tags/") ? "tag" : "branch"
  const tip = after === null ? undefined : yield* repository.resolve(after)
  const base = before === null ? undefined : yield* repository.resolve(before)

  const known = yield* Effect.cached(base === undefined ? accepted : Effect.succeed([base]))

  /** Runs a command for the new commits, which are not reachable from the old target or the accepted commits. */
  const ofNewCommits = (command: ReadonlyArray<string>) =>
    tip === undefined
      ? Effect.succeed(Buffer.alloc(0))
      : Effect.flatMap(known, (oids) =>
          Effect.map(
            git.run([...command, "--stdin"], {
              gitDir: repository.gitDir,
              input: [tip, ...oids.map((oid) => `^${oid}`), ""].join("\n")
            }),
            ({ stdout }) => stdout
          )
        )

  const newCommits = (...options: ReadonlyArray<string>) =>
    Effect.map(ofNewCommits(["rev-list", ...options]), (stdout) => stdout.toString("latin1").split("\n").slice(0, -1))

  const commits = yield* Effect.cached(
    Effect.gen(function* () {
      const oids = yield* newCommits(`--max-count=${MAX_COMMITS + 1}`)
      if (oids.length > MAX_COMMITS) {
        return yield* gitError({ _tag: "TooLarge", subject: "the change", size: oids.length, limit: MAX_COMMITS })
      }
      return yield* Effect.forEach(oids, (oid) =>
        Effect.map(repository.commit(oid), (commit): readonly [string, Commit] | undefined =>
          commit === undefined ? undefined : [oid, commit]
        )
      )
    })
  )

  const files = yield* Effect.cached(Effect.map(ofNewCommits(rawLog), (stdout) => parseRawLog(stdout.toString())))

  /** The state of the head of a pull request, or of the new commit. */
  const state: Effect.Effect<CommitState> =
    change.pullRequest === undefined
      ? (change.state ?? Effect.succeed({ hasPassed: () => false, isDeployed: () => false }))
      : Effect.succeed(change.pullRequest)

  /** The message for a head of a pull request without the tip of the branch. */
  const headIsBehind = Effect.suspend(() =>
    base === undefined || change.pullRequest === undefined
      ? Effect.undefined
      : Effect.map(repository.isAncestor(base, change.pullRequest.head), (isUpToDate) =>
          isUpToDate ? undefined : "Head branch is out of date. Review and try the merge again."
        )
  )

  /** Returns `message` with the path of the first new or changed file that violates a rule. */
  const checkPaths = (isViolation: (path: string) => boolean, message: string) =>
    Effect.flatMap(
      files,
      Effect.fnUntraced(function* (files) {
        for (const [index, { path }] of files.entries()) {
          if (isViolation(path)) return `${JSON.stringify(path)} ${message}`
          if (index % FILES_PER_TICK === FILES_PER_TICK - 1) yield* Effect.yieldNow
        }
        return undefined
      })
    )

  /** Returns the path of the first new or changed file that is larger than `limit` bytes. */
  const firstLargerFile = Effect.fnUntraced(function* (limit: number) {
    const changed = yield* files
    const { stdout } = yield* git.run(["cat-file", "--batch-check=%(objectsize)"], {
      gitDir: repository.gitDir,
      input: changed.map(({ oid }) => `${oid}\n`).join("")
    })
    const sizes = stdout.toString("latin1").split("\n")
    return changed.find((_, index) => Number(sizes[index]) > limit)?.path
  })

  const forced = `Cannot force-push to this ${kind}`

  /** Returns the message for the id of the first new commit that violates a rule. */
  const checkCommits = <E>(
    isViolation: (commit: Commit, oid: string) => Effect.Effect<boolean, E>,
    messageOf: (oid: string) => string
  ) =>
    Effect.gen(function* () {
      for (const one of yield* commits) {
        if (one !== undefined && (yield* isViolation(one[1], one[0]))) return messageOf(one[0])
      }
      return undefined
    })

  const not = (accepts: Effect.Effect<boolean>) => Effect.map(accepts, (accepted) => !accepted)
  const messageIf = (isViolation: boolean, message: string) => Effect.succeed(isViolation ? message : undefined)
  /** True if the rule does not apply: for a deletion, and with `skipOnCreate` for a creation. */
  const isExempt = (skipOnCreate: boolean) => after === null || (before === null && skipOnCreate)

  return (rule: AppliedRule): Effect.Effect<string | undefined, GitError> => {
    switch (rule.type) {
      case "creation":
        return messageIf(before === null, "Cannot create ref due to creations being restricted.")
      case "update":
        if (change.isForkSync === true && rule.parameters.update_allows_fetch_and_merge) return Effect.undefined
        return messageIf(before !== null && after !== null, "Cannot update this protected ref.")
      case "deletion":
        return messageIf(after === null, `Cannot delete this ${kind}`)
      case "non_fast_forward":
        if (before === null || after === null || before === after) return Effect.undefined
        if (base === undefined || tip === undefined) return Effect.succeed(forced)
        return Effect.flatMap(repository.isAncestor(base, tip), (isFast) => messageIf(!isFast, forced))
      case "required_linear_history":
        return Effect.map(newCommits("--merges", "--max-count=1"), ([merge]) =>
          merge === undefined ? undefined : `This ${kind} must not contain merge commits. Found 1 violation: ${merge}`
        )
      case "required_signatures":
        return checkCommits(
          (commit, oid) =>
            Effect.map(
              verifier.verify({ oid, signature: commit.signature, signer: commit.committer }),
              ({ verified }) => !verified
            ),
          (oid) => `Commits must have verified signatures. Found 1 violation: ${oid}`
        )
      case "branch_name_pattern":
      case "tag_name_pattern":
        // Rules for names apply only to new references.
        return before !== null
          ? Effect.undefined
          : Effect.flatMap(not(PatternMatching.accepts(rule.parameters, name)), (isViolation) =>
              messageIf(isViolation, `the name of this ${kind} is not allowed`)
            )
      case "commit_message_pattern":
        return checkCommits(
          ({ message }) => not(PatternMatching.accepts(rule.parameters, message)),
          (oid) => `commit ${oid} has a message that is not allowed`
        )
      case "commit_author_email_pattern":
        return checkCommits(
          ({ author }) => not(PatternMatching.accepts(rule.parameters, author.email)),
          (oid) => `commit ${oid} has an author address that is not allowed`
        )
      case "committer_email_pattern":
        return checkCommits(
          ({ committer }) => not(PatternMatching.accepts(rule.parameters, committer.email)),
          (oid) => `commit ${oid} has a committer address that is not allowed`
        )
      case "file_path_restriction":
        return checkPaths(Glob.compileAny(rule.parameters.restricted_file_paths, Glob.fnmatch), "is a restricted path")
      case "max_file_path_length": {
        const { max_file_path_length: limit } = rule.parameters
        return checkPaths((path) => [...path].length > limit, `is longer than ${limit} characters`)
      }
      case "file_extension_restriction": {
        const endings = rule.parameters.restricted_file_extensions.map(extensionSuffix)
        return checkPaths(
          (path) => endings.some((ending) => path.toLowerCase().endsWith(ending)),
          "has a restricted extension"
        )
      }
      case "max_file_size": {
        const { max_file_size: limit } = rule.parameters
        return Effect.map(firstLargerFile(limit * MEGABYTE), (path) =>
          path === undefined ? undefined : `${JSON.stringify(path)} is larger than ${limit} MB`
        )
      }
      case "authorization":
        return messageIf(before !== null || rule.appliesToCreation, `You're not authorized to push to this branch.`)
      case "lock_branch":
        return messageIf(
          before !== null && !(rule.allowsForkSync && change.isForkSync === true),
          "Cannot change this locked branch."
        )
      case "required_review_thread_resolution":
        return Effect.succeed(
          change.pullRequest === undefined ? undefined : ReviewRequirements.unresolved(change.pullRequest.reviews)
        )
      case "pull_request": {
        if (before === null || after === null) return Effect.undefined
        if (change.pullRequest === undefined) return Effect.succeed("Changes must be made through a pull request.")
        const { method, reviews } = change.pullRequest
        const [first] = ReviewRequirements.violations(rule.parameters, reviews, method)
        return Effect.succeed(first)
      }
      case "required_status_checks": {
        const { do_not_enforce_on_create: skipOnCreate = false, required_status_checks: checks } = rule.parameters
        const isStrict = rule.parameters.strict_required_status_checks_policy
        if (isExempt(skipOnCreate)) return Effect.undefined
        return Effect.flatMap(state, ({ hasPassed }) => {
          const contexts = checks.filter((check) => !hasPassed(check)).map(({ context }) => context)
          const message = missingMessage("status check", contexts, checks.length)
          return message === undefined && isStrict ? headIsBehind : Effect.succeed(message)
        })
      }
      // This forge has no workflow runs or scans, so rules that demand them reject every change.
      case "workflows": {
        const { do_not_enforce_on_create: skipOnCreate = false, workflows } = rule.parameters
        const paths = workflows.map(({ path }) => path)
        return isExempt(skipOnCreate) ? Effect.undefined : Effect.succeed(missingMessage("workflow", paths))
      }
      case "required_deployments": {
        const environments = rule.parameters.required_deployment_environments
        if (isExempt(false)) return Effect.undefined
        return Effect.map(state, ({ isDeployed }) => {
          const missing = environments.filter((name) => !isDeployed(name))
          return missingMessage("deployment", missing, environments.length)
        })
      }
      case "code_scanning": {
        const tools = rule.parameters.code_scanning_tools.map(({ tool }) => tool).join(", ")
        const commit = `the commit ${AbbreviatedId.of(after ?? "")}`
        return messageIf(
          before !== null && after !== null && tools !== "",
          `Code scanning is waiting for results from ${tools} for ${commit}.`
        )
      }
    }
  }
})

/** Returns the message that requirements are missing, or `undefined` if all requirements are met. */
const missingMessage = (kind: string, names: ReadonlyArray<string>, total = names.length): string | undefined => {
  const [first, ...others] = names
  if (first === undefined) return undefined
  return total === 1
    ? `Required ${kind} ${JSON.stringify(first)} is expected.`
    : `${others.length + 1} of ${total} required ${kind}s are expected.`
}

const MEGABYTE = 1024 * 1024

/** Normalizes `exe`, `.exe` and `*.exe` to the same suffix. */
const extensionSuffix = (extension: string) => `.${extension.replace(/^\*?\./, "").toLowerCase()}`

/** Arguments of git that list the files which commits add or change, compared with each parent. */
const rawLog = ["log", "--format=", "--raw", "-z", "-m", "--root", "--no-renames", "--no-abbrev", "--diff-filter=d"]

/** Parses the output of `git log --raw`: `:100644 100644 <old> <new> M\0path\0…`. Omits submodules and duplicates. */
const parseRawLog = (listing: string): ReadonlyArray<{ readonly path: string; readonly oid: string }> => {
  const parts = listing.split("\0")
  const found = new Map<string, { readonly path: string; readonly oid: string }>()
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at] ?? ""
    // An additional NUL separates commits.
    if (!part.startsWith(":")) continue
    const [, mode, , oid = ""] = part.split(" ")
    const path = parts[++at] ?? ""
    if (mode !== "160000") found.set(`${oid} ${path}`, { path, oid })
  }
  return [...found.values()]
}
