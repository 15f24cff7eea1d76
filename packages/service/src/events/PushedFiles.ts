/** Parses the output of `git diff-tree --stdin -z --name-status`: the files that commits add, remove and modify. */

/** Paths of the files that one commit changes. */
export interface PushedFiles {
  readonly added: ReadonlyArray<string>
  readonly removed: ReadonlyArray<string>
  readonly modified: ReadonlyArray<string>
}

/** Maximum number of files per commit, as GitHub documents. */
export const MAX_FILES = 3000

/** Maximum size of all paths together, in bytes. A webhook payload with more would be too large to deliver. */
const MAX_BYTES = 25 * 1024 * 1024

const none = () => ({ added: Array<string>(), removed: Array<string>(), modified: Array<string>() })

/**
 * Creates a parser. `read` parses a chunk of output and returns false once the paths exceed the limit; `files` has the
 * result by commit. Git prints the id of each commit, then a letter and a path for each file, all terminated by NUL.
 */
export const makeParser = () => {
  const files = new Map<string, PushedFiles>()
  let current = none()
  let count = 0
  let bytes = 0
  let letter = ""
  let rest: Buffer = Buffer.alloc(0)

  const take = (part: string) => {
    if (letter !== "") {
      if (++count <= MAX_FILES) {
        bytes += part.length
        const kind = letter === "A" ? "added" : letter === "D" ? "removed" : "modified"
        current[kind].push(part)
      }
      letter = ""
    } else if (part.length === 1) {
      letter = part
    } else {
      current = none()
      count = 0
      files.set(part, current)
    }
  }

  const read = (chunk: Buffer): boolean => {
    const whole = Buffer.concat([rest, chunk])
    const end = whole.lastIndexOf(0)
    rest = whole.subarray(end + 1)
    if (end !== -1) for (const part of whole.toString("utf8", 0, end).split("\0")) take(part)
    return bytes <= MAX_BYTES
  }

  return { files, read }
}
