/** Templates of pull requests: files with this name, and the files of a folder, on the default branch. */
import * as Effect from "effect/Effect"
import { kindOfMode } from "../../git/objects/Objects.ts"
import type { ServedRepository } from "../../repositories/RepositoryRegistry.ts"

/** Folders in which git hosts look for templates, in this order. The empty one is the root. */
const folders = ["", ".github", "docs"]

const templateName = /^pull_request_template(?:\.(?:md|txt))?$/i
const folderName = /^pull_request_template$/i
const fileName = /\.(?:md|txt)$/i

/** Maximum number of templates, and maximum size of a template in bytes. */
const MAX_TEMPLATES = 50
const MAX_SIZE = 65_536

interface File {
  readonly filename: string
  readonly oid: string
}

/** Returns the templates of a repository. */
export const read = Effect.fnUntraced(function* ({ git }: ServedRepository) {
  const commit = yield* git.resolve("HEAD")
  if (commit === undefined) return []
  const root = (yield* git.commit(commit))?.tree
  const files: Array<File> = []
  for (const folder of folders) {
    const entry = folder === "" ? undefined : yield* git.entryAt(commit, folder)
    const tree = folder === "" ? root : entry?.kind === "dir" ? entry.oid : undefined
    const entries = tree === undefined ? [] : ((yield* git.tree(tree)) ?? [])
    for (const { mode, name, oid } of entries) {
      const kind = kindOfMode(mode)
      if (kind === "file" && templateName.test(name)) files.push({ filename: name, oid })
      if (kind !== "dir" || !folderName.test(name)) continue
      for (const one of (yield* git.tree(oid)) ?? [])
        if (kindOfMode(one.mode) === "file" && fileName.test(one.name)) files.push({ filename: one.name, oid: one.oid })
    }
  }
  const bodyOf = Effect.fnUntraced(function* ({ filename, oid }: File) {
    const info = yield* git.info(oid)
    if (info === undefined || info.size > MAX_SIZE) return []
    const blob = yield* git.blob(oid)
    return blob === undefined ? [] : [{ filename, body: Buffer.from(blob.bytes).toString() }]
  })
  return (yield* Effect.forEach(files.slice(0, MAX_TEMPLATES), bodyOf)).flat()
})
