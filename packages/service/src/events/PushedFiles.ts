/** Reads which files commits added, removed and changed, as `git diff-tree --stdin -z --name-status` prints it. */

/** Paths of one commit. */
export interface PushedFiles {
  readonly added: ReadonlyArray<string>
  readonly removed: ReadonlyArray<string>
  readonly modified: ReadonlyArray<string>
}

/** Files of one commit that are told of, as GitHub documents it. */
export const maxFiles = 3000

/** Paths of all commits of a push, in bytes: with more it is larger than what is delivered. */
const maxBytes = 25 * 1024 * 1024

const none = () => ({ added: Array<string>(), removed: Array<string>(), modified: Array<string>() })

/**
 * `read` takes the output piece by piece, and says whether it wants more; `files` has what was read, by commit. For
 * each commit git prints its id, then a letter and a path for each file, all ended by NUL.
 */
export const reader = () => {
  const files = new Map<string, PushedFiles>()
  let current = none()
  let count = 0
  let bytes = 0
  let letter = ""
  let rest: Buffer = Buffer.alloc(0)

  const take = (part: string) => {
    if (letter !== "") {
      if (++count <= maxFiles) {
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
    return bytes <= maxBytes
  }

  return { files, read }
}
