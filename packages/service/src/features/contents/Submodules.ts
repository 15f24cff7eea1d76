/** The settings of submodules in `.gitmodules`. */
import * as Effect from "effect/Effect"
import type { GitRepository } from "../../git/GitRepository.ts"
import * as FileContent from "./FileContent.ts"

/** The settings of a submodule. */
export interface Submodule {
  readonly name: string
  readonly url: string
  readonly branch: string | null
}

const decoder = new TextDecoder()

/** Returns the settings of the submodule at a path of a commit. Undefined without a URL. */
export const find = Effect.fnUntraced(function* (git: GitRepository, commit: string, path: string) {
  const file = yield* git.entryAt(commit, ".gitmodules")
  const blob = file?.kind === "file" ? yield* git.blob(file.oid, FileContent.MAX_JSON) : undefined
  if (blob === undefined) return undefined
  const sections = decoder.decode(blob.bytes).split(/^\[submodule /m)
  const section = sections.find((text) => new RegExp(`^\\s*path\\s*=\\s*${RegExp.escape(path)}\\s*$`, "m").test(text))
  if (section === undefined) return undefined
  const url = /^\s*url\s*=\s*(\S+)\s*$/m.exec(section)?.[1]
  if (url === undefined) return undefined
  const name = /^"([^"\n]*)"/.exec(section)?.[1] ?? path
  return { name, url, branch: /^\s*branch\s*=\s*(\S+)\s*$/m.exec(section)?.[1] ?? null } satisfies Submodule
})
