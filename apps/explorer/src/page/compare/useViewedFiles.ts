/**
 * Marks of files that the reader has viewed. A mark is for one content of a file, and is stored only in this browser.
 */
import { useMemo, useState } from "react"
import type { ChangedFile } from "../../ComparisonApi.ts"
import type { RepositoryName } from "../../ExplorerApi.ts"

const STORAGE_KEY = "tongs.viewed"

/** Maximum number of marks; the oldest are dropped. */
const MAX_MARKS = 2_000

export interface ViewedFiles {
  readonly isViewed: (file: ChangedFile) => boolean
  readonly setViewed: (file: ChangedFile, isViewed: boolean) => void
}

/** The marks of a repository's files. */
export const useViewedFiles = ({ owner, repo }: RepositoryName): ViewedFiles => {
  const [marks, setMarks] = useState(read)
  return useMemo(() => {
    const keyOf = ({ oid, path }: ChangedFile) => `${owner}/${repo} ${oid ?? ""} ${path}`
    return {
      isViewed: (file) => marks.has(keyOf(file)),
      setViewed: (file, isViewed) => {
        // Other tabs may have added marks.
        const next = read()
        const key = keyOf(file)
        next.delete(key)
        if (isViewed) next.add(key)
        const kept = new Set([...next].slice(-MAX_MARKS))
        write(kept)
        setMarks(kept)
      }
    }
  }, [marks, owner, repo])
}

// A browser may deny storage. The marks then last until the next change.
const read = (): Set<string> => {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "[]")
    return new Set(Array.isArray(value) ? value.filter((one) => typeof one === "string") : [])
  } catch {
    return new Set()
  }
}

const write = (marks: ReadonlySet<string>): void => {
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify([...marks]))
  } catch {
    // A browser may deny storage.
  }
}
