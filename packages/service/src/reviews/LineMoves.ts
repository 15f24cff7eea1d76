/** Where the files and lines of one commit are in another commit. */
import * as PatchLines from "@tongs/core/text/PatchLines"
import * as FilePatches from "../git/values/FilePatches.ts"

/** Lines that another commit replaced: `removed` lines from `start` by `added` lines. */
interface Replacement {
  readonly start: number
  readonly removed: number
  readonly added: number
}

/** A file with changes. */
interface ChangedFile {
  /** Undefined for a removed file. */
  readonly path: string | undefined
  /** By line. */
  readonly replacements: ReadonlyArray<Replacement>
}

export interface LineMoves {
  /** The path in the other commit. Undefined for a removed file. */
  readonly path: (path: string) => string | undefined
  /** The line in the other commit. Undefined if it was changed or removed. */
  readonly line: (path: string, line: number) => number | undefined
  /** True if each line of the range is in the other commit. */
  readonly hasLines: (path: string, first: number, last: number) => boolean
}

/** The moves between equal commits. */
export const none: LineMoves = { path: (path) => path, line: (_, line) => line, hasLines: () => true }

/** Parses `git diff-tree -p -M --unified=0`, which requires `core.quotePath`. */
export const parse = (diff: Buffer, isComplete: boolean): LineMoves => {
  const files = new Map<string, ChangedFile>()
  for (const { patch, path, previousPath } of FilePatches.files(diff, isComplete)) {
    // Git prints a change of the file type as a removal, followed by an addition.
    if (previousPath !== undefined) files.set(previousPath, { path, replacements: replacementsOf(patch) })
  }
  const of = (path: string): ChangedFile => files.get(path) ?? { path, replacements: [] }
  const touches = ({ removed, start }: Replacement, first: number, last: number) =>
    removed > 0 && start <= last && first < start + removed
  return {
    path: (path) => of(path).path,
    line: (path, line) => {
      const file = of(path)
      if (file.path === undefined) return undefined
      let moved = line
      for (const replacement of file.replacements) {
        if (replacement.start + replacement.removed > line) {
          if (touches(replacement, line, line)) return undefined
          break
        }
        moved += replacement.added - replacement.removed
      }
      return moved
    },
    hasLines: (path, first, last) => {
      const file = of(path)
      return file.path !== undefined && !file.replacements.some((replacement) => touches(replacement, first, last))
    }
  }
}

const replacementsOf = (patch: string): ReadonlyArray<Replacement> =>
  (patch.match(/^@@ .*$/gm) ?? []).flatMap((line) => {
    const header = PatchLines.parseHeader(line)
    if (header === undefined) return []
    const { newCount: added, oldCount: removed, oldStart } = header
    // Without removed lines, the header names the line before the added ones.
    return [{ start: removed === 0 ? oldStart + 1 : oldStart, removed, added }]
  })
