/** The text of a file in a response, or the reason why the file cannot be shown. */
import * as Result from "effect/Result"
import * as Base64 from "effect/encoding/Base64"
import type { ContentEntry } from "@tongs/core/contract/groups/Contents"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as AbbreviatedId from "@tongs/core/text/AbbreviatedId"
import type { Notice } from "../../content/Content.ts"

const utf8 = new TextDecoder()

/** Number of bytes to search for a NUL, to detect binary files as git does. */
const BINARY_CHECK_BYTES = 8_000

/** The members of a content entry that determine the display. */
type FileContent = Pick<
  ContentEntry,
  "type" | "path" | "html_url" | "size" | "encoding" | "content" | "target" | "submodule_git_url"
> & { readonly sha: string }

/** Returns true for the entries of a folder. */
export const isFolder = (entry: ContentEntry | ReadonlyArray<ContentEntry>): entry is ReadonlyArray<ContentEntry> =>
  Array.isArray(entry)

/** Decodes the text of a file. Returns a notice for a binary file, and for a file without content. */
export const read = (self: FileContent): string | Notice => {
  const notice = (title: string, hint: string): Notice => ({
    _tag: "Notice",
    id: self.path,
    webUrl: self.html_url,
    title,
    hint
  })
  if (self.type === "symlink")
    return notice(`A symbolic link to ${self.target ?? "an unknown target"}`, "Press Esc to go back")
  if (self.type === "submodule")
    return notice(
      `A submodule at ${AbbreviatedId.of(self.sha)}`,
      self.submodule_git_url ?? "Its files are in another repository"
    )
  if (self.encoding !== "base64" || self.content === undefined)
    return notice(
      `Too large to show: ${NumberFormat.bytes(self.size)}`,
      "The API does not return the content of large files. Clone the repository, or press o to open the web page"
    )
  const bytes = Base64.decode(self.content.replace(/\s/g, ""))
  if (Result.isFailure(bytes)) return notice("The forge returned invalid content", "Press r to try again")
  if (bytes.success.length === 0) return notice("An empty file", "Press Esc to go back")
  if (bytes.success.subarray(0, BINARY_CHECK_BYTES).includes(0))
    return notice(`A binary file, ${NumberFormat.bytes(self.size)}`, "Press Esc to go back")
  return utf8.decode(bytes.success)
}

/** Splits a text into lines, without an empty line after the last newline. */
export const lines = (text: string): ReadonlyArray<string> => text.replace(/\r?\n$/, "").split(/\r?\n/)
