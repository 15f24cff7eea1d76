/** A file of a tree, wherever in it. Symbolic links and submodules are not files. */
export interface ListedFile {
  readonly path: string
  readonly oid: string
  /** In bytes; 0 where git cannot tell, as it does not have the file, or cannot read it. */
  readonly size: number
}

/** Reads what `git ls-tree -r -l -z` prints: `<mode> <type> <oid> <size>\t<path>\0` for each entry; also without `-l`. */
export const parse = (listing: string): ReadonlyArray<ListedFile> =>
  listing.split("\0").flatMap((line) => {
    const tab = line.indexOf("\t")
    const [mode, type, oid = "", size] = line.slice(0, tab).split(/ +/)
    if (tab === -1 || type !== "blob" || mode === "120000") return []
    return [{ path: line.slice(tab + 1), oid, size: Number(size) || 0 }]
  })
