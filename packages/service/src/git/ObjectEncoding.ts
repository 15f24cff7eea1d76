import type { ObjectFormat, ObjectType, Person, TreeEntry } from "./GitObject.ts"
import * as TrimCharacters from "../base/TrimCharacters.ts"

/** A commit to be written. `message` goes in as it is; `signature` is armoured text over the commit without it. */
export interface NewCommit {
  readonly tree: string
  readonly parents: ReadonlyArray<string>
  readonly author: Person
  readonly committer: Person
  readonly message: string
  readonly signature?: string
}

export interface NewTag {
  readonly object: string
  readonly type: ObjectType
  readonly name: string
  readonly tagger: Person
  readonly message: string
}

/** The bytes of a commit, exactly as `git commit-tree` writes them. */
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

/** The bytes of an annotated tag. */
export const encodeTag = (tag: NewTag): Buffer =>
  Buffer.from(
    `object ${tag.object}\ntype ${tag.type}\ntag ${tag.name}\ntagger ${formatPerson(tag.tagger)}\n\n${tag.message}`
  )

/** The bytes of a tree, its entries in git's order: by name, where a folder's name ends in a slash. */
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

/** `Name <email> seconds zone`, with the characters left out that git leaves out of an identity. */
export const formatPerson = ({ email, name, seconds, timezone }: Person): string =>
  `${cleanIdentity(name)} <${cleanIdentity(email)}> ${seconds} ${timezone}`

/** What git cannot write as an identity, in words; `undefined` when there is nothing wrong. */
export const validatePerson = (person: Person): string | undefined => {
  if (cleanIdentity(person.name) === "") return "the name of a person is empty"
  if (person.name.includes("\0") || person.email.includes("\0")) return "a name contains a NUL character"
  if (!Number.isSafeInteger(person.seconds) || person.seconds < 0) return "a date before 1970 cannot be written"
  if (!/^[+-]\d{4}$/.test(person.timezone)) return "a time zone is not of the form +0130"
  return undefined
}

/** Git's own cleaning (`ident.c`): no angle brackets and line feeds, no punctuation around. */
const cleanIdentity = (text: string): string => TrimCharacters.both(text.replace(/[<>\n]/g, ""), punctuation)

const punctuation = `${String.fromCharCode(...Array.from({ length: 0x21 }, (_, code) => code))},:;"\\'`

const encodeSignature = (signature: string, format: ObjectFormat): string => {
  const text = TrimCharacters.end(signature.replace(/\r\n/g, "\n"), "\n")
  return `${format === "sha1" ? "gpgsig" : "gpgsig-sha256"} ${text.replaceAll("\n", "\n ")}\n`
}
