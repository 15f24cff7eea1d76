/** The fixture file in which every operation of the contract has something to show, and what it names. */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { commit, git } from "@tongs/service/git/Fixture.test-support"

/** What only git or the clock knows, by the name that a path or a body has for it: `{commit}`. */
export type Placeholders = Readonly<Record<string, string>>

/** Puts in what names stand for. */
export const substitute = (text: string, names: Placeholders) => text.replace(/\{\w+\}/g, (name) => names[name] ?? name)

/** Writes the file into a folder of its own under `root`, beside what it names; `receiver` is where its hooks deliver. */
export const write = (
  root: string,
  receiver: string
): { readonly file: string; readonly path: string; readonly names: Placeholders } => {
  const folder = join(root, "world")
  mkdirSync(folder)
  const path = repository(folder)
  const rev = (name: string) => git(path, ["rev-parse", name])
  const today = new Date().toISOString().slice(0, 10)
  const names = {
    "{commit}": rev("main"),
    "{parent}": rev("main~1"),
    "{tree}": rev("main^{tree}"),
    "{blob}": rev("main:README.md"),
    "{tag}": rev("v1"),
    "{receiver}": receiver,
    "{today}": today
  }
  writeFileSync(join(folder, "report.txt"), "all is well\n")
  const file = join(folder, "conformance-fixture.json")
  writeFileSync(file, substitute(readFileSync(new URL("conformance-fixture.json", import.meta.url), "utf8"), names))
  return { file, path, names }
}

/** A repository with everything that git has: folders, a link, branches, both kinds of tags. */
const repository = (folder: string) => {
  const path = join(folder, "hello")
  git(folder, ["init", "--quiet", "--initial-branch=main", path])
  commit(path, { "README.md": "# Hello\n\nships\n", "src/greet.ts": "export const greet = 'ahoy'\n" }, "Greet")
  git(path, ["reset", "--quiet", "--hard"])
  git(path, ["branch", "side"])
  symlinkSync("README.md", join(path, "link"))
  git(path, ["add", "link"])
  commit(path, { "docs/manual.md": "Ahoy, 世界\n" }, "Write a manual")
  git(path, ["reset", "--quiet", "--hard"])
  git(path, ["tag", "-a", "-m", "The first season", "v1"])
  git(path, ["tag", "light"])
  return path
}
