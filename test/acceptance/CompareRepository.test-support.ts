/** A repository whose branches differ in every way that git knows, and `git diff` as the reference. */
import * as ChildProcess from "node:child_process"
import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"

export interface CompareRepository {
  readonly folder: string
  readonly git: (...args: ReadonlyArray<string>) => string
  readonly remove: () => void
}

/** Names that need care in HTML, in URLs, and in the output of git. */
export const unusualNames = [
  "a b.txt",
  "tab\there.txt",
  "new\nline.txt",
  'quote"d.txt',
  "ünïcode.txt",
  "#hash?&=%20.txt",
  "<img src=x onerror=alert(1)>.txt",
  "right\u202eto left.txt"
]

/** Number of files that the branch `many` changes. */
export const MANY = 340

const pixel = (colour: string) =>
  Buffer.from(
    colour === "red"
      ? "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=="
      : "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64"
  )

const lines = (count: number, changes: Readonly<Record<number, string>> = {}) =>
  Array.from(
    { length: count },
    (_, index) => `${changes[index + 1] ?? `export const value${index + 1} = ${index + 1}`}\n`
  ).join("")

export const make = (): CompareRepository => {
  const folder = Path.join(Fs.mkdtempSync(Path.join(Os.tmpdir(), "tongs-compare-")), "shapes")
  Fs.mkdirSync(folder)
  const git = (...args: ReadonlyArray<string>) =>
    ChildProcess.execFileSync("git", ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", ...args], {
      cwd: folder,
      maxBuffer: 64 * 1024 * 1024,
      env: {
        ...process.env,
        GIT_CONFIG_GLOBAL: "/dev/null",
        GIT_AUTHOR_DATE: "1767300000 +0000",
        GIT_COMMITTER_DATE: "1767300000 +0000"
      }
    }).toString()
  const write = (name: string, content: string | Uint8Array) => {
    Fs.mkdirSync(Path.dirname(Path.join(folder, name)), { recursive: true })
    Fs.writeFileSync(Path.join(folder, name), content)
  }
  const commit = (message: string) => {
    git("add", "--all")
    git("commit", "--quiet", "-m", message)
  }

  git("init", "--quiet", "--initial-branch=main")
  for (const name of unusualNames) write(`names/${name}`, lines(5))
  write("src/area.ts", lines(120))
  write("src/moved.ts", lines(40))
  write("src/gone.ts", lines(3))
  write("src/spaces.ts", "if (a) {\nb()\n}\n")
  write("run.sh", "echo\n")
  write("end.txt", "last line")
  write("data.bin", Buffer.from([0, 1, 2]))
  write("logo.png", pixel("red"))
  write("generated.txt", lines(2_000))
  for (let index = 0; index < MANY; index++) write(`many/${String(index).padStart(3, "0")}.ts`, lines(30))
  commit("Add shapes")
  git("tag", "v1.0")

  git("checkout", "--quiet", "-b", "feature")
  for (const name of unusualNames) write(`names/${name}`, lines(5, { 3: "<b>bold</b> <script>alert(1)</script>" }))
  write(
    "src/area.ts",
    lines(120, { 10: "export const value10 = 10 * radius", 60: "export const value60 = area(60)", 61: "// added" })
  )
  commit("Compute areas\n\nThe radius decides, so that circles work.")
  Fs.rmSync(Path.join(folder, "src/moved.ts"))
  write("lib/moved.ts", lines(40, { 20: "export const moved = true" }))
  Fs.rmSync(Path.join(folder, "src/gone.ts"))
  write("src/spaces.ts", "if (a) {\n  b()\n}\n")
  Fs.chmodSync(Path.join(folder, "run.sh"), 0o755)
  write("end.txt", "last line\n")
  write("data.bin", Buffer.from([0, 1, 3]))
  write("logo.png", pixel("blue"))
  write("generated.txt", lines(2_000).replaceAll("value", "result"))
  commit("Move files")
  git("tag", "v1.1")

  git("checkout", "--quiet", "-b", "many")
  for (let index = 0; index < MANY; index++) {
    write(`many/${String(index).padStart(3, "0")}.ts`, lines(30, { 5: "// changed", 25: "// changed, too" }))
  }
  commit("Change many files")
  git("checkout", "--quiet", "main")
  write("aside.txt", "only on main\n")
  commit("Work aside")
  return { folder, git, remove: () => Fs.rmSync(Path.dirname(folder), { recursive: true, force: true }) }
}
