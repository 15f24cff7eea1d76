import { useQueries, type UseQueryResult } from "@tanstack/react-query"
import { useCallback, useMemo, useState } from "react"
import type { ChangedFile, Comparison } from "../../ComparisonApi.ts"
import type { RepositoryName } from "../../ExplorerApi.ts"
import { PATCHES_PER_PAGE } from "../../PatchPages.ts"
import * as ExplorerClient from "../api/ExplorerClient.ts"

/** The parameters of a comparison's requests. */
export interface PatchFilter extends RepositoryName {
  readonly path: string | undefined
  readonly ignoreWhitespace: true | undefined
}

/** A changed file, and the state of its patch. */
export interface LoadedFile {
  readonly file: ChangedFile
  readonly state: "failed" | "loaded" | "loading"
}

export interface Patches {
  readonly files: ReadonlyArray<LoadedFile>
  /** Loads the patches of the page that has this file. */
  readonly load: (index: number) => void
  /** Loads the patch of one file, however large. */
  readonly loadLarge: (path: string) => void
  readonly retry: () => void
}

/** The files of a comparison with their patches, which are loaded in pages. */
export const usePatches = (comparison: Comparison, filter: PatchFilter): Patches => {
  const { files: listed, from, hasPages, head } = comparison
  const [pages, setPages] = useState<ReadonlyArray<number>>([])
  const [large, setLarge] = useState<ReadonlyArray<string>>([])
  const { ignoreWhitespace, owner, path, repo } = filter
  const parameters = {
    owner,
    repo,
    head,
    ...(from === null ? {} : { from }),
    ...(ignoreWhitespace === undefined ? {} : { ignoreWhitespace: "true" })
  }
  const queries = [
    ...pages.map((page) => ({ ...parameters, page, ...(path === undefined ? {} : { path }) })),
    ...large.map((path) => ({ ...parameters, path }))
  ].map((parameters) => ExplorerClient.queryOptions(ExplorerClient.patches, parameters))
  const results = useQueries({ queries, combine })
  const files = useMemo(() => {
    const patched = new Map(results.files.map((file) => [file.path, file]))
    return listed.map((file, index): LoadedFile => {
      const found = patched.get(file.path)
      if (found !== undefined) return { file: found, state: "loaded" }
      const isHere = !hasPages || index < PATCHES_PER_PAGE
      const state = isHere ? "loaded" : results.hasFailed ? "failed" : "loading"
      return { file, state }
    })
  }, [hasPages, listed, results])
  const load = useCallback(
    (index: number) => {
      const page = Math.floor(index / PATCHES_PER_PAGE) + 1
      if (!hasPages || page === 1) return
      setPages((pages) => (pages.includes(page) ? pages : [...pages, page]))
    },
    [hasPages]
  )
  const loadLarge = useCallback(
    (path: string) => setLarge((paths) => (paths.includes(path) ? paths : [...paths, path])),
    []
  )
  return useMemo(() => ({ files, load, loadLarge, retry: results.retry }), [files, load, loadLarge, results])
}

/** Defined outside of the hook, so that the combined results change only if a query changes. */
const combine = (results: ReadonlyArray<UseQueryResult<ReadonlyArray<ChangedFile>>>) => ({
  files: results.flatMap(({ data }) => data ?? []),
  hasFailed: results.some(({ isError }) => isError),
  retry: () => {
    for (const { isError, refetch } of results) if (isError) void refetch()
  }
})
