/** The tool `list_files`: the files and folders of a repository, one line per folder. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Glob from "@tongs/core/text/Glob"
import * as PathText from "@tongs/core/text/PathText"
import type { Answer, Item } from "../answer/Answer.ts"
import { normalizePath, repositoryOf } from "../call/Call.ts"
import * as Tool from "../call/Tool.ts"
import { ToolError } from "../call/ToolError.ts"
import * as ToolInput from "../call/ToolInput.ts"
import * as FileTree from "../files/FileTree.ts"
import * as FileView from "../files/FileView.ts"
import * as FolderLines from "../files/FolderLines.ts"
import * as FixedList from "../lists/FixedList.ts"
import { estimateTokens } from "../text/TokenEstimate.ts"

/** Tokens of the lines, if the caller gave no depth. An answer has room for the lines, the first line and the notes. */
const MAX_TOKENS = 1_600

/** Maximum length of a glob in UTF-16 code units. */
const MAX_GLOB = 500

/** Maximum number of levels of an answer without a glob. */
const MAX_DEPTH = 100

export const make = (): Tool.Tool =>
  Tool.make({
    name: "list_files",
    description:
      "List files below a folder, one line per folder: its path, then names. name/(12) is a folder with 12 files. glob is relative to path, for example **/*.{ts,tsx}.",
    uses: ["gitTrees.get"],
    isList: true,
    input: Schema.Struct({
      path: Schema.optionalKey(Schema.String),
      glob: Schema.optionalKey(Schema.String),
      depth: ToolInput.limit(MAX_DEPTH),
      ref: ToolInput.ref,
      repo: ToolInput.repo
    }),
    run: Effect.fnUntraced(function* ({ depth, glob, path, ref, repo }, call) {
      const repository = yield* repositoryOf(repo, call)
      const folder = normalizePath(path)
      const filter = glob === undefined ? undefined : yield* compile(glob)
      const view = yield* FileView.of(repository, ref, call)
      const source = { ...view.source, path: folder }
      const target = {
        ...repository,
        ref: view.ref,
        folder,
        // A cursor names the tree, so that later parts are of the same commit.
        id: call.position?.page,
        levels: depth ?? (filter === undefined ? 1 : Infinity)
      }
      const tree = yield* FileTree.read(target, call).pipe(Effect.catchTag("Conflict", () => Effect.undefined))
      if (tree === undefined) return { source, items: [], notes: ["The repository is empty."] } satisfies Answer
      const { id } = tree
      if (id === undefined) return yield* missingFolder(tree, folder, source)
      const shown = { folder, filter, depth: depth ?? (filter === undefined ? bestDepth(tree, folder) : Infinity) }
      const items = FolderLines.print(tree, shown)
      return {
        source: { ...source, depth: shown.depth === Infinity ? undefined : shown.depth },
        ...FixedList.from(items, call, { version: id }),
        notes: [...notes(tree, items, filter !== undefined), ...view.notes]
      } satisfies Answer
    })
  })

/**
 * Compiles a glob. A glob without a slash matches names in any folder. `src/` and `src/**` match `src` too, so that a
 * folder whose files are unknown is named.
 */
const compile = (glob: string) => {
  const path = glob
    .replace(/\/$/, "/**")
    .replace(/^\/+/, "")
    .replace(/\/\*\*$/, "{,/**}")
  const matches =
    glob === "" || glob.length > MAX_GLOB
      ? undefined
      : Glob.compile(glob.includes("/") ? path : `**/${glob}`, Glob.brackets)
  return matches === undefined
    ? Effect.fail(
        new ToolError({
          detail: `Invalid glob: write 1 to ${MAX_GLOB} characters and close all braces, for example src/**/*.{ts,tsx}.`
        })
      )
    : Effect.succeed(matches)
}

/** Returns the largest depth whose lines fit into an answer, or 1. */
const bestDepth = (tree: FileTree.FileTree, folder: string): number => {
  const levels = tree.entries.reduce((most, { path }) => Math.max(most, path.split("/").length), 1)
  for (let depth = 2; depth <= Math.min(levels, MAX_DEPTH); depth++) {
    const text = FolderLines.print(tree, { folder, depth })
      .map((item) => item.text)
      .join("\n")
    if (estimateTokens(text, MAX_TOKENS) > MAX_TOKENS) return depth - 1
  }
  return levels > MAX_DEPTH ? MAX_DEPTH : Infinity
}

const notes = (tree: FileTree.FileTree, items: ReadonlyArray<Item>, isFiltered: boolean): ReadonlyArray<string> => [
  ...(items.length > 0 ? [] : [isFiltered ? "No file matches the glob." : "The folder is empty."]),
  ...(tree.unread.size === 0
    ? []
    : ["The tree is too large: files in folders marked (?) are missing. To list one, pass it as path."])
]

/** Returns an answer with the names in the nearest parent of a folder that does not exist. Fails for a file. */
const missingFolder = Effect.fnUntraced(function* (tree: FileTree.FileTree, folder: string, source: Answer["source"]) {
  const { entries } = tree
  const found = entries.find(({ path }) => path === folder)
  if (found !== undefined && found.kind !== "folder")
    return yield* new ToolError({ detail: `${folder} is a ${found.kind}: call read_file.` })
  const folders = new Set(entries.flatMap(({ kind, path }) => (kind === "folder" ? [path] : [])))
  let parent = folder
  while (parent !== "" && !folders.has(parent)) parent = PathText.folderOf(parent)
  const items = FolderLines.print(tree, { folder: parent, depth: 1 })
  return {
    source,
    items: items.slice(0, 1),
    notes: [
      `There is no such folder. A folder above it contains ${items.length > 1 ? "these and other" : "these"} names.`
    ]
  } satisfies Answer
})
