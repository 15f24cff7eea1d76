import type { ObjectFormat, ObjectType, Person, TreeEntry } from "./GitObject.ts"
import * as TrimCharacters from "../../base/TrimCharacters.ts"

/** A commit to write. `message` is written unchanged. `signature` is an armored signature of the unsigned commit. */
export interface NewCommit {
  readonly tree: string
  readonly parents: ReadonlyArray<string>
  readonly author: Person
  readonly committer: Person
  readonly message: string
  readonly signature?: string
}

/** An annotated tag to write. */
export interface NewTag {
  readonly object: string
  readonly type: ObjectType
  readonly name: string
  readonly tagger: Person
  readonly message: string
}

/** Encodes a commit exactly as `git commit-tree` does. */
export const encodeCommit = (commit: NewCommit, format: ObjectFormat): Buffer => {
  const headers = [
    `tree ${commit.tree}\n`,
    ...commit.parents.map((parent) => `parent ${parent}\n`),
    `author ${formatPerson(commit.author)}\n`,
    `committer ${formatPerson(commit.committer)}\n`
  ].join("")
  const signature = commit.signature === undefined ? "" : encodeSignature(commit.signature, format)
  return Buffer.from(`${headers}${signature}\n${commit.message}`)
}

export const encodeTag = (tag: NewTag): Buffer =>
  Buffer.from(
    `object ${tag.object}\ntype ${tag.type}\ntag ${tag.name}\ntagger ${formatPerson(tag.tagger)}\n\n${tag.message}`
  )

/** Encodes a tree. Sorts the entries by name like git, which compares folder names with a trailing slash. */
export const encodeTree = (entries: Iterable<TreeEntry>): Buffer =>
  Buffer.concat(
    [...entries]
      .map((entry) => {
        const name = entry.bytes ?? Buffer.from(entry.name)
        return { entry, name, key: entry.type === "tree" ? Buffer.concat([name, Buffer.from("/")]) : name }
      })
      .sort((a, b) => Buffer.compare(a.key, b.key))
      .flatMap(({ entry, name }) => [
        Buffer.from(`${entry.mode.replace(/^0+/, "")} `),
        name,
        Buffer.alloc(1),
        Buffer.from(entry.oid, "hex")
      ])
  )

/** `Name <email> seconds zone`, without the characters that git removes from an identity. */
export const formatPerson = ({ email, name, seconds, timezone }: Person): string =>
  `${cleanIdentity(name)} <${cleanIdentity(email)}> ${seconds} ${timezone}`

/** The reason why git cannot write this identity; `undefined` for a valid identity. */
export const validatePerson = (person: Person): string | undefined => {
  if (cleanIdentity(person.name) === "") return "the name of the author, committer or tagger is empty"
  if (person.name.includes("\0") || person.email.includes("\0")) return "a name contains a NUL character"
  if (!Number.isSafeInteger(person.seconds) || person.seconds < 0) return "dates before 1970 are not supported"
  if (!/^[+-]\d{4}$/.test(person.timezone)) return "a time zone must have the form +0130"
  return undefined
}

/** Removes angle brackets, line feeds and surrounding punctuation, as git's `ident.c` does. */
const cleanIdentity = (text: string): string => TrimCharacters.both(text.replace(/[<>\n]/g, ""), punctuation)

const punctuation = `${String.fromCharCode(...Array.from({ length: 0x21 }, (_, code) => code))},:;"\\'`

const encodeSignature = (signature: string, format: ObjectFormat): string => {
  const text = TrimCharacters.end(signature.replace(/\r\n/g, "\n"), "\n")
  return `${format === "sha1" ? "gpgsig" : "gpgsig-sha256"} ${text.replaceAll("\n", "\n ")}\n`
}
