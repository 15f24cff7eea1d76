/** Source texts of the type-checked programs. */
import { type CatalogEntry, entries, type InputField } from "@tongs/core/contract/Catalog"
import { isStream } from "@tongs/core/contract/CatalogEntry"

/** An expression of the field's type. `given` stands for values that a program has from a response (`Sha`, `Timestamp`). */
const value = ({ kind, values: [first] }: InputField) => {
  if (first !== undefined) return kind === "integer" ? first : JSON.stringify(first)
  return { string: "given", integer: "1", boolean: "true", strings: "[]", object: "given" }[kind]
}

const call = ({ endpoint, fields, group, name, operation }: CatalogEntry) => {
  const input = fields
    .filter((field) => field.required || field.in === "path")
    .map((field) => `${field.name}: ${value(field)}`)
  const called = `forge.${group}.${name}(${input.length === 0 ? "" : `{ ${input.join(", ")} }`})`
  if (isStream(endpoint)) return `Stream.catchTag(${called}, "RateLimited", () => Stream.succeed(undefined))`
  return operation.paging === undefined
    ? `Effect.catchTag(${called}, "RateLimited", () => Effect.succeed(undefined))`
    : `Stream.catchTag(${called}.items, "RateLimited", () => Stream.succeed(undefined))`
}

export const tongsProgram = `import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Client } from "@tongs/core"

declare const given: never

export const all = (forge: Client) => ({
${entries.map((entry) => `  "${entry.group}.${entry.name}": ${call(entry)}`).join(",\n")}
})
`

export const count = { endpoints: entries.length, groups: new Set(entries.map(({ group }) => group)).size }

/** Four calls of Octokit: the cost of Octokit's types does not depend on the number of calls. */
export const OCTOKIT_PROGRAM = `import { Octokit } from "@octokit/rest"

export const all = async (octokit: Octokit) => {
  const repository = { owner: "o", repo: "r" }
  const ref = await octokit.rest.git.getRef({ ...repository, ref: "heads/main" })
  const branches = await octokit.paginate(octokit.rest.repos.listBranches, repository)
  const commit = await octokit.rest.git.getCommit({ ...repository, commit_sha: ref.data.object.sha })
  const hooks = await octokit.rest.repos.listWebhooks(repository)
  return [branches.map(({ name }) => name), commit.data.message, hooks.data.map(({ id }) => id)]
}
`
