/** Follows symbolic links inside a commit. */
import { posix } from "node:path"
import * as Effect from "effect/Effect"
import type { Objects, PathEntry } from "./Objects.ts"

/** Maximum links followed, as many as `git cat-file --follow-symlinks` and Linux follow. */
const MAX_LINKS = 40

/** Maximum bytes of the path in a link: `PATH_MAX` of Linux. */
const MAX_TARGET_BYTES = 4096

const decoder = new TextDecoder()

/**
 * Returns the target file of a link. Returns `undefined` if the link leads to anything but a file, out of the
 * repository, through another linked folder, or in a circle.
 */
export const follow = Effect.fnUntraced(function* (
  git: Pick<Objects, "blob" | "entryAt" | "info">,
  commit: string,
  link: PathEntry
) {
  let entry: PathEntry | undefined = link
  for (let count = 0; count < MAX_LINKS && entry?.kind === "symlink"; count++) {
    const size: number = (yield* git.info(entry.oid))?.size ?? 0
    const blob = size > MAX_TARGET_BYTES ? undefined : yield* git.blob(entry.oid)
    if (blob === undefined) return undefined
    const target = decoder.decode(blob.bytes)
    const path = posix.join(posix.dirname(entry.path), target)
    if (target.startsWith("/") || target.endsWith("/") || path.startsWith("../")) return undefined
    entry = yield* git.entryAt(commit, path)
  }
  return entry?.kind === "file" ? entry : undefined
})
