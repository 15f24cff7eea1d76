/** The classes that classes extend, by the first line of their declarations. */
import type { Occurrence } from "@tongs/syntax/navigation/Occurrence"
import * as SourceFile from "@tongs/syntax/navigation/SourceFile"
import * as LineTable from "../../text/LineTable.ts"
import type { Place } from "../Place.ts"

/** Maximum length of the text that is searched for the name. */
const MAX_HEAD = 300

/** Returns the name of the class that the class around an occurrence extends. */
export const around = ({ node }: Occurrence, file: SourceFile.SourceFile): string | undefined => {
  const name = file.rules.selfAt(node, file.text)
  if (name === undefined) return undefined
  const declared = SourceFile.occurrences(file, name).find(({ declaration }) => declaration?.kind === "class")
  return declared === undefined ? undefined : after(file.text, name, declared.from)
}

/** Returns the name of the class that a class extends. */
export const of = ({ line, name }: Place, { text }: SourceFile.SourceFile): string | undefined =>
  after(text, name, LineTable.line(LineTable.make(text), line).start)

const after = (text: string, name: string, from: number): string | undefined => {
  const head = text.slice(from, from + MAX_HEAD)
  const pattern = `\\b${RegExp.escape(name)}\\b[^{(]*?(?:\\bextends\\s+([\\w.]+)|\\(\\s*([\\w.]+))`
  const [, extended, based] = new RegExp(pattern).exec(head) ?? []
  return (extended ?? based)?.split(".").at(-1)
}
