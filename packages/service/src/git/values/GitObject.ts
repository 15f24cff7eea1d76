import { isUtf8 } from "node:buffer"
import { decodeNames, decodeText } from "./TextDecoding.ts"
import * as TrimCharacters from "../../base/TrimCharacters.ts"

export type ObjectType = "commit" | "tree" | "blob" | "tag"

/** The hash of a repository's object ids: SHA-1 (40 digits) or SHA-256 (64 digits). */
export type ObjectFormat = "sha1" | "sha256"

/** Author, committer or tagger. `seconds` since 1970 in UTC. `timezone` as written (`+0130`), to reproduce object ids. */
export interface Person {
  readonly name: string
  readonly email: string
  readonly seconds: number
  readonly timezone: string
}

/** An armored signature and the signed text. */
export interface Signature {
  readonly signature: string
  readonly payload: string
  /** The signed bytes, unless equal to the UTF-8 encoding of `payload`. */
  readonly bytes?: Buffer
}

/** A parsed commit. `message` is decoded from `encoding`. */
export interface Commit {
  readonly tree: string
  readonly parents: ReadonlyArray<string>
  readonly author: Person
  readonly committer: Person
  readonly message: string
  readonly encoding?: string
  readonly signature?: Signature
}

/** A parsed annotated tag. */
export interface Tag {
  readonly object: string
  readonly type: ObjectType
  readonly name: string
  /** Absent in very old tags. */
  readonly tagger?: Person
  /** Without the signature. */
  readonly message: string
  readonly signature?: Signature
}

/** One entry of a tree. `mode` has six digits. A submodule has type `commit`; a symbolic link is a blob of mode 120000. */
export interface TreeEntry {
  readonly mode: string
  readonly type: "blob" | "tree" | "commit"
  readonly name: string
  /** The name as bytes if not UTF-8, to write the same tree again. */
  readonly bytes?: Buffer
  readonly oid: string
}

const NEWLINE = 0x0a

interface Header {
  readonly name: string
  readonly value: Buffer
  /** Byte range of the header in the object. */
  readonly start: number
  readonly end: number
}

/** Headers up to the blank line. A line that starts with a space continues the previous one. */
export const parseHeaders = (bytes: Buffer): { readonly headers: ReadonlyArray<Header>; readonly body: Buffer } => {
  const headers: Array<Header> = []
  let at = 0
  while (at < bytes.length && bytes[at] !== NEWLINE) {
    const start = at
    const lines: Array<Buffer> = []
    do {
      let end = bytes.indexOf(NEWLINE, at)
      if (end === -1) end = bytes.length
      lines.push(bytes.subarray(lines.length === 0 ? at : at + 1, end))
      at = end + 1
    } while (bytes[at] === 0x20)
    const [first = Buffer.alloc(0), ...rest] = lines
    const space = first.indexOf(0x20)
    const name = first.toString("latin1", 0, space === -1 ? first.length : space)
    const value = first.subarray(space === -1 ? first.length : space + 1)
    headers.push({ name, value: rest.length === 0 ? value : joinLines([value, ...rest]), start, end: at })
  }
  return { headers, body: bytes.subarray(Math.min(at + 1, bytes.length)) }
}

const joinLines = (lines: ReadonlyArray<Buffer>): Buffer =>
  Buffer.concat(lines.flatMap((line, index) => (index === 0 ? [line] : [Buffer.from("\n"), line])))

/** Parses a commit. Like git, tolerates malformed headers, which exist in old histories. */
export const parseCommit = (bytes: Buffer): Commit => {
  const { headers, body } = parseHeaders(bytes)
  const find = (name: string) => headers.find((header) => header.name === name)?.value
  const encoding = find("encoding")?.toString("latin1")
  const signature = headers.find((header) => header.name === "gpgsig" || header.name === "gpgsig-sha256")
  return {
    tree: find("tree")?.toString("latin1") ?? "",
    parents: headers.filter((header) => header.name === "parent").map((header) => header.value.toString("latin1")),
    author: parsePerson(find("author"), encoding),
    committer: parsePerson(find("committer"), encoding),
    message: decodeText(body, encoding),
    ...(encoding === undefined ? {} : { encoding }),
    ...(signature === undefined
      ? {}
      : {
          signature: signatureOver(
            Buffer.concat([bytes.subarray(0, signature.start), bytes.subarray(signature.end)]),
            signature.value.toString(),
            encoding
          )
        })
  }
}

const signatureOver = (bytes: Buffer, signature: string, encoding?: string): Signature => {
  const payload = decodeText(bytes, encoding)
  return { signature, payload, ...(Buffer.from(payload).equals(bytes) ? {} : { bytes }) }
}

const signatureStart = /^-----BEGIN (?:PGP SIGNATURE|PGP MESSAGE|SIGNED MESSAGE|SSH SIGNATURE)-----$/m

/** Parses an annotated tag and separates a signature from the message. */
export const parseTag = (bytes: Buffer): Tag => {
  const { headers, body } = parseHeaders(bytes)
  const find = (name: string) => headers.find((header) => header.name === name)?.value
  const tagger = find("tagger")
  const text = decodeText(body)
  const cut = text.search(signatureStart)
  return {
    object: find("object")?.toString("latin1") ?? "",
    type: toObjectType(find("type")?.toString("latin1")) ?? "commit",
    name: decodeText(find("tag") ?? Buffer.alloc(0)),
    ...(tagger === undefined ? {} : { tagger: parsePerson(tagger) }),
    message: cut === -1 ? text : text.slice(0, cut),
    ...(cut === -1
      ? {}
      : {
          signature: signatureOver(
            bytes.subarray(0, bytes.length - Buffer.byteLength(text.slice(cut))),
            text.slice(cut)
          )
        })
  }
}

/** Parses a tree. Stops at a malformed entry. */
export const parseTree = (bytes: Buffer, format: ObjectFormat): ReadonlyArray<TreeEntry> => {
  const entries: Array<TreeEntry> = []
  const oidBytes = format === "sha1" ? 20 : 32
  let at = 0
  while (at < bytes.length) {
    const space = bytes.indexOf(0x20, at)
    const nul = bytes.indexOf(0, space)
    if (space === -1 || nul === -1) break
    const mode = bytes.toString("latin1", at, space).padStart(6, "0")
    const name = bytes.subarray(space + 1, nul)
    entries.push({
      mode,
      type: typeOfMode(mode),
      name: decodeNames(name),
      ...(isUtf8(name) ? {} : { bytes: Buffer.from(name) }),
      oid: bytes.toString("hex", nul + 1, nul + 1 + oidBytes)
    })
    at = nul + 1 + oidBytes
  }
  return entries
}

/** The type of the object that a tree entry with this mode refers to. */
export const typeOfMode = (mode: string): TreeEntry["type"] =>
  mode === "040000" ? "tree" : mode === "160000" ? "commit" : "blob"

/** The text if an object type, else `undefined`. */
export const toObjectType = (text: string | undefined): ObjectType | undefined =>
  text === "commit" || text === "tree" || text === "blob" || text === "tag" ? text : undefined

/** Offset from UTC in minutes, positive to the east. */
export const timezoneMinutes = (timezone: string): number => {
  const [, sign, hours, minutes] = /^([+-])(\d{2,})(\d{2})$/.exec(timezone) ?? []
  const total = Number(hours ?? 0) * 60 + Number(minutes ?? 0)
  return sign === "-" && total !== 0 ? -total : total
}

const parsePerson = (value: Buffer | undefined, encoding?: string): Person => {
  const text = value === undefined ? "" : decodeText(value, encoding)
  const open = text.indexOf("<")
  const close = text.lastIndexOf(">")
  if (open === -1 || close < open) return { name: trimBlanks(text), email: "", seconds: 0, timezone: "+0000" }
  const [, seconds, timezone] = /^\s*(-?\d+)(?:\s+([+-]\d+))?/.exec(text.slice(close + 1)) ?? []
  return {
    name: trimBlanks(text.slice(0, open)),
    email: text.slice(open + 1, close),
    // Some commits have dates out of range, which git shows as 0.
    seconds: Math.abs(Number(seconds ?? 0)) > MAX_SECONDS ? 0 : Number(seconds ?? 0),
    timezone: timezone ?? "+0000"
  }
}

/** Trims the characters that git trims. `String.trim` would also remove Unicode spaces, which belong to the name. */
const trimBlanks = (text: string): string => TrimCharacters.both(text, " \t")

/** Largest number of seconds since 1970 that a JavaScript `Date` can hold. */
export const MAX_SECONDS = 8_640_000_000_000
