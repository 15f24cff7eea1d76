import { decodeNames } from "./TextDecoding.ts"

/** A file at any depth of a tree. Excludes symbolic links and submodules. */
export interface ListedFile {
  readonly path: string
  readonly oid: string
  /** Size in bytes; 0 if the object is missing or unreadable. */
  readonly size: number
}

/** Computes a value from the files of a tree, added in batches so that a large tree does not block the event loop. */
export interface ListingBuilder<A> {
  readonly add: (files: ReadonlyArray<ListedFile>) => void
  readonly build: () => A
}

/** Collects all files. */
export const collect = (): ListingBuilder<ReadonlyArray<ListedFile>> => {
  const all: Array<ListedFile> = []
  return {
    add: (files) => {
      for (const file of files) all.push(file)
    },
    build: () => all
  }
}

/**
 * Parses the output of `git ls-tree -r -z`, with or without `-l`, chunk by chunk: `<mode> <type> <oid> <size>\t<path>\0`
 * for each entry.
 */
export const reader = (add: (files: ReadonlyArray<ListedFile>) => void): ((chunk: Buffer) => void) => {
  let rest: Buffer = Buffer.alloc(0)
  return (chunk) => {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const end = bytes.lastIndexOf(0) + 1
    rest = bytes.subarray(end)
    if (end > 0) add(parse(decodeNames(bytes.subarray(0, end))))
  }
}

const parse = (listing: string): ReadonlyArray<ListedFile> =>
  listing.split("\0").flatMap((line) => {
    const tab = line.indexOf("\t")
    const [mode, type, oid = "", size] = line.slice(0, tab).split(/ +/)
    if (tab === -1 || type !== "blob" || mode === "120000") return []
    return [{ path: line.slice(tab + 1), oid, size: Number(size) || 0 }]
  })
