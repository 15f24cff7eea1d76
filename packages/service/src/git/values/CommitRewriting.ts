/** Commits with other trees and parents, as `git rebase` and `git cherry-pick` write them. */
import { type Person, parseHeaders } from "./GitObject.ts"
import { formatPerson } from "./ObjectEncoding.ts"
import { toUtf8 } from "./TextDecoding.ts"

/** What a rewritten commit does not take from the original. */
export interface Rewriting {
  readonly tree: string
  readonly parent: string
  readonly committer: Person
}

/**
 * Encodes the commit `original` with another tree, parent and committer.
 *
 * **Details**
 *
 * The author is copied byte for byte, and the message except for blank lines at its start. Signatures, merged tags and
 * other headers are left out. As in git, a text in another encoding becomes UTF-8 and loses the header `encoding`; a text
 * that cannot be converted keeps both. `undefined` for a commit that git refuses to write: without an author, or with a
 * NUL byte in the message.
 */
export const encode = (original: Buffer, { committer, parent, tree }: Rewriting): Buffer | undefined => {
  const { body, headers } = parseHeaders(original)
  const find = (name: string) => headers.find((header) => header.name === name)?.value
  const author = find("author")
  if (author === undefined || body.includes(0)) return undefined
  const encoding = find("encoding")?.toString("latin1")
  const texts = [author, withoutBlankLines(body)].map((text) => toUtf8(text, encoding))
  const [newAuthor, newBody] = texts
  const isConverted = newAuthor !== undefined && newBody !== undefined
  return Buffer.concat([
    Buffer.from(`tree ${tree}\nparent ${parent}\nauthor `),
    isConverted ? newAuthor : author,
    Buffer.from(`\ncommitter ${formatPerson(committer)}\n`),
    Buffer.from(isConverted ? "\n" : `encoding ${encoding}\n\n`, "latin1"),
    isConverted ? newBody : withoutBlankLines(body)
  ])
}

/** Removes blank lines at the start of a message. */
const withoutBlankLines = (body: Buffer): Buffer => {
  const blank = /^(?:[ \t\v\f\r]*\n)+/.exec(body.toString("latin1"))?.[0] ?? ""
  return body.subarray(blank.length)
}
