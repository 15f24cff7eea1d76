import type { ReactNode } from "react"
import type { Comparison } from "../../ComparisonApi.ts"
import type * as Route from "../model/Route.ts"
import { DiffChunk } from "./DiffChunk.tsx"
import type { DiffItem, FileItems, Inset } from "./DiffItems.ts"
import type { DiffLinks } from "./DiffLinks.ts"
import type { ChangedBlock, Layout } from "./DiffRows.ts"
import { FileHead } from "./FileHead.tsx"
import { FileNote, ImageDiff } from "./FileNotes.tsx"
import { GapRow } from "./GapRow.tsx"
import type { DiffLine } from "./Patch.ts"
import type { FileStates } from "./useFileStates.ts"
import type { LoadedFile, Patches } from "./usePatches.ts"

/** An item of the list of diffs: the head of a file, or a part of its body. */
export const DiffPart = ({
  comparison,
  file: { rows },
  isLast,
  isViewed,
  item,
  layout,
  links,
  loaded,
  onViewed,
  patches,
  renderInset,
  route,
  states
}: {
  readonly route: Route.ChangesView
  readonly comparison: Comparison
  readonly item: DiffItem
  readonly file: FileItems
  readonly loaded: LoadedFile
  /** True for the last item of the file. */
  readonly isLast: boolean
  readonly layout: Layout
  readonly links: DiffLinks
  readonly patches: Patches
  readonly states: FileStates
  readonly isViewed: boolean
  readonly onViewed: (isViewed: boolean) => void
  readonly renderInset: ((inset: Inset) => ReactNode) | undefined
}) => {
  const { file } = loaded
  const { path } = file
  switch (item._tag) {
    case "Head": {
      const isClosed = states.isClosed(loaded)
      return (
        <FileHead
          file={file}
          isClosed={isClosed}
          isViewed={isViewed}
          link={() => links.permalink(path)}
          onToggle={() => states.update(path, { isClosed: !isClosed })}
          onViewed={onViewed}
          view={viewOf(route, comparison, loaded)}
        />
      )
    }
    case "Chunk":
      return (
        <DiffChunk
          chunk={item}
          file={item.file}
          path={path}
          layout={layout}
          blocks={rows?.blocks ?? noBlocks}
          selected={route.file === path ? route.line : undefined}
          href={links.href(path)}
        />
      )
    case "Gap":
      return (
        <GapRow
          gap={item.gap}
          section={item.section}
          isLast={item.gap.last === undefined || isLast}
          onExpand={
            file.status === "removed" ? undefined : (expansion) => void states.expand(loaded, item.gap, expansion)
          }
        />
      )
    case "Inset":
      return renderInset?.(item.inset)
    case "Image":
      return <ImageDiff repository={route} comparison={comparison} file={file} />
    case "Note":
      return (
        <FileNote
          file={file}
          note={item.note}
          view={viewOf(route, comparison, loaded)}
          onLoad={() => {
            if (file.hasLargePatch === true) patches.loadLarge(path)
            states.update(path, { showsLarge: true })
          }}
          onRetry={patches.retry}
        />
      )
  }
}

const noBlocks: ReadonlyMap<DiffLine, ChangedBlock> = new Map()

/** The file after the change, or a removed file before the change. */
const viewOf = (
  { owner, repo }: Route.ChangesView,
  { from, head }: Comparison,
  { file: { path, status } }: LoadedFile
): Route.File => ({ _tag: "File", owner, repo, path, ref: status === "removed" ? (from ?? head) : head })
