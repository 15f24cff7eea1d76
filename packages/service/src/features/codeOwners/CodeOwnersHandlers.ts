import * as Effect from "effect/Effect"
import { CodeOwners as CodeOwnersGroup, type CodeOwnersError } from "@tongs/core/contract/groups/CodeOwners"
import * as ApiError from "../../api/ApiError.ts"
import { group } from "../../api/Handlers.ts"
import type * as CodeOwners from "../../reviews/CodeOwners.ts"
import * as CodeOwnersFile from "../../reviews/CodeOwnersFile.ts"
import * as OwnerAccounts from "../../reviews/OwnerAccounts.ts"

/** Maximum errors in a response. */
const MAX_ERRORS = 1000

/** Characters of a line that a message shows before and after the column. */
const MAX_SHOWN = 200

const unknownOwner = (
  { line, source }: CodeOwners.Rule,
  { _tag, column, name }: CodeOwners.Owner
): CodeOwners.Mistake => {
  const suggestion =
    _tag === "Team"
      ? `make sure the team ${name} exists, is publicly visible, and has write access to the repository`
      : `make sure ${name} exists and has write access to the repository`
  return { line, source, column, kind: "Unknown owner", suggestion }
}

const shape = (mistake: CodeOwners.Mistake, path: string): CodeOwnersError => {
  const { column, kind, line, suggestion } = mistake
  const start = Math.max(0, column - 1 - MAX_SHOWN)
  const shown = (start === 0 ? "" : "…") + mistake.source.trimEnd().slice(start, column - 1 + MAX_SHOWN)
  const caret = " ".repeat(column - 1 - start + (start === 0 ? 0 : 1))
  const title = `${kind} on line ${line}:${suggestion === null ? "" : ` ${suggestion}`}`
  return {
    line,
    column,
    kind,
    source: mistake.source.slice(0, 2 * MAX_SHOWN),
    suggestion,
    message: `${title}\n\n  ${shown}\n  ${caret}^`,
    path
  }
}

export const make = Effect.gen(function* () {
  const read = yield* CodeOwnersFile.make
  const accounts = yield* OwnerAccounts.make

  return group(CodeOwnersGroup)({
    *listErrors({ ref }, { repository: { git, row } }) {
      const commit = yield* git.resolve(ref ?? "HEAD")
      const file = commit === undefined ? undefined : yield* read(git, commit)
      if (file === undefined) return yield* ApiError.notFound()
      const { mistakes, rules } = file.owners
      const account = yield* accounts(
        row,
        rules.flatMap(({ owners }) => owners)
      )
      const unknown = rules.flatMap((rule) =>
        rule.owners.flatMap((owner) => (account(owner) === undefined ? [unknownOwner(rule, owner)] : []))
      )
      const all = [...mistakes, ...unknown].toSorted((a, b) => a.line - b.line || a.column - b.column)
      return { errors: all.slice(0, MAX_ERRORS).map((mistake) => shape(mistake, file.path)) }
    }
  })
})
