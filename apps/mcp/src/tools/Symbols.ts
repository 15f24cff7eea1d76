/** The tool `symbols`: the outline of a file or folder, and the definitions and references of a name. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { isObject } from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { Forge } from "@tongs/core/client/Forge"
import type { CodeSymbol, Definition, Reference } from "@tongs/core/contract/groups/CodeNavigation"
import type { Failure } from "@tongs/core/contract/Failure"
import type { Pages } from "@tongs/core/paging/Pages"
import type { Answer, Item } from "../answer/Answer.ts"
import { type Call, normalizePath, repositoryOf, type RepositoryName } from "../call/Call.ts"
import * as FixedList from "../lists/FixedList.ts"
import * as Listing from "../lists/Listing.ts"
import * as Tool from "../call/Tool.ts"
import { ToolError } from "../call/ToolError.ts"
import * as ToolInput from "../call/ToolInput.ts"
import * as FileTree from "../files/FileTree.ts"
import * as FileView from "../files/FileView.ts"
import * as Truncation from "../text/Truncation.ts"

/** Maximum number of files of a folder to outline, and of files to read at the same time. */
const MAX_FILES = 300
const CONCURRENCY = 6

/** Number of times that a search is repeated if its time is over before all files are searched. */
const MAX_REPEATS = 5

/** Milliseconds after the start of a call in which a search is repeated, and milliseconds between two searches. */
const MAX_WAIT = 20_000
const PAUSE = 500

/** Maximum number of characters of a line of code. */
const MAX_WIDTH = 160

/** Maximum number of tokens of definitions and references. */
const MAX_TOKENS = 300

const Input = Schema.Struct({
  path: Schema.optionalKey(Schema.String),
  name: Schema.optionalKey(Schema.String),
  kind: Schema.optionalKey(Schema.Literals(["outline", "definitions", "references"])),
  line: Schema.optionalKey(Schema.Int),
  ref: ToolInput.ref,
  repo: ToolInput.repo
})

/** Creates the tool. */
export const make = (): Tool.Tool =>
  Tool.make({
    name: "symbols",
    description:
      "Outline of a file or folder (path), or definitions or references of a whole name: in folder path, or certain ones of its use in file path at line; at ref.",
    // Trees are read too, but the tool is useless without the extension.
    uses: ["codeNavigation.getOutline", "codeNavigation.listDefinitions", "codeNavigation.listReferences"],
    isList: true,
    input: Input,
    run: Effect.fnUntraced(function* (input, call) {
      const { kind = input.name === undefined ? "outline" : "definitions", line, name, ref, repo } = input
      const path = normalizePath(input.path)
      const repository = yield* repositoryOf(repo, call)
      const view = yield* FileView.of(repository, ref, call)
      const source = { ...view.source, path, name }
      const at = view.ref === undefined ? repository : { ...repository, ref: view.ref }
      if (kind === "outline") {
        if (name !== undefined)
          return yield* new ToolError({ detail: "An outline has no name: leave out name, or kind." })
        if (input.path === undefined)
          return yield* new ToolError({ detail: "Pass path for an outline, or name for its definitions." })
        const outlined = yield* outline({ ...at, path }, call)
        return { source, ...outlined, notes: [...outlined.notes, ...view.notes] }
      }
      if (name === undefined || name.trim() === "")
        return yield* new ToolError({ detail: `Pass name: the whole name whose ${kind} to list, in its case.` })
      const forge = yield* Forge
      // With a line, the path is the position of a use, and not a folder of the results.
      const target = {
        ...at,
        name,
        ...(line === undefined ? {} : { path, line })
      }
      const folder = line === undefined ? path : ""
      const listed =
        kind === "definitions"
          ? list(
              (options) => forge.codeNavigation.listDefinitions(target, options),
              folder,
              call,
              (one) => definition(one, repository)
            )
          : list(
              (options) => forge.codeNavigation.listReferences(target, options),
              folder,
              call,
              (one) => reference(one, repository)
            )
      const search = line === undefined ? listed : Effect.map(listed, (page) => certainOnly(page, kind))
      const page = yield* complete(search, kind, call)
      const isIncomplete = page.notes.includes(Listing.INCOMPLETE)
      const isEmpty = page.items.length === 0 && call.position === undefined
      return {
        source,
        noun: kind,
        ...page,
        tokens: MAX_TOKENS,
        isContent: true,
        notes: [
          ...page.notes,
          ...view.notes,
          ...(isEmpty && page.notes.length === 0
            ? [`No ${kind} of this whole name. To find parts of names, call search_code with symbol:part.`]
            : []),
          ...(isIncomplete
            ? [
                `The forge had not searched all files yet: ${page.items.length} ${kind} so far. Call again in some seconds.`
              ]
            : [])
        ]
      } satisfies Answer
    })
  })

type ListPart = Omit<Listing.PagePart, "notes"> & { readonly notes: ReadonlyArray<string> }

/**
 * Repeats a search until the forge, which is still indexing, has searched all files. Ends if a repetition finds nothing
 * more, and after `MAX_WAIT`. Reports the waiting as progress.
 */
const complete = Effect.fnUntraced(function* <E, R>(search: Effect.Effect<ListPart, E, R>, kind: string, call: Call) {
  let page = yield* search
  for (let repeats = 0; isPartial(page, call); repeats++) {
    const now = yield* Clock.currentTimeMillis
    if (repeats === MAX_REPEATS || now > Math.min(call.deadline, call.now + MAX_WAIT)) break
    yield* call.reportProgress(page.items.length, undefined, `${kind} so far; the forge still searches`)
    yield* Effect.sleep(PAUSE)
    const again = yield* search
    const isMore = again.items.length > page.items.length
    page = again
    if (!isMore && page.items.length > 0) break
  }
  return page
})

/** Returns whether a repetition can find more. A full page is incomplete because more items follow. */
const isPartial = ({ items, notes }: ListPart, { position }: Call): boolean =>
  position === undefined && items.length < Listing.MAX_LIMIT && notes.includes(Listing.INCOMPLETE)

/** Keeps the items to which scopes, imports and types lead from the use. The forge lists these first. */
const certainOnly = (page: ListPart, kind: string): ListPart => {
  const items = page.items.filter(({ data }) => isObject(data) && "certain" in data && data.certain === true)
  if (items.length === page.items.length) return page
  const others = Math.max(page.total ?? 0, page.items.length) - items.length
  // The certain definitions are all, even if the search for others ended early.
  const isIncomplete = page.notes.includes(Listing.INCOMPLETE) && (items.length === 0 || kind === "references")
  const byName = `By the name alone: ${others}${items.length === 0 ? "" : " others"}; to list them, call without line.`
  const note = items.length === 0 ? `No ${kind} in served repositories are certain. ${byName}` : byName
  const next = (shown: number) => (shown < items.length ? page.next?.(shown) : undefined)
  return {
    ...page,
    items,
    next,
    total: items.length,
    notes: [...(isIncomplete ? [Listing.INCOMPLETE] : []), note]
  }
}

interface Target extends RepositoryName {
  readonly path: string
  readonly ref?: string
}

const outline = Effect.fnUntraced(function* (target: Target, call: Call) {
  const symbols = target.path === "" ? undefined : yield* outlineOf(target, call)
  const { items, notes } =
    symbols === undefined
      ? yield* folderOutline(target, call)
      : { items: symbols.items.map((one) => symbol(one)), notes: symbols.isComplete ? [] : [notParsed(1)] }
  return {
    ...FixedList.from(items, call),
    noun: "symbols",
    isContent: true,
    total: items.length,
    notes:
      items.length === 0 && notes.length === 0 ? ["No definitions found, or the language is not supported."] : notes
  } satisfies Partial<Answer>
})

/** Returns the outline of a file; undefined if the file does not exist. */
const outlineOf = Effect.fnUntraced(function* (target: Target, { deadline }: Call) {
  const forge = yield* Forge
  return yield* forge.codeNavigation.getOutline(target, { deadline }).pipe(
    Effect.map(({ incomplete_results, symbols }) => ({ items: symbols, isComplete: incomplete_results !== true })),
    Effect.catchTag("NotFound", () => Effect.undefined)
  )
})

const notParsed = (files: number) =>
  `The forge had not the time to parse ${files === 1 ? "a file" : `${files} files`}: symbols are missing. Call again.`

const folderOutline = Effect.fnUntraced(function* (target: Target, call: Call) {
  const { owner, path, ref, repo } = target
  const tree = yield* FileTree.read({ owner, repo, ref, folder: path, id: undefined, levels: Infinity }, call)
  const prefix = path === "" ? "" : `${path}/`
  const files = tree.entries.filter(({ kind, path }) => kind === "file" && path.startsWith(prefix))
  if (tree.id === undefined)
    return yield* new ToolError({ detail: `No file or folder ${path}. To find existing paths, call list_files.` })
  let done = 0
  const total = Math.min(files.length, MAX_FILES)
  const outlines = yield* Effect.forEach(
    files.slice(0, MAX_FILES),
    (file) =>
      outlineOf({ ...target, path: file.path }, call).pipe(
        Effect.map((found = { items: [], isComplete: true }) => ({
          items: found.items.map((one) => symbol(one, file.path)),
          isComplete: found.isComplete
        })),
        Effect.tap(() => call.reportProgress(++done, total, file.path))
      ),
    { concurrency: CONCURRENCY }
  )
  const late = outlines.filter(({ isComplete }) => !isComplete).length
  return {
    items: outlines.flatMap(({ items }) => items),
    notes: [
      ...(files.length > MAX_FILES
        ? [`Only ${MAX_FILES} of ${files.length} files were read: pass a smaller folder.`]
        : []),
      ...(late > 0 ? [notParsed(late)] : [])
    ]
  }
})

/** Reads a page of a list, or the whole list to select the items in a folder. */
const list = Effect.fnUntraced(function* <A extends { readonly path: string }>(
  fetch: (options: { readonly perPage: number; readonly deadline: number }) => Pages<A, Failure>,
  path: string,
  call: Call,
  show: (item: A) => Item
) {
  if (path === "") {
    const page = yield* Listing.read(call, Listing.MAX_LIMIT, fetch, show)
    return { ...page, notes: page.notes ?? [], isLarge: false }
  }
  const pages = yield* Stream.runCollect(fetch({ perPage: Listing.MAX_LIMIT, deadline: call.deadline }).pages)
  const items = pages
    .flatMap((page) => page.items)
    .filter((item) => item.path === path || item.path.startsWith(`${path}/`))
    .map(show)
  const isIncomplete = pages.some((page) => page.incompleteResults)
  return { ...FixedList.from(items, call), total: items.length, notes: isIncomplete ? [Listing.INCOMPLETE] : [] }
})

const symbol = ({ kind, line, name, scope }: CodeSymbol, path?: string): Item => ({
  data: { path, line, kind, name, scope },
  text: `${line}\t${kind} ${scope === undefined ? "" : `${scope}.`}${name}`,
  ...(path === undefined ? {} : { heading: path })
})

const definition = (
  { certain, kind, line, owner, package: name, path, repo, text }: Definition,
  here: RepositoryName
): Item => ({
  data: { repo: `${owner}/${repo}`, path, line, kind, text, certain, package: name },
  text: `${line} ${kind}\t${shorten(text)}`,
  heading: headingOf({ owner, repo }, path, here)
})

const reference = (
  { certain, line, owner, package: name, path, repo, scope, text }: Reference,
  here: RepositoryName
): Item => ({
  data: {
    ...(isSame({ owner, repo }, here) ? {} : { repo: `${owner}/${repo}` }),
    path,
    line,
    scope,
    text,
    certain,
    package: name
  },
  text: `${line}${scope === undefined ? "" : ` ${scope}`}\t${shorten(text)}`,
  heading: headingOf({ owner, repo }, path, here)
})

const isSame = (a: RepositoryName, b: RepositoryName): boolean => a.owner === b.owner && a.repo === b.repo

const headingOf = (repository: RepositoryName, path: string, here: RepositoryName): string =>
  isSame(repository, here) ? path : `${repository.owner}/${repository.repo} ${path}`

const shorten = (text: string): string => Truncation.shorten(text.trim(), MAX_WIDTH)
