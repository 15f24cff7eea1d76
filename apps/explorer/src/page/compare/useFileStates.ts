import { useMemo, useState } from "react"
import type { Comparison } from "../../ComparisonApi.ts"
import type { RepositoryName } from "../../ExplorerApi.ts"
import * as ExplorerClient from "../api/ExplorerClient.ts"
import * as TextLines from "../model/TextLines.ts"
import type { FileState } from "./DiffItems.ts"
import * as Patch from "./Patch.ts"
import type { LoadedFile } from "./usePatches.ts"
import type { ViewedFiles } from "./useViewedFiles.ts"

/** The files that the reader has opened, closed and expanded. */
export interface FileStates {
  readonly states: ReadonlyMap<string, FileState>
  readonly isClosed: (file: LoadedFile) => boolean
  readonly update: (path: string, more: FileState) => void
  /** Shows lines of a gap between hunks. */
  readonly expand: (file: LoadedFile, gap: Patch.Gap, expansion: Patch.Expansion) => Promise<void>
}

/** The states of the files of a comparison. */
export const useFileStates = (
  { owner, repo }: RepositoryName,
  { head }: Comparison,
  viewed: ViewedFiles
): FileStates => {
  const [states, setStates] = useState<ReadonlyMap<string, FileState>>(() => new Map())
  return useMemo(() => {
    const update = (path: string, more: FileState) =>
      setStates((states) => new Map(states).set(path, { ...states.get(path), ...more }))
    return {
      states,
      isClosed: ({ file }) => states.get(file.path)?.isClosed ?? viewed.isViewed(file),
      update,
      expand: async ({ file: { patch = "", path } }, gap, expansion) => {
        const hunks = states.get(path)?.expanded?.hunks ?? Patch.parse(patch)
        const { content } = await ExplorerClient.queryClient.fetchQuery(
          ExplorerClient.queryOptions(ExplorerClient.file, { owner, repo, path, ref: head })
        )
        if (content.kind !== "text") return
        const lines = TextLines.split(content.text).map(({ text }) => text)
        update(path, { expanded: { hunks: Patch.expand(hunks, lines, gap, expansion), lineCount: lines.length } })
      }
    }
  }, [head, owner, repo, states, viewed])
}
