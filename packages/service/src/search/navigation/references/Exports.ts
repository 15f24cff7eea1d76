/** The files that can name a type or a value, by the exports of its file, in TypeScript and JavaScript. */
import { familyOf } from "../LanguageFamily.ts"
import type { Modules } from "../modules/Modules.ts"
import type { RepositoryFiles } from "../RepositoryFiles.ts"
import type { ReferenceQuery } from "./ReferenceQuery.ts"

/** Returns the only file that can use a member, if its type is not exported. */
export const onlyFileOf = async (query: ReferenceQuery, files: RepositoryFiles): Promise<string | undefined> => {
  const [first, ...others] = query.definitions
  if (first?.level !== "member" || first.scope === undefined || others.length > 0) return undefined
  if (familyOf(first.path) !== "js") return undefined
  const text = await files.text(query, first.path)
  const scope = RegExp.escape(first.scope)
  const isHidden =
    text !== undefined &&
    new RegExp(`^(?:interface|type)\\s+${scope}\\b`, "m").test(text) &&
    !new RegExp(`^export\\s+(?:default\\s+${scope}\\b|(?:type\\s*)?\\{[^}]{0,2000}\\b${scope}\\b)`, "m").test(text)
  return isHidden ? first.path : undefined
}

/** True if other files can name a type or value of a file. */
export const isExported = (name: string, path: string, modules: Modules): Promise<boolean> =>
  modules.files.fact(modules.at, path, `exports ${name}`, (text = "") => {
    const own = RegExp.escape(name)
    const before = `\\bexport\\b[^\\n;=({]{0,200}\\b${own}\\b`
    const list = `\\bexport\\s*(?:type\\s*)?\\{[^}]{0,5000}\\b${own}\\b`
    const required = `exports\\b[^;]{0,500}\\b${own}\\b`
    return [new RegExp(`${before}|${list}|${required}|\\bdeclare\\b`).test(text), 1]
  })
