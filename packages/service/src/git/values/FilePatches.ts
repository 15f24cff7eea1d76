/** Splits the output of `git diff -p` into patches of files. */
import { decodeNames } from "./TextDecoding.ts"

const fileHeader = /^diff --git .*\n/m

/**
 * The hunks of each file, by the new path, or by the old path of a removed file. Files without hunks are absent.
 * Requires `core.quotePath`, so that every header is one line.
 */
export const parse = (diff: Buffer, isComplete: boolean): ReadonlyMap<string, string> => {
  const files = diff.toString().split(fileHeader).slice(1)
  // The last patch of a truncated diff is incomplete.
  if (!isComplete) files.pop()
  const patches = new Map<string, string>()
  for (const file of files) {
    const start = file.search(/^@@ /m)
    if (start === -1) continue
    const [, before = "", after = ""] = /^--- (.*)\n\+\+\+ (.*)\n/m.exec(file.slice(0, start)) ?? []
    const path = pathOf(after) ?? pathOf(before)
    if (path === undefined) continue
    const patch = file.slice(start).replace(/\n$/, "")
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
