/** The README of a folder. */
import type { FolderEntry } from "../../ExplorerApi.ts"

/** True for the name of a Markdown file. */
export const isMarkdown = (path: string): boolean => /\.(?:md|markdown|mdown|mkd)$/i.test(path)

/** Names of README files, the preferred names first. */
const names = [/^readme\.(?:md|markdown|mdown|mkd)$/i, /^readme$/i, /^readme\.(?:rst|txt|adoc|org)$/i]

/** Returns the README of a folder, if any. */
export const find = (entries: ReadonlyArray<FolderEntry>): FolderEntry | undefined => {
  const files = entries.filter(({ kind }) => kind === "file")
  return names.map((name) => files.find((file) => name.test(file.name))).find((file) => file !== undefined)
}
