/** Repositories that fill each view of the explorer: one with large folders, files and changes, and many small ones. */
import * as ChildProcess from "node:child_process"
import * as Fs from "node:fs"
import { join } from "node:path"

/** The number of repositories. */
export const REPOSITORIES = 200
/** The number of files in the folder `entries`. */
export const ENTRIES = 10_000
/** The number of lines of `long.ts`. */
export const LINES = 20_000
/** The number of functions in `symbols.ts`. */
export const SYMBOLS = 2_000
/** The number of files with uses of `shared`, and of uses in each. */
const USE_FILES = 60
const USES = 10
/** The number of files that the branch `next` changes, and of the changed lines in each. */
const CHANGED_FILES = 300
const CHANGED_LINES = 20
/** The number of large files that the branch `next` changes, and of the changed lines in each. */
const LARGE_FILES = 5
const LARGE_LINES = 1_000
/** The number of commits of `history.txt`. */
const COMMITS = 300

/** Describes the size of the content. */
export const sizes = {
  uses: USE_FILES * USES,
  changedFiles: CHANGED_FILES + LARGE_FILES,
  changedLines: CHANGED_FILES * CHANGED_LINES + LARGE_FILES * LARGE_LINES,
  commits: COMMITS
}

/** Creates the repositories in a folder. The first one is `atlas`. */
export const make = (folder: string): void => {
  const git = (path: string, input: string | undefined, ...args: ReadonlyArray<string>) =>
    ChildProcess.execFileSync("git", ["-C", path, ...args], {
      input,
      env: { PATH: process.env["PATH"], GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" },
      stdio: ["pipe", "ignore", "inherit"]
    })
  const create = (name: string, stream: string) => {
    const path = join(folder, name)
    Fs.mkdirSync(path, { recursive: true })
    git(path, undefined, "init", "--quiet", "--initial-branch=main")
    git(path, stream, "fast-import", "--quiet", "--done")
    git(path, undefined, "reset", "--quiet", "--hard", "main")
    return path
  }
  create("atlas", [...history()].join(""))
  const first = create("part-000", commit("main", "Begin", { "part.ts": "export const part = 1\n" }) + "done\n")
  for (let index = 1; index < REPOSITORIES - 1; index++) {
    Fs.cpSync(first, join(folder, `part-${number(index, 3)}`), { recursive: true })
  }
}

const number = (value: number, digits: number) => String(value).padStart(digits, "0")

let time = 1_767_300_000

const commit = (branch: string, message: string, files: Readonly<Record<string, string>>, from?: string): string =>
  [
    `commit refs/heads/${branch}\n`,
    `committer Ada Lovelace <ada@example.org> ${(time += 60)} +0000\n`,
    data(message),
    ...(from === undefined ? [] : [`from ${from}\n`]),
    ...Object.entries(files).map(([path, text]) => `M 100644 inline ${path}\n${data(text)}`),
    "\n"
  ].join("")

const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`

function* history() {
  yield commit("main", "Begin", Object.fromEntries(files()))
  for (let index = 1; index <= COMMITS; index++) {
    yield commit("main", `Step ${index} of the history\n\nIts reason.`, { "history.txt": `step ${index}\n` })
  }
  yield commit("next", "Change many files", Object.fromEntries(changedFiles("changed")), "refs/heads/main")
  yield "done\n"
}

function* files(): Generator<readonly [path: string, text: string]> {
  yield ["README.md", "# Atlas\n\nA world of large things.\n"]
  yield ["history.txt", "step 0\n"]
  for (let index = 0; index < ENTRIES; index++) {
    yield [`entries/entry-${number(index, 5)}.ts`, `export const entry${index} = ${index}\n`]
  }
  yield ["guide.md", document("The guide", 990_000)]
  yield ["manual.md", document("The manual", 90_000)]
  yield ["long.ts", repeat(LINES / 4, (at) => functionText(`long${at}`, at))]
  yield ["symbols.ts", repeat(SYMBOLS, (at) => functionText(`symbol${at}`, at))]
  yield ["shared.ts", "/** Doubles a number. */\nexport const shared = (input: number): number => 2 * input\n"]
  for (let index = 0; index < USE_FILES; index++) {
    const lines = repeat(USES - 1, (at) => `export const use${at} = shared(${at})\n`)
    yield [`uses/use-${number(index, 3)}.ts`, `import { shared } from "../shared.ts"\n\n${lines}`]
  }
  yield* changedFiles("original")
}

function* changedFiles(word: string): Generator<readonly [path: string, text: string]> {
  for (let index = 0; index < CHANGED_FILES; index++) {
    yield [
      `changes/part-${index % 10}/file-${number(index, 3)}.ts`,
      repeat(CHANGED_LINES * 2, (at) => `export const ${at % 2 === 0 ? word : "same"}${at} = "${index} ${at}"\n`)
    ]
  }
  for (let index = 0; index < LARGE_FILES; index++) {
    yield [
      `changes/large-${index}.ts`,
      repeat(LARGE_LINES, (at) => `export const ${word}${at} = [${at}, "${index}"]\n`)
    ]
  }
}

const repeat = (count: number, text: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => text(at)).join("")

const functionText = (name: string, at: number) =>
  `/** Returns part ${at} of the input. */\nexport function ${name}(input: string): string {\n  return \`\${input}/${at}\`\n}\n`

/** A Markdown file. Up to a million characters have a preview. */
const document = (title: string, length: number): string => {
  let text = `# ${title}\n\n`
  for (let at = 1; text.length < length; at++) text += chapter(at)
  return text
}

const chapter = (at: number) => `## Chapter ${at}

The *first* paragraph of chapter ${at} explains \`option-${at}\`, which is **required**, see [the next chapter](#chapter-${at + 1}).
It has several lines, because most documents wrap their text at 80 or 100 characters,
and so that its rendering takes as long as usual.

- one item with \`code\`
- another item, with a [link](long.ts#L${at})
  - nested, and ~~deleted~~
- the last item

| Name | Type | Meaning |
|---|---|---|
| \`a${at}\` | string | the first |
| \`b${at}\` | number | the second, which is *optional* |

\`\`\`ts
export const value${at} = shared(${at})
console.log(\`chapter \${value${at}}\`)
\`\`\`

> A note about chapter ${at}.

`
