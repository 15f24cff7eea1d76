/** A forge with zoekt finds the same files as a forge with the embedded index, for queries of all forms. */
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"
import { git, request, serve, temporaryFolder, type ForgeProcess } from "./ForgeProcess.test-support.ts"
import * as Zoekt from "./ZoektServer.test-support.ts"

/** Number of words for which all forms of a query run. */
const WORDS = 12

/** File contents with typical edge cases. Zoekt does not equate `ſ` with s and the Kelvin sign with k. */
const odd: Readonly<Record<string, string | Buffer>> = {
  "odd/crlf.txt": "first Parser\r\n\tsecond\tparser\r\n\r\nlast PARSER",
  "odd/cjk.md": "在代码中搜索 parser 的文本\n検索インデックス、全文検索\n",
  "odd/greek.txt": "ΟΔΥΣΣΕΥΣ Οδυσσεύς οδυσσευσ\n",
  "odd/umlauts.txt": "ÄÖÜ äöü Straße\n",
  "odd/utf16.txt": Buffer.from("\ufeffparser in UTF-16\n", "utf16le"),
  "odd/one.txt": "x",
  "odd/two.txt": "fi\n",
  "odd/empty.txt": "",
  "odd/a (1) [b] 'c' \"d\" $e.txt": "special name: parser\n"
}

const write = (path: string, content: string | Buffer) => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}

/** Creates repositories with this project's sources. */
const prepare = (root: string) => {
  const parts = { core: "packages/core/src", service: "packages/service/src", docs: "docs" }
  for (const [name, part] of Object.entries(parts)) {
    const path = join(root, "repos", name)
    cpSync(fileURLToPath(new URL(`../../${part}`, import.meta.url)), path, { recursive: true })
    if (name === "docs") for (const [file, content] of Object.entries(odd)) write(join(path, file), content)
    git(path, ["init", "--quiet", "--initial-branch=main"])
    git(path, ["add", "--all"])
    git(path, ["commit", "--quiet", "-m", "All"])
    Zoekt.index(join(root, "zoekt"), path, "-shard_limit", "300000")
  }
}

/** Words of the sources, evenly over all files. */
const wordsOf = (folder: string): ReadonlyArray<string> => {
  const texts = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => path.endsWith(".ts") && statSync(path).isFile())
    .sort()
    .map((path) => readFileSync(path, "utf8"))
  const all = [...new Set(texts.join("\n").match(/[A-Za-z]{5,}/g))]
  return Array.from({ length: WORDS }, (_, at) => all[Math.floor(((at + 0.5) * all.length) / WORDS)] ?? "parser")
}

/** All forms of a query for two words. */
const forms = (a: string, b: string): ReadonlyArray<string> => [
  a,
  `${a} in:file`,
  `${a} ${b}`,
  `${a} OR ${b}`,
  `${a} NOT ${b}`,
  `"${a.slice(1, 4)}" case:yes`,
  `${a} word:yes`,
  `/${a}\\w+\\(/`,
  `/\\b${a.slice(0, 4)}[a-z]*\\b.*=/ in:file`,
  `symbol:${a}`,
  `${a} path:*.ts -path:sqlite`,
  `(${a} language:typescript) OR (${b} path:odd)`
]

const others = [
  "parser",
  "fi",
  "x extension:txt",
  "äöü",
  "οδυσσευς",
  "οδυσσευσ",
  "straße",
  "検索",
  '"special name"',
  "filename:special",
  '"a (1)" in:path',
  "utf-16",
  "size:<10",
  "extension:txt",
  "-parser extension:txt",
  "/^x$/",
  "/[äöü]{2}/",
  "parser repo:*/docs",
  "path:*.test.ts size:>20000"
]

const paths = async (forge: ForgeProcess, q: string) => {
  const { done, paths } = await Zoekt.search(forge, q)
  return { paths, incomplete: done.incomplete, notes: done.notes }
}

it.skipIf(!Zoekt.isInstalled)(
  "finds the same files with zoekt as with the forge's own index",
  async () => {
    const root = temporaryFolder()
    prepare(root)
    const server = await Zoekt.start(join(root, "zoekt"))
    const flags = ["--search-deadline", "60000"]
    const own = await serve(root, ...flags)
    // Another data folder with the same repositories.
    const other = temporaryFolder()
    symlinkSync(join(root, "repos"), join(other, "repos"))
    const zoekt = await serve(other, "--code-index", server.url, ...flags)
    const ready = { state: "ready" }
    for (const forge of [own, zoekt]) {
      await expect
        .poll(async () => (await request(forge, "GET", "/tongs/index")).json.repositories, { timeout: 60_000 })
        .toMatchObject([ready, ready, ready])
    }
    const sample = wordsOf(join(root, "repos", "service"))
    const queries = [...sample.flatMap((word, at) => forms(word, sample[(at + 1) % WORDS] ?? word)), ...others]
    expect(queries.length).toBeGreaterThanOrEqual(100)
    const differences: Array<unknown> = []
    let found = 0
    for (const q of queries) {
      const [expected, actual] = await Promise.all([paths(own, q), paths(zoekt, q)])
      found += expected.paths.length
      if (JSON.stringify(expected) !== JSON.stringify(actual)) {
        const missing = expected.paths.filter((path) => !actual.paths.includes(path))
        const extra = actual.paths.filter((path) => !expected.paths.includes(path))
        differences.push({ q, missing, extra, incomplete: [expected.incomplete, actual.incomplete] })
      }
    }
    expect(differences).toEqual([])
    expect(found).toBeGreaterThan(500)
  },
  240_000
)
