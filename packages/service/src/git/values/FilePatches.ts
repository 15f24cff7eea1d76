/** Splits the output of `git diff -p` into patches of files. */
import { decodeNames } from "./TextDecoding.ts"

const fileHeader = /^diff --git .*\n/m

/** A file with hunks, or a renamed file. */
export interface FilePatch {
  /** Undefined for a removed file. */
  readonly path: string | undefined
  /** Undefined for an added file. */
  readonly previousPath: string | undefined
  /** The hunks. Empty for a renamed file without changes. */
  readonly patch: string
}

/**
 * The files in the order of the diff, without binary files and changes of modes. Requires `core.quotePath`, so that
 * every header is one line.
 */
export const files = (diff: Buffer, isComplete: boolean): ReadonlyArray<FilePatch> => {
  const parts = diff.toString().split(fileHeader).slice(1)
  // The last patch of a truncated diff is incomplete.
  if (!isComplete) parts.pop()
  return parts.flatMap((part): ReadonlyArray<FilePatch> => {
    const start = part.search(/^@@ /m)
    if (start === -1) {
      const [, from, to] = /^rename from (.*)\nrename to (.*)\n/m.exec(part) ?? []
      if (from === undefined || to === undefined) return []
      return [{ path: unquote(Buffer.from(to)), previousPath: unquote(Buffer.from(from)), patch: "" }]
    }
    const [, before, after] = /^--- (.*)\n\+\+\+ (.*)\n/m.exec(part.slice(0, start)) ?? []
    if (before === undefined || after === undefined) return []
    return [{ path: pathOf(after), previousPath: pathOf(before), patch: part.slice(start).replace(/\n$/, "") }]
  })
}

/**
 * The hunks of each file, by the new path, or by the old path of a removed file. Files without hunks are absent.
 * Requires `core.quotePath`, so that every header is one line.
 */
export const parse = (diff: Buffer, isComplete: boolean): ReadonlyMap<string, string> => {
  const patches = new Map<string, string>()
  for (const { patch, path: after, previousPath } of files(diff, isComplete)) {
    const path = after ?? previousPath
    if (path === undefined || patch === "") continue
    const earlier = patches.get(path)
    // A change of the file type is a removal and an addition.
    patches.set(path, earlier === undefined ? patch : `${earlier}\n${patch}`)
  }
  return patches
}

/** The path in `--- a/path` or `+++ "b/quoted"`. Undefined for `/dev/null`. */
const pathOf = (header: string): string | undefined => {
  // Git adds a tab after names with spaces.
  const name = header.replace(/\t$/, "")
  if (name === "/dev/null") return undefined
  return unquote(Buffer.from(name)).slice(2)
}

const escapes: Readonly<Record<string, string>> = { a: "\x07", b: "\b", t: "\t", n: "\n", v: "\v", f: "\f", r: "\r" }

/** Quotes a path like a string of C, for git to parse. The result is one line and never a comment. */
export const quote = (path: string): string => `"${path.replace(/["\\]/g, "\\$&").replaceAll("\n", "\\n")}"`

/** Decodes a name quoted by git like a string of C. Decodes any other name only as text. */
export const unquote = (name: Buffer): string =>
  name[0] !== 0x22
    ? decodeNames(name)
    : decodeNames(
        Buffer.from(
          name
            .toString("latin1")
            .slice(1, -1)
            .replace(/\\([0-7]{3}|.)/g, (_, escape: string) =>
              escape.length === 3 ? String.fromCharCode(Number.parseInt(escape, 8)) : (escapes[escape] ?? escape)
            ),
          "latin1"
        )
      )
