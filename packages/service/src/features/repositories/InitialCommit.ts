/** Initial commit of a repository, with a README, and with a license and a `.gitignore` file from templates. */
import * as Effect from "effect/Effect"
import type { UserRow } from "../../accounts/UserRows.ts"
import * as ApiError from "../../api/ApiError.ts"
import * as Shapes from "../../api/Shapes.ts"
import type { GitRepository } from "../../git/GitRepository.ts"
import type { CommitSigner } from "../../git/objects/ObjectWriter.ts"
import * as InitialFiles from "../templates/InitialFiles.ts"

/** Returns the README of a repository. */
export const readme = (name: string, description: string | null | undefined): Readonly<Record<string, string>> => ({
  "README.md": `# ${name}\n${typeof description === "string" ? `\n${description}\n` : ""}`
})

const unknown = (field: string, message: string) =>
  ApiError.invalid("Repository creation failed.", [{ resource: "Repository", field, code: "invalid", message }])

interface Wanted {
  readonly name: string
  readonly description?: string | undefined
  readonly auto_init?: boolean | undefined
  readonly gitignore_template?: string | undefined
  readonly license_template?: string | undefined
}

/** Returns the files of the initial commit of a new repository. Undefined if the repository is to be empty. */
export const filesOf = Effect.fnUntraced(function* (wanted: Wanted, owner: UserRow) {
  const { auto_init = false, description, gitignore_template = "", license_template = "", name } = wanted
  if (!auto_init && gitignore_template === "" && license_template === "") return undefined
  const ignore = gitignore_template === "" ? undefined : yield* InitialFiles.ignore(gitignore_template)
  if (gitignore_template !== "" && ignore === undefined) {
    return yield* unknown("gitignore_template", `no template ${gitignore_template}; see GET /gitignore/templates`)
  }
  const license = license_template === "" ? undefined : yield* InitialFiles.license(license_template)
  if (license_template !== "" && license === undefined) {
    return yield* unknown("license_template", `no license ${license_template}; see GET /licenses`)
  }
  return {
    ...(auto_init ? readme(name, description) : {}),
    ...(ignore === undefined ? {} : { ".gitignore": ignore }),
    ...(license === undefined ? {} : { LICENSE: yield* InitialFiles.licenseText(license.body, owner) })
  }
})

/** Writes the initial commit by `author`, signed by `sign`, and gives the commit id. Creates no reference. */
export const write = Effect.fnUntraced(function* (
  git: GitRepository,
  author: UserRow,
  files: Readonly<Record<string, string>>,
  sign?: CommitSigner
) {
  const entries = yield* Effect.forEach(Object.entries(files), ([path, content]) =>
    Effect.map(git.writeBlob(Buffer.from(content)), (oid) => ({ path, mode: "100644" as const, oid }))
  )
  const tree = yield* git.writeTree(entries)
  const person = yield* Shapes.personOf(author)
  const commit = { tree, parents: [], author: person, committer: person, message: "Initial commit" }
  return yield* git.writeCommit(commit, sign)
})
