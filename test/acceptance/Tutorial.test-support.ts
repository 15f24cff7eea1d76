/**
 * The blocks of docs/guides/resource.md: whole files, and changes of files. Each block names a file after the language.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"

export const root = join(import.meta.dirname, "../..")

export interface TutorialFile {
  readonly path: string
  /** The whole text, or the changes in order. */
  readonly content: string | ReadonlyArray<Change>
}

/** Two versions of some lines of a file. */
interface Change {
  readonly before: string
  readonly after: string
}

/** The side of a diff: context with the removed or the added lines. */
const side = (lines: ReadonlyArray<string>, sign: "-" | "+") =>
  lines
    .filter((line) => line.startsWith(" ") || line.startsWith(sign))
    .map((line) => line.slice(1))
    .join("\n")

const document = readFileSync(join(root, "docs/guides/resource.md"), "utf8")

/** The files that the tutorial touches. */
export const files: ReadonlyArray<TutorialFile> = [
  ...Map.groupBy(document.matchAll(/^```(\w+) (\S+)\n([^]*?)\n```$/gm), ([, , path = ""]) => path)
].map(([path, blocks]) => {
  const [[, language, , text = ""] = []] = blocks
  if (language !== "diff") return { path, content: `${text}\n` }
  const changes = blocks.map(([, , , diff = ""]) => diff.split("\n"))
  return { path, content: changes.map((lines) => ({ before: side(lines, "-"), after: side(lines, "+") })) }
})

/** The commands of the tutorial, one per line. */
export const commands: ReadonlyArray<string> = (/^```sh\n([^]*?)\n```$/m.exec(document)?.[1] ?? "").split("\n")

/** Pages and lists that the commands write completely, without what the files had before. */
export const written = ["docs/access.md", "docs/compatibility.md", "packages/core/public-api.txt"]

const replaceOnce = (path: string, text: string, from: string, to: string) => {
  if (text.split(from).length !== 2) throw new Error(`${path} does not have these lines once:\n${from}`)
  return text.replace(from, () => to)
}

/** Takes the resource out of a copy of the repository. */
export const remove = (copy: string): void => {
  for (const path of written) rmSync(join(copy, path))
  for (const { content, path } of files) {
    const file = join(copy, path)
    if (typeof content === "string") rmSync(file)
    else
      writeFileSync(
        file,
        content.reduce((text, { after, before }) => replaceOnce(path, text, after, before), readFileSync(file, "utf8"))
      )
  }
}

/** Follows the tutorial in a copy of the repository, up to the commands. */
export const follow = (copy: string): void => {
  for (const { content, path } of files) {
    const file = join(copy, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(
      file,
      typeof content === "string"
        ? content
        : content.reduce(
            (text, { after, before }) => replaceOnce(path, text, before, after),
            readFileSync(file, "utf8")
          )
    )
  }
}
