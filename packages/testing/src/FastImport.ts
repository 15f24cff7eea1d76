/** Writes commits, branches and tags as a stream of `git fast-import`. */
import { lstatSync, readdirSync, readFileSync } from "node:fs"
import { join, sep } from "node:path"
import * as FilePatches from "@tongs/service/git/values/FilePatches"

/** Contents of files by path. `null` deletes a file. */
export type Files = Readonly<Record<string, string | Uint8Array | null>>

/** A step of a history. */
export type Step =
  | {
      readonly _tag: "Commit"
      readonly branch: string
      readonly files: Files
      readonly message: string
      readonly author: string | undefined
      readonly date: Date | undefined
    }
  | { readonly _tag: "Branch"; readonly name: string; readonly from: string }
  | { readonly _tag: "Tag"; readonly name: string; readonly branch: string; readonly message: string | undefined }

/** The state from which the steps start. */
export interface Start {
  /** Names of the branches with commits. */
  readonly branches: ReadonlySet<string>
  /** `NAME <EMAIL>` of commits without an author. */
  readonly author: string
  /** Time of commits without a date, in milliseconds since 1970. */
  readonly now: number
}

const fail = (what: string, value: string, hint: string) => {
  throw new TypeError(`Invalid ${what} ${JSON.stringify(value)}: ${hint}`)
}

/** Throws a `TypeError` if a step has an invalid name, path, author or date. */
export const check = (step: Step): void => {
  const name = step._tag === "Commit" ? step.branch : step.name
  if (!isRefName(name)) fail("name", name, "git allows no spaces, `..`, `~^:?*[\\` or `.lock` at the end")
  if (step._tag !== "Commit") return
  if (step.author !== undefined && !/^[^<>\n\u0000]+ <[^<>\n\u0000]+>$/.test(step.author)) {
    fail("author", step.author, "write `NAME <EMAIL>`")
  }
  if (step.date !== undefined && Number.isNaN(step.date.getTime())) fail("date", String(step.date), "not a time")
  checkFiles(step.files)
}

/** Throws a `TypeError` for an invalid path or content. */
export const checkFiles = (files: Files): void => {
  const folders = new Set<string>()
  for (const [path, content] of Object.entries(files)) {
    const parts = path.split("/")
    if (parts.some(isReserved) || path.includes("\0")) {
      fail("path", path, "a relative path of a file, with `/` between its parts")
    }
    if (content === null) continue
    // Some test runners have a different `Uint8Array` class.
    if (typeof content !== "string" && !ArrayBuffer.isView(content)) {
      throw new TypeError(`Invalid content of ${JSON.stringify(path)}: a string, bytes, or null to delete the file`)
    }
    for (let length = 1; length < parts.length; length++) folders.add(parts.slice(0, length).join("/"))
  }
  // Git would keep only the last one.
  for (const folder of folders) {
    if (Object.hasOwn(files, folder) && files[folder] !== null) fail("path", folder, "also a folder of other files")
  }
}

const isReserved = (part: string): boolean => ["", ".", "..", ".git"].includes(part.toLowerCase())

const isRefName = (name: string): boolean =>
  /^(?!.*(?:\/\/|\.\.|@\{|\/\.|\.lock(?:\/|$)))[^\s~^:?*[\\\u0000-\u001F\u007F/.-][^\s~^:?*[\\\u0000-\u001F\u007F]*(?<![/.])$/.test(
    name
  )

/** Returns the stream. Git prints the ids of the commits, one per line. */
export const stream = (steps: ReadonlyArray<Step>, { author, branches, now }: Start): Buffer => {
  const known = new Set<string>()
  const parts: Array<Buffer | string> = []
  let mark = 0
  /** The last commit of a branch in the syntax of fast-import, which does not read existing branches automatically. */
  const tipOf = (branch: string) =>
    known.has(branch) ? `refs/heads/${branch}` : branches.has(branch) ? `refs/heads/${branch}^0` : undefined
  const data = (content: string | Uint8Array) => {
    const bytes = Buffer.from(content)
    parts.push(`data ${bytes.length}\n`, bytes, "\n")
  }
  for (const step of steps) {
    if (step._tag === "Commit") {
      const time = `${Math.floor((step.date?.getTime() ?? now) / 1000)} +0000`
      const tip = known.has(step.branch) ? undefined : tipOf(step.branch)
      parts.push(`commit refs/heads/${step.branch}\nmark :${++mark}\n`)
      parts.push(`author ${step.author ?? author} ${time}\ncommitter ${step.author ?? author} ${time}\n`)
      data(`${step.message}\n`)
      if (tip !== undefined) parts.push(`from ${tip}\n`)
      for (const [path, content] of Object.entries(step.files)) {
        parts.push(content === null ? `D ${FilePatches.quote(path)}\n` : `M 100644 inline ${FilePatches.quote(path)}\n`)
        if (content !== null) data(content)
      }
      known.add(step.branch)
    } else {
      const from = step._tag === "Branch" ? step.from : step.branch
      const tip = tipOf(from)
      if (tip === undefined) throw new TypeError(`Branch ${JSON.stringify(from)} has no commits. Add one first`)
      if (step._tag === "Branch") {
        parts.push(`reset refs/heads/${step.name}\nfrom ${tip}\n\n`)
        known.add(step.name)
      } else if (step.message === undefined) {
        parts.push(`reset refs/tags/${step.name}\nfrom ${tip}\n\n`)
      } else {
        parts.push(`tag ${step.name}\nfrom ${tip}\ntagger ${author} ${Math.floor(now / 1000)} +0000\n`)
        data(`${step.message}\n`)
      }
    }
  }
  // Prints the ids of the commits.
  for (let at = 1; at <= mark; at++) parts.push(`get-mark :${at}\n`)
  parts.push("done\n")
  return Buffer.concat(parts.map((part) => Buffer.from(part)))
}

/** Reads the files of a folder, except files in `.git` folders. Skips symbolic links. */
export const filesOf = (folder: string): Files =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((path) => !path.split(sep).includes(".git") && lstatSync(join(folder, path)).isFile())
      .map((path) => [path.split(sep).join("/"), readFileSync(join(folder, path))])
  )
