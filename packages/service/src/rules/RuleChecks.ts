/** What each rule says of a change of a reference. */
import * as Effect from "effect/Effect"
import type { NewRule } from "@tongs/core/contract/Rules"
import type { Git } from "../git/Git.ts"
import { type GitError, gitError } from "../git/GitError.ts"
import type { Commit } from "../git/GitObject.ts"
import type { GitRepository } from "../git/GitRepository.ts"
import * as RefName from "../git/RefName.ts"
import type { Verifier } from "../verification/Verifier.ts"
import * as PatternMatching from "./PatternMatching.ts"

/** A reference that is created (`before` is null), moved, or deleted (`after` is null). Ids of any objects. */
export interface RefChange {
  readonly ref: string
  readonly before: string | null
  readonly after: string | null
}

/** Commits that one change may bring where rules look at each. */
const maxCommits = 10_000

/** Makes the function that says what is wrong with a change, or nothing. The commits are looked up once. */
export const make = Effect.fnUntraced(function* (
  git: Git["Service"],
  repository: GitRepository,
  verifier: Verifier["Service"],
  change: RefChange
) {
  const { after, before, ref } = change
  const name = RefName.short(ref)
  const kind = ref.startsWith("refs/tags/") ? "tag" : "branch"
  const tip = after === null ? undefined : yield* repository.resolve(after)
  const base = before === null ? undefined : yield* repository.resolve(before)

  /** Ids of what the change brings that the reference, or where it is new any branch or tag, did not have. */
  const brought = (...options: ReadonlyArray<string>) =>
    tip === undefined
      ? Effect.succeed([])
      : Effect.map(
          git.run(["rev-list", ...options, tip, "--not", ...(base === undefined ? ["--branches", "--tags"] : [base])], {
            gitDir: repository.gitDir
          }),
          ({ stdout }) => stdout.toString("latin1").split("\n").slice(0, -1)
        )

  const commits = yield* Effect.cached(
    Effect.gen(function* () {
      const oids = yield* brought(`--max-count=${maxCommits + 1}`)
      if (oids.length > maxCommits) {
        return yield* gitError({ _tag: "TooLarge", subject: "the change", size: oids.length, limit: maxCommits })
      }
      return yield* Effect.forEach(oids, (oid) =>
        Effect.map(repository.commit(oid), (commit): readonly [string, Commit] | undefined =>
          commit === undefined ? undefined : [oid, commit]
        )
      )
    })
  )

  const files = yield* Effect.cached(
    tip === undefined
      ? Effect.succeed([])
      : Effect.map(
          git.run([...rawLog, tip, "--not", ...(base === undefined ? ["--branches", "--tags"] : [base])], {
            gitDir: repository.gitDir
          }),
          ({ stdout }) => parseRawLog(stdout.toString())
        )
  )

  /** The first file of those that the change brings whose path is not as it should be. */
  const firstPath = (isWrong: (path: string) => Effect.Effect<boolean>, words: string) =>
    Effect.gen(function* () {
      for (const { path } of yield* files) {
        if (yield* isWrong(path)) return `${JSON.stringify(path)} ${words}`
      }
      return undefined
    })

  /** The first file that is larger than so many bytes. */
  const firstLarger = Effect.fnUntraced(function* (limit: number) {
    const brought = yield* files
    const { stdout } = yield* git.run(["cat-file", "--batch-check=%(objectsize)"], {
      gitDir: repository.gitDir,
      input: brought.map(({ oid }) => `${oid}\n`).join("")
    })
    const sizes = stdout.toString("latin1").split("\n")
    return brought.find((_, index) => Number(sizes[index]) > limit)?.path
  })

  /** The first commit of those that the change brings that is not as it should be. */
  const firstWrong = <E>(isWrong: (commit: Commit, oid: string) => Effect.Effect<boolean, E>, words: string) =>
    Effect.gen(function* () {
      for (const one of yield* commits) {
        if (one !== undefined && (yield* isWrong(one[1], one[0]))) return `commit ${one[0]} ${words}`
      }
      return undefined
    })

  const unlike = (accepts: Effect.Effect<boolean>) => Effect.map(accepts, (accepted) => !accepted)
  const onlyIf = (wrong: boolean, words: string) => Effect.succeed(wrong ? words : undefined)
  /** Of what is deleted, or is created where that is free, no commit is asked for. */
  const isSpared = (onCreate: boolean) => after === null || (before === null && onCreate)

  return (rule: NewRule): Effect.Effect<string | undefined, GitError> => {
    switch (rule.type) {
      case "creation":
        return onlyIf(before === null, `this ${kind} cannot be created`)
      case "update":
        return onlyIf(before !== null && after !== null, `this ${kind} cannot be updated`)
      case "deletion":
        return onlyIf(after === null, `this ${kind} cannot be deleted`)
      case "non_fast_forward":
        if (before === null || after === null || before === after) return Effect.undefined
        if (base === undefined || tip === undefined) return Effect.succeed("the update is not a fast forward")
        return Effect.flatMap(repository.isAncestor(base, tip), (isFast) =>
          onlyIf(!isFast, "the update is not a fast forward")
        )
      case "required_linear_history":
        return Effect.map(brought("--merges", "--max-count=1"), ([merge]) =>
          merge === undefined ? undefined : `commit ${merge} is a merge commit`
        )
      case "required_signatures":
        return firstWrong(
          (commit, oid) =>
            Effect.map(
              verifier.verify({ oid, signature: commit.signature, signer: commit.committer }),
              ({ verified }) => !verified
            ),
          "has no verified signature"
        )
      case "branch_name_pattern":
      case "tag_name_pattern":
        // What is there already may go on under its name.
        return before !== null
          ? Effect.undefined
          : Effect.flatMap(unlike(PatternMatching.accepts(rule.parameters, name)), (wrong) =>
              onlyIf(wrong, `the name of this ${kind} is not allowed`)
            )
      case "commit_message_pattern":
        return firstWrong(
          ({ message }) => unlike(PatternMatching.accepts(rule.parameters, message)),
          "has a message that is not allowed"
        )
      case "commit_author_email_pattern":
        return firstWrong(
          ({ author }) => unlike(PatternMatching.accepts(rule.parameters, author.email)),
          "has an author whose address is not allowed"
        )
      case "committer_email_pattern":
        return firstWrong(
          ({ committer }) => unlike(PatternMatching.accepts(rule.parameters, committer.email)),
          "has a committer whose address is not allowed"
        )
      case "file_path_restriction":
        return firstPath(
          (path) => PatternMatching.matchesAnyGlob(rule.parameters.restricted_file_paths, path),
          "is a restricted path"
        )
      case "max_file_path_length": {
        const { max_file_path_length: limit } = rule.parameters
        return firstPath((path) => Effect.succeed([...path].length > limit), `is longer than ${limit} characters`)
      }
      case "file_extension_restriction": {
        const endings = rule.parameters.restricted_file_extensions.map(extensionSuffix)
        return firstPath(
          (path) => Effect.succeed(endings.some((ending) => path.toLowerCase().endsWith(ending))),
          "has a restricted extension"
        )
      }
      case "max_file_size": {
        const { max_file_size: limit } = rule.parameters
        return Effect.map(firstLarger(limit * megabyte), (path) =>
          path === undefined ? undefined : `${JSON.stringify(path)} is larger than ${limit} MB`
        )
      }
      // Nothing here reviews, checks, deploys or scans: a direct change has nothing to show of what these ask for.
      case "pull_request":
        return onlyIf(before !== null && after !== null, "Changes must be made through a pull request.")
      case "required_status_checks": {
        const { do_not_enforce_on_create: spares = false, required_status_checks: checks } = rule.parameters
        const contexts = checks.map(({ context }) => context)
        return isSpared(spares) ? Effect.undefined : Effect.succeed(missingMessage("status check", contexts))
      }
      case "workflows": {
        const { do_not_enforce_on_create: spares = false, workflows } = rule.parameters
        const paths = workflows.map(({ path }) => path)
        return isSpared(spares) ? Effect.undefined : Effect.succeed(missingMessage("workflow", paths))
      }
      case "required_deployments": {
        const environments = rule.parameters.required_deployment_environments
        return isSpared(false) ? Effect.undefined : Effect.succeed(missingMessage("deployment", environments))
      }
      case "code_scanning": {
        const tools = rule.parameters.code_scanning_tools.map(({ tool }) => tool).join(", ")
        const commit = `the commit ${after?.slice(0, 7)}`
        return onlyIf(
          before !== null && after !== null && tools !== "",
          `Code scanning is waiting for results from ${tools} for ${commit}.`
        )
      }
    }
  }
})

/** What is missing where none of what is required has been seen. */
const missingMessage = (kind: string, names: ReadonlyArray<string>): string | undefined => {
  const [first, ...others] = names
  if (first === undefined) return undefined
  return others.length === 0
    ? `Required ${kind} ${JSON.stringify(first)} is expected.`
    : `${names.length} of ${names.length} required ${kind}s are expected.`
}

const megabyte = 1024 * 1024

/** `exe`, `.exe` and `*.exe` are the same extension. */
const extensionSuffix = (extension: string) => `.${extension.replace(/^\*?\./, "").toLowerCase()}`

/** Every file that commits add or change, each against each of its parents. */
const rawLog = ["log", "--format=", "--raw", "-z", "-m", "--root", "--no-renames", "--no-abbrev", "--diff-filter=d"]

/** `:100644 100644 <old> <new> M\0path\0…`; what is no file (a submodule) is left out, and what comes twice. */
const parseRawLog = (listing: string): ReadonlyArray<{ readonly path: string; readonly oid: string }> => {
  const parts = listing.split("\0")
  const found = new Map<string, { readonly path: string; readonly oid: string }>()
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at] ?? ""
    // Between the commits there is one more NUL.
    if (!part.startsWith(":")) continue
    const [, mode, , oid = ""] = part.split(" ")
    const path = parts[++at] ?? ""
    if (mode !== "160000") found.set(`${oid} ${path}`, { path, oid })
  }
  return [...found.values()]
}
