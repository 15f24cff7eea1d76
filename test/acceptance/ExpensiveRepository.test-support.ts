/** A repository whose files, names and commit messages have as many tokens as possible for a given length. */
import { execFileSync } from "node:child_process"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { expensiveTexts } from "../../apps/mcp/src/text/TokenEstimate.test-support.ts"

const texts = Object.values(expensiveTexts()).map((text) => text.toWellFormed())

/** Numbers of the texts, which are part of the paths below. */
export const numbers = texts.keys().toArray()

/** A text of about 8,000 characters. */
export const text = (number: number) => texts[number] ?? ""
/** The path of a file that is one line of 8,000 characters or more. */
export const linePath = (number: number) => `line/${number}.ts`
/** The path of the same text in lines of 60 characters, three times. */
export const linesPath = (number: number) => `lines/${number}.ts`
/** The path of a file in 12 folders whose names are the text. */
export const longPath = (number: number) => ["names", ...partsOf(text(number)), `${number}.ts`].join("/")

const partsOf = (text: string): ReadonlyArray<string> => {
  // Git and the file system refuse these.
  const characters = Array.from(text.replaceAll(/[\u0000-\u001f/\\"]/g, ""))
  const parts = Array.from({ length: 12 }, (_, index) =>
    characters
      .slice(index * 50, index * 50 + 50)
      .join("")
      .trim()
  )
  return parts.filter((part) => part !== "" && !/^\.|\.$/.test(part))
}

const inLines = (text: string) => {
  const characters = Array.from(text.replaceAll("\n", " "))
  const lines = Array.from({ length: Math.ceil(characters.length / 60) }, (_, index) =>
    characters.slice(index * 60, index * 60 + 60).join("")
  )
  return `needle\n${lines.join("\n")}\n`.repeat(3)
}

const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`

const stream = () =>
  texts
    .map((text, number) => {
      const author = `A ${text.replaceAll(/[<>\s]/g, "").slice(0, 60)} <a${number}@example.com> 1735700000 +0000`
      const files = [
        [linePath(number), `needle ${text}`],
        [linesPath(number), inLines(text)],
        [longPath(number), "needle\n"]
      ] as const
      return `commit refs/heads/main\nauthor ${author}\ncommitter ${author}\n${data(`${text}\n`)}${files
        .map(([path, content]) => `M 100644 inline ${path}\n${data(content)}`)
        .join("")}\n`
    })
    .join("")

/** Creates the repository `expensive` in a folder. Returns the commit ids, the newest first. */
export const create = (folder: string): ReadonlyArray<string> => {
  mkdirSync(folder, { recursive: true })
  const repository = join(folder, "expensive")
  const options = { env: { PATH: process.env["PATH"], HOME: folder, GIT_CONFIG_NOSYSTEM: "1" } }
  execFileSync("git", ["init", "--quiet", "--bare", "--initial-branch=main", repository], options)
  execFileSync("git", ["-C", repository, "fast-import", "--quiet"], { ...options, input: stream() })
  return execFileSync("git", ["-C", repository, "rev-list", "main"], { ...options, encoding: "utf8" })
    .trim()
    .split("\n")
}
