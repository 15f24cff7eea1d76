/**
 * Fills the placeholders of `tongs api`: `{owner}`, `{repo}` and `{branch}`, also written `:owner`, `:repo`, `:branch`.
 */
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import { Connection } from "@tongs/connection/Connection"
import { variable } from "@tongs/connection/base/Environment"
import * as Terminal from "@tongs/core/text/Terminal"
import { readLine } from "@tongs/service/git/files/Files"
import { locateEnclosing } from "@tongs/service/git/values/RepositoryLocation"
import * as RepositoryName from "../../base/RepositoryName.ts"
import { UsageError } from "../../base/UsageError.ts"
import * as Flags from "../../session/Flags.ts"

const placeholder = /:(owner|repo|branch)\b|\{(owner|repo|branch)\}/g

/**
 * Returns a function that fills the placeholders of a text with the repository `given`, of `GH_REPO`, or of the working
 * directory, and with the branch of the working directory. `encode` encodes the values. Fails with `UsageError` if a
 * needed value is unknown.
 */
export const filler = Effect.fnUntraced(function* (given: string | undefined) {
  const connection = yield* Connection
  const named = given ?? (yield* Effect.orDie(variable("GH_REPO")))
  const { cwd } = yield* Flags.settings
  return Effect.fnUntraced(function* (text: string, encode: (value: string) => string = identity) {
    const names = new Set(Array.from(text.matchAll(placeholder), ([, colon, brace]) => colon ?? brace))
    if (names.size === 0) return text
    const { owner, repo } = names.has("owner") || names.has("repo") ? yield* repository(connection, named) : unused
    const branch = names.has("branch") ? yield* currentBranch(cwd) : ""
    const values: Readonly<Record<string, string>> = { owner, repo, branch }
    return text.replace(placeholder, (_, colon: string | undefined, brace: string) =>
      encode(values[colon ?? brace] ?? "")
    )
  })
})

/** Encodes a value for a path. The slashes of a branch remain. */
export const encodePath = (value: string): string => value.split("/").map(encodeURIComponent).join("/")

const unused: RepositoryName.RepositoryName = { owner: "", repo: "" }

const repository = (
  { repository: current, repositoryProblem }: Connection["Service"],
  named: string | undefined
): Effect.Effect<RepositoryName.RepositoryName, UsageError> => {
  // GH_REPO can start with a host: HOST/OWNER/REPO.
  if (named !== undefined) return RepositoryName.parse(named.split("/").slice(-2).join("/"))
  if (current !== undefined) return Effect.succeed(current)
  const problem = repositoryProblem === undefined ? "" : `: ${Terminal.escape(repositoryProblem)}`
  return Effect.fail(
    new UsageError({
      detail: `No repository for {owner} and {repo}${problem}.`,
      hint: "Write out the names, pass --repo OWNER/NAME, or run the command in a clone."
    })
  )
}

/** Returns the branch that HEAD of the working directory's repository names, even a branch without commits. */
const currentBranch = (cwd: string): Effect.Effect<string, UsageError> => {
  const location = locateEnclosing(cwd)
  const head = location === undefined ? undefined : readLine(join(location.gitDir, "HEAD"))
  const [, branch] = /^ref: refs\/heads\/(.+)$/.exec(head ?? "") ?? []
  if (branch !== undefined) return Effect.succeed(branch)
  const problem = location === undefined ? "the working directory is in no repository" : "HEAD is no branch"
  return Effect.fail(
    new UsageError({ detail: `No branch for {branch}: ${problem}.`, hint: "Write out the name of the branch." })
  )
}
