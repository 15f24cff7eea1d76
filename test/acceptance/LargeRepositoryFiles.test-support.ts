/** The files of a `LargeRepository`. */

/** The folders of `packages`. */
export const folders = [
  "api",
  "cache",
  "cli",
  "config",
  "engine",
  "index",
  "net",
  "report",
  "search",
  "storage",
  "ui",
  "worker"
]
const nouns = ["Buffer", "Client", "Parser", "Queue", "Reader", "Router", "Session", "Table", "Token", "Writer"]

/** Returns the lines of one function. */
type Language = (name: string, value: number) => ReadonlyArray<string>

const languages: Readonly<Record<string, Language>> = {
  ts: (name, value) => [
    `export const ${name} = (value: number): number => {`,
    `  const limit = ${value}`,
    "  return Math.min(value, limit)",
    "}",
    ""
  ],
  py: (name, value) => [`def ${name}(value):`, `    limit = ${value}`, "    return min(value, limit)", "", ""],
  go: (name, value) => [
    `func ${name}(value int) int {`,
    `\tconst limit = ${value}`,
    "\treturn min(value, limit)",
    "}",
    ""
  ],
  rs: (name, value) => [
    `pub fn ${name}(value: u32) -> u32 {`,
    `    const LIMIT: u32 = ${value};`,
    "    value.min(LIMIT)",
    "}",
    ""
  ],
  java: (name, value) => [
    `  static int ${name}(int value) {`,
    `    final int limit = ${value};`,
    "    return Math.min(value, limit);",
    "  }",
    ""
  ],
  c: (name, value) => [
    `int ${name}(int value) {`,
    `  const int limit = ${value};`,
    "  return value < limit ? value : limit;",
    "}",
    ""
  ],
  css: (name, value) => [`.${name} {`, `  max-width: ${value}px;`, "}", ""],
  yaml: (name, value) => [`${name}:`, `  limit: ${value}`, "  enabled: true"]
}

/** A readme with lists, a table, code and links. */
export const README = `# Aurora

Aurora stores **small files** quickly. See the [guide](docs/guide.md), the [website](https://example.com/aurora) and
\`aurora --help\`.

## Features

- one binary, no settings
- works offline
  - the cache is on disk
  - it can be *deleted* at any time
- [x] Linux
- [ ] Windows

1. Install it.
2. Run \`aurora start\`.

| System | Supported | 说明 |
|:-------|:---------:|-----:|
| Linux | yes | 完全 |
| macOS | yes | 部分 |
| Windows | no 🚧 | 计划 |

> Measure before you change anything.

\`\`\`ts
import { open } from "aurora"

const files = await open("/var/lib/aurora") // creates the folder
console.log(files.size)
\`\`\`

![A chart of the speed](docs/speed.png)

---

Licensed under the MIT license.
`

/** A file of the tree: path and lines. */
export interface SourceFile {
  readonly path: string
  readonly lines: Array<string>
}

/** Returns the files of the first commit, except the files of `legacy`. */
export const initialFiles = (random: (bound: number) => number): ReadonlyArray<SourceFile> =>
  folders.flatMap((folder) =>
    nouns.flatMap((noun) =>
      Object.entries(languages)
        .filter((_, index) => (index + noun.length + folder.length) % 3 === 0)
        .map(([extension, language]) => ({
          path: `packages/${folder}/src/${noun.toLowerCase()}/${noun}.${extension}`,
          lines: Array.from({ length: 6 }, (_, index) => language(`${folder}${noun}${index}`, random(900) + 100)).flat()
        }))
    )
  )

/** Changes the number in a line of the file, or adds a line. */
export const edit = ({ lines }: SourceFile, random: (bound: number) => number) => {
  const at = random(lines.length)
  const line = lines[at] ?? ""
  const changed = line.replace(/\d{3,}/, () => String(random(900) + 100))
  if (changed !== line) lines[at] = changed
  else if (lines.length < 60) lines.splice(at, 0, "")
  else lines.splice(at, 1)
}

/** Returns the content of a file. */
export const text = ({ lines }: SourceFile) => `${lines.join("\n")}\n`

/** Files that the large commit renames and deletes; earlier commits do not change them. */
export const legacy = Array.from({ length: 40 }, (_, index) => {
  const lines = Array.from({ length: 12 }, (_, line) => `legacy ${index} line ${line} ${(index * 7919 + line) % 9973}`)
  return { path: `legacy/part-${index % 5}/file-${index}.txt`, content: `${lines.join("\n")}\n` }
})
