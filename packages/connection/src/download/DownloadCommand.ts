/** The command line that saves the result of an operation whose result is a file. */
import type { CatalogEntry } from "@tongs/core/contract/CatalogEntry"

/** Returns the command line, for example `tongs repositories download-tarball owner/name main`. */
export const of = (entry: CatalogEntry, input: Readonly<Record<string, unknown>>): string => {
  const isOnRepository = entry.endpoint.path.includes("/:owner/:repo")
  const fields = entry.fields.filter(
    ({ in: place, name, required }) =>
      place === "path" &&
      !(isOnRepository && (name === "owner" || name === "repo")) &&
      (required || (input[name] !== undefined && input[name] !== ""))
  )
  const repository = isOnRepository ? [`${wordOf(input["owner"])}/${wordOf(input["repo"])}`] : []
  return ["tongs", entry.command, ...repository, ...fields.map(({ name }) => wordOf(input[name]))].join(" ")
}

/** Quotes a word of a command unless a shell would read it literally. */
const wordOf = (value: unknown): string => {
  const text = typeof value === "string" || typeof value === "number" ? String(value) : ""
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
