/** A repository with all kinds of files for a file viewer, and a short history. */
import * as ChildProcess from "node:child_process"
import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"

export interface ViewerRepository {
  readonly folder: string
  /** Commits of `main`, oldest first. */
  readonly commits: ReadonlyArray<string>
  readonly remove: () => void
}

const GEOMETRY = `/** A point on the plane. */
export interface Point {
  readonly x: number
  readonly y: number
}

export class Circle {
  readonly centre: Point
  readonly radius: number

  constructor(centre: Point, radius: number) {
    this.centre = centre
    this.radius = radius
  }

  area(): number {
    return Math.PI * this.radius ** 2
  }
}

export const origin: Point = { x: 0, y: 0 }

export function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y)
}
`

const MAIN = `import { Circle, distance, origin } from "./geometry.ts"

const circle = new Circle(origin, 2)
console.log(distance(origin, { x: 3, y: 4 }), circle.area())
`

/** 384 KB of TypeScript. */
const large = (): string => {
  let text = ""
  for (let at = 0; text.length < 384 * 1024 - 200; at++) {
    text += `/** Gives value ${at}, for a needle. */\nexport const value${at} = (input: string): string => \`\${input}/${at}\`\n\n`
  }
  return `${text}// the very last line\n`
}

/** A line of 1 MB. */
const long = (): string => `[${Array.from({ length: 40_000 }, (_, at) => `{"id":${at},"name":"needle"}`).join(",")}]`

const files: Readonly<Record<string, string | Uint8Array>> = {
  "src/geometry.ts": GEOMETRY,
  "src/main.ts": MAIN,
  "src/deep/er/file.ts": "export const deep = 1\n",
  "src/a #1 & b?.ts": 'export const odd = "name"\n',
  "large.ts": large(),
  "long.json": long(),
  "empty.txt": "",
  "crlf.txt": "one\r\ntwo needle\r\nthree\r\n",
  "no-newline.txt": "alpha\nbeta needle",
  "tabs.go": 'package main\n\nfunc main() {\n\tif true {\n\t\tprintln("needle")\n\t}\n}\n',
  "cjk.md": "# 漢字とかな\n\n日本語の文章です needle 👩‍💻 한국어\n\nשלום עולם needle مرحبا\n",
  "bidi.c":
    "int main() {\n  /*\u202e } \u2066if (isAdmin)\u2069 \u2066 begin admins only */\n  return 0; // a\u200bb\u0007\n}\n",
  "binary.bin": Uint8Array.from({ length: 4096 }, (_, at) => at % 256),
  "latin1.txt": Uint8Array.from([0x63, 0x61, 0x66, 0xe9, 0x0a]),
  "page.html": '<!doctype html><script>document.title = "owned"</script><p>needle</p>\n',
  "logo.svg": '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>\n',
  "dot.png": Uint8Array.from(
    Buffer.from(
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
      "base64"
    )
  )
}

export const make = (): ViewerRepository => {
  const base = Fs.mkdtempSync(Path.join(Os.tmpdir(), "tongs-files-"))
  const folder = Path.join(base, "world")
  Fs.mkdirSync(folder)
  const git = (args: ReadonlyArray<string>, author = "Ada Lovelace", date = "2024-03-01T10:00:00Z"): string => {
    const { status, stderr, stdout } = ChildProcess.spawnSync("git", ["-C", folder, ...args], {
      encoding: "utf8",
      env: {
        ...process.env,
        GIT_CONFIG_GLOBAL: "/dev/null",
        GIT_AUTHOR_NAME: author,
        GIT_AUTHOR_EMAIL: "author@example.org",
        GIT_AUTHOR_DATE: date,
        GIT_COMMITTER_NAME: author,
        GIT_COMMITTER_EMAIL: "author@example.org",
        GIT_COMMITTER_DATE: date
      }
    })
    if (status !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`)
    return stdout.trim()
  }
  const write = (path: string, content: string | Uint8Array) => {
    Fs.mkdirSync(Path.join(folder, Path.dirname(path)), { recursive: true })
    Fs.writeFileSync(Path.join(folder, path), content)
  }

  git(["init", "--quiet", "--initial-branch=main"])
  for (const [path, content] of Object.entries(files)) write(path, content)
  Fs.symlinkSync("geometry.ts", Path.join(folder, "src/link.ts"))
  git(["add", "."])
  write(".gitmodules", '[submodule "vendor/sub"]\n\tpath = vendor/sub\n\turl = https://forge.example/octo/sub.git\n')
  git(["add", ".gitmodules"])
  git(["update-index", "--add", "--cacheinfo", `160000,${"5".repeat(40)},vendor/sub`])
  git(["commit", "--quiet", "--message", "Begin"])
  git(["tag", "v1"])
  write("src/geometry.ts", GEOMETRY.replace("A point on the plane.", "A point on the plane, in metres."))
  git(["add", "src"])
  git(["commit", "--quiet", "--message", "Say the unit"], "Grace Hopper", "2025-06-01T10:00:00Z")
  git(["branch", "next"])
  write("src/geometry.ts", GEOMETRY.replace("A point on the plane.", "A point on the plane, in inches."))
  git(["add", "src"])
  const tree = git(["write-tree"])
  git(["update-ref", "refs/heads/next", git(["commit-tree", tree, "-p", "HEAD", "-m", "Measure in inches"])])
  git(["reset", "--quiet", "--hard"])
  const commits = git(["log", "--format=%H", "--reverse"]).split("\n")
  return { folder, commits, remove: () => Fs.rmSync(base, { recursive: true, force: true }) }
}
