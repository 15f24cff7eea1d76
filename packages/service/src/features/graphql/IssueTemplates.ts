/** Templates and forms of issues: the files of a folder on the default branch. */
import * as Effect from "effect/Effect"
import { kindOfMode } from "../../git/objects/Objects.ts"
import type { ServedRepository } from "../../repositories/RepositoryRegistry.ts"

const FOLDER = ".github/ISSUE_TEMPLATE"

/** Maximum number of templates, and maximum size of a template in bytes. */
const MAX_TEMPLATES = 50
const MAX_SIZE = 65_536

/** Returns the value of a member at the first level of YAML, if the value is on its line. */
const memberOf = (yaml: string, name: string): string | undefined => {
  const [, value = ""] = new RegExp(`^${name}:[ \\t]*(.*)$`, "m").exec(yaml) ?? []
  const text = value.trim()
  const [, quoted] = /^(?:"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)')/.exec(text)?.filter((part) => part !== undefined) ?? []
  if (quoted !== undefined)
    return text.startsWith("'") ? quoted.replaceAll("''", "'") : quoted.replaceAll(/\\(.)/g, "$1")
  const plain = text.replace(/\s+#.*$/, "")
  return plain === "" ? undefined : plain
}

/** Creates the template of a file. A Markdown file has the members in its front matter, a form is YAML. */
const templateOf = (filename: string, content: string) => {
  const text = content.replaceAll("\r\n", "\n")
  const [matter, front] = /^---\n([\s\S]*?\n)---(?:\n|$)\n*/.exec(text) ?? []
  const isForm = /\.ya?ml$/.test(filename)
  const yaml = isForm ? text : (front ?? "")
  return {
    filename,
    name: memberOf(yaml, "name") ?? filename.replace(/\.\w+$/, ""),
    about: memberOf(yaml, isForm ? "description" : "about") ?? null,
    title: memberOf(yaml, "title") ?? null,
    body: isForm ? null : text.slice(matter?.length ?? 0)
  }
}

/** Returns the templates of a repository, sorted by file name. */
export const read = Effect.fnUntraced(function* ({ git }: ServedRepository) {
  const commit = yield* git.resolve("HEAD")
  const folder = commit === undefined ? undefined : yield* git.entryAt(commit, FOLDER)
  const entries = folder?.kind === "dir" ? ((yield* git.tree(folder.oid)) ?? []) : []
  const files = entries.filter(
    ({ mode, name }) => kindOfMode(mode) === "file" && /\.(?:md|ya?ml)$/.test(name) && !/^config\.ya?ml$/.test(name)
  )
  const read = Effect.fnUntraced(function* ({ name, oid }: (typeof files)[number]) {
    const info = yield* git.info(oid)
    if (info === undefined || info.size > MAX_SIZE) return []
    const blob = yield* git.blob(oid)
    return blob === undefined ? [] : [templateOf(name, Buffer.from(blob.bytes).toString())]
  })
  return (yield* Effect.forEach(files.slice(0, MAX_TEMPLATES), read)).flat()
})
