/** Finds the README of a folder. */
import * as Effect from "effect/Effect"
import type { GitRepository } from "../../git/GitRepository.ts"
import { kindOfMode } from "../../git/objects/Objects.ts"

const formats = ["md", "markdown", "mdown", "mkdn", "rst", "adoc", "asciidoc", "org", "textile", "rdoc", "pod", "html"]

/** Rank of a file name among READMEs: Markdown first, then other markup, then plain text. Undefined for other files. */
const rankOf = (name: string): number | undefined => {
  const [, extension] = /^readme(?:\.(\w+))?$/i.exec(name) ?? []
  if (!/^readme(?:\.\w+)?$/i.test(name)) return undefined
  const rank = formats.indexOf(extension?.toLowerCase() ?? "")
  return rank === -1 ? formats.length : rank
}

/** Returns the path of the preferred README of a folder, the root if `folder` is empty. */
export const inFolder = Effect.fnUntraced(function* (git: GitRepository, commit: string, folder: string) {
  const found = yield* git.entryAt(commit, folder)
  if (found?.kind !== "dir") return undefined
  const [best] = ((yield* git.tree(found.oid)) ?? [])
    .filter(({ mode }) => kindOfMode(mode) === "file" || kindOfMode(mode) === "symlink")
    .flatMap(({ name }) => {
      const rank = rankOf(name)
      return rank === undefined ? [] : [{ name, rank }]
    })
    .toSorted((a, b) => a.rank - b.rank || (a.name < b.name ? -1 : 1))
  return best === undefined ? undefined : folder === "" ? best.name : `${folder}/${best.name}`
})

/** Returns the path of the README of a repository, in GitHub's order of search: `.github`, the root, and `docs`. */
export const ofRepository = Effect.fnUntraced(function* (git: GitRepository, commit: string) {
  for (const folder of [".github", "", "docs"]) {
    const path = yield* inFolder(git, commit, folder)
    if (path !== undefined) return path
  }
  return undefined
})
