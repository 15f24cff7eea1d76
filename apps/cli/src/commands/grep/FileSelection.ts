/** Selects the files that ripgrep would search: by globs, types, hidden names and ignore files. */
import * as Result from "effect/Result"
import type * as CodeQuery from "@tongs/core/query/CodeQuery"
import * as Glob from "@tongs/core/text/Glob"
import * as PathText from "@tongs/core/text/PathText"
import { UsageError } from "../../base/UsageError.ts"
import * as FileTypes from "./FileTypes.ts"
import type { GrepOptions } from "./GrepOptions.ts"
import * as IgnoreGlob from "./IgnoreGlob.ts"
import type { IgnoreFiles } from "./IgnoreFiles.ts"

type Settings = Pick<GrepOptions, "globs" | "types" | "typesNot" | "hidden" | "noIgnore">

/** Place of a file in the repository. */
export interface Place {
  readonly path: string
  /**
   * The searched folder or file in the repository, empty for the whole repository. The name of this folder or file is
   * not checked.
   */
  readonly from: string
  /** Folder in the repository to which globs with a slash are relative, as `../` if the folder is outside. */
  readonly globPrefix: string
  readonly ignoreFiles: IgnoreFiles | undefined
}

/** Compiles the selection. Fails for an unknown type. */
export const make = (settings: Settings): Result.Result<(place: Place) => boolean, UsageError> => {
  const unknown = [...settings.types, ...settings.typesNot].find((type) => FileTypes.globsOf(type) === undefined)
  if (unknown !== undefined) {
    return Result.fail(
      new UsageError({
        detail: `Unknown file type: ${unknown}.`,
        hint: "Run `tongs grep --type-list` for the types, or pass --glob '*.EXTENSION'."
      })
    )
  }
  const overrides = IgnoreGlob.of(settings.globs)
  const wanted = namesOf(settings.types)
  const unwanted = namesOf(settings.typesNot)

  /** Checks one folder or file of a path. `glob` is the path for overrides. */
  const admits = (path: string, glob: string, isFolder: boolean, ignoreFiles: IgnoreFiles | undefined): boolean => {
    const override = overrides.match(glob, isFolder)
    // A glob selects, and a glob with `!` excludes: the opposite of an ignore file.
    if (override !== undefined) return override === "ignore"
    if (overrides.positive > 0 && !isFolder) return false
    const ignored = settings.noIgnore ? undefined : ignoreFiles?.(path, isFolder)
    if (ignored === "ignore") return false
    const name = PathText.nameOf(path)
    let isIncluded = ignored === "include"
    if (!isFolder) {
      if (unwanted?.(name) === true) return false
      if (wanted !== undefined) {
        if (!wanted(name)) return false
        isIncluded = true
      }
    }
    return settings.hidden || isIncluded || !name.startsWith(".")
  }

  return Result.succeed(({ from, globPrefix, ignoreFiles, path }) => {
    if (path === from) return true
    const start = from === "" ? 0 : from.length + 1
    for (let slash = path.indexOf("/", start); slash !== -1; slash = path.indexOf("/", slash + 1)) {
      const folder = path.slice(0, slash)
      if (!admits(folder, relative(folder, globPrefix), true, ignoreFiles)) return false
    }
    return admits(path, relative(path, globPrefix), false, ignoreFiles)
  })
}

const relative = (path: string, prefix: string): string =>
  prefix !== "" && path.startsWith(`${prefix}/`) ? path.slice(prefix.length + 1) : path

const namesOf = (types: ReadonlyArray<string>): ((name: string) => boolean) | undefined => {
  const globs = types.flatMap((type) => FileTypes.globsOf(type) ?? [])
  return globs.length === 0 ? undefined : Glob.compileAny(globs, Glob.ripgrep)
}

/** Maximum number of globs that become filters of the query. The selection applies the other globs. */
const MAX_FILTERS = 24

const span = { start: 0, length: 0 }

/** Returns filters for the query that admit at least all selected files. */
export const filters = ({ globs, types }: Settings): ReadonlyArray<CodeQuery.Expression> => {
  const groups = [
    types.flatMap((type) => FileTypes.globsOf(type) ?? []),
    globs.filter(({ glob }) => !glob.startsWith("!")).map(({ glob }) => glob)
  ]
  return groups.flatMap((all) => {
    // Other globs differ from the patterns of the query language.
    const isSimple = all.every((glob) => /^(?:\*\.)?[\w.+-]+$/.test(glob))
    if (all.length === 0 || all.length > MAX_FILTERS || !isSimple) return []
    const any = all.map((glob): CodeQuery.Expression => ({
      _tag: "Filter",
      filter: { name: "path", value: `**/${glob}`, glob: true },
      span
    }))
    const [only] = any
    return any.length === 1 && only !== undefined ? [only] : [{ _tag: "Or", any, span }]
  })
}
