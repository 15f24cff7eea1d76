import { decodeNames } from "./TextDecoding.ts"

/** A file of a tree, wherever in it. Symbolic links and submodules are not files. */
export interface ListedFile {
  readonly path: string
  readonly oid: string
  /** In bytes; 0 where git cannot tell, as it does not have the file, or cannot read it. */
  readonly size: number
}

/** Makes something of the files of a tree, which come in batches so that a large tree does not hold the event loop. */
export interface ListingBuilder<A> {
  readonly add: (files: ReadonlyArray<ListedFile>) => void
  readonly build: () => A
}

/** All files. */
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
 * Reads the output of `git ls-tree -r -l -z`, `<mode> <type> <oid> <size>\t<path>\0` for each entry, also without `-l`,
 * piece by piece.
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
