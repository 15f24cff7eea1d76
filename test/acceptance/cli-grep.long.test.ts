/** `tongs grep` prints the same output as ripgrep, and exits with the same codes. */
import { spawnSync } from "node:child_process"
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as Result from "effect/Result"
import * as RipgrepPattern from "@tongs/core/query/RipgrepPattern"
import { hasPrograms } from "../InstalledPrograms.test-support.ts"
import { isLong, sample } from "../LongTests.test-support.ts"
import * as ForgeProcess from "./ForgeProcess.test-support.ts"
import { generator } from "./RipgrepPatterns.test-support.ts"
import { compileCache, program, removeFolder } from "./TongsCommand.test-support.ts"

const hasRipgrep = hasPrograms("rg")
const root = mkdtempSync(join(tmpdir(), "tongs-grep-"))
afterAll(() => removeFolder(root))

interface Output {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

const spawn = (command: string, args: ReadonlyArray<string>, cwd: string): Output => {
  const { status, stderr, stdout } = spawnSync(command, args, {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    maxBuffer: 256 * 1024 * 1024,
    env: { PATH: process.env["PATH"], HOME: root, TONGS_DATA: join(root, "data"), ...compileCache }
  })
  return { code: status, stdout, stderr }
}

const grep = (cwd: string, ...args: ReadonlyArray<string>) => spawn(process.execPath, [program, "grep", ...args], cwd)
const ripgrep = (cwd: string, ...args: ReadonlyArray<string>) => spawn("rg", ["--no-config", ...args], cwd)

const write = (folder: string, files: Readonly<Record<string, string>>) => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

const files = {
  "a.txt": "hello world\nfoo hello hello\nbar\nbaz\nqux\nlast hello",
  "sub/b.txt": "one\n  \thello 世界 hello\n\n",
  "sub/long.js": `var a = 1;${"hello,".repeat(1_000)}end\n`,
  "sub/crlf.txt": "hello\r\nother\r\n",
  "sub/deep/c.md": "# Hello\nhello ß ſ K\n",
  ".hidden/d.txt": "hello hidden\n",
  "ignored.log": "hello log\n",
  "kept.log": "hello kept\n",
  ".gitignore": "*.log\n!kept.log\n",
  "dist/e.txt": "hello dist\n",
  ".ignore": "/dist\n"
}

describe.skipIf(!hasRipgrep)("the formats of ripgrep", () => {
  const work = join(root, "small")
  beforeAll(() => {
    write(work, files)
    ForgeProcess.git(work, ["init", "--quiet", "--initial-branch=main"])
    ForgeProcess.git(work, ["add", "--force", "."])
    ForgeProcess.git(work, ["-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "--quiet", "-m", "one"])
    appendFileSync(join(work, "a.txt"), "\nuncommitted hello\n")
    write(work, { "sub/new.txt": "untracked hello\n" })
  })

  it.each(
    sample(
      [
        [["hello"]],
        [["-n", "--no-heading", "hello"]],
        [["--heading", "-n", "--color=always", "hello"]],
        [["--color=always", "--column", "-C1", "hello"]],
        [["-C", "1", "--heading", "hello"]],
        [["-A2", "-m1", "hello"]],
        [["-B1", "-n", "hello"]],
        [["-c", "hello"]],
        [["--count-matches", "--color=always", "hello"]],
        [["-l", "hello"]],
        [["-l0", "hello"]],
        [["-n0", "-C1", "hello"]],
        [["--vimgrep", "hello"]],
        [["--vimgrep", "--color", "always", "-r", "LONGER", "hello"]],
        [["-o", "-n", "--column", "h\\w+"]],
        [["-o", "-r", "<$1>", "(h)ello"]],
        [["-r", "${first}-$2$$", "(?P<first>h)(e)llo", "-n"]],
        [["--trim", "-n", "hello", "sub"]],
        [["-I", "hello", "sub", "a.txt"]],
        [["hello", "a.txt"]],
        [["-H", "hello", "./a.txt"]],
        [["-q", "hello"]],
        [["-i", "k|SS|ẞ", "-o"]],
        [["-w", "HELLO", "-S"]],
        [["-x", "bar|qux", "-n"]],
        [["^$", "-n"]],
        [["", "-c"]],
        [["--hidden", "-l", "hello", "-g", "!.git"]],
        [["-u", "-l", "hello"]],
        [["-t", "md", "-i", "hello"]],
        [["-T", "txt", "-l", "hello"]],
        [["-g", "*.txt", "-g", "!sub/*", "-l", "hello"]],
        [["--iglob", "*.MD", "-l", "hello"]],
        [["-e", "foo", "-e", "qux", "-F"]],
        [["--type-list"]],
        [["nowhere"]]
      ],
      6
    )
  )("%j", (args) => {
    const flags = args.includes("--type-list") ? args : ["--sort", "path", ...args]
    const [expected, actual] = [ripgrep(work, ...flags), grep(work, ...flags)]
    expect(actual).toStrictEqual({ ...expected, stderr: "" })
  })

  it("--json apart from durations and totals", () => {
    const args = ["--json", "--sort", "path", "-C1", "hello"]
    const parse = ({ stdout }: Output): ReadonlyArray<unknown> =>
      stdout
        .trimEnd()
        .split("\n")
        .filter((line) => !line.includes('"summary"'))
        .map((line) => line.replace(/"stats":.*?,"bytes_printed":\d+/, ""))
    expect(parse(grep(work, ...args))).toStrictEqual(parse(ripgrep(work, ...args)))
  })

  it("paths from a folder below, and of folders above", () => {
    const below = join(work, "sub")
    for (const args of sample([
      ["hello", "deep", "../a.txt"],
      ["hello"],
      ["hello", ".."],
      ["hello", work],
      ["-c", "hello", "./"]
    ])) {
      const flags = ["--sort", "path", ...args]
      expect(grep(below, ...flags).stdout).toBe(ripgrep(below, ...flags).stdout)
    }
  })

  it("exit codes and messages of errors", () => {
    expect(grep(work, "hello(")).toMatchObject({ code: 2, stderr: expect.stringContaining("    hello(\n         ^\n") })
    expect(grep(work, "--zork", "hello")).toMatchObject({
      code: 2,
      stderr: "tongs: Unknown flag --zork.\nRun `tongs grep --help` for the flags.\n"
    })
    expect(grep(work, "-v", "hello")).toMatchObject({ code: 2, stderr: expect.stringContaining("grep -v") })
    expect(grep(work, "hello", "missing")).toMatchObject({ code: 2, stdout: "" })
    expect(grep(work, "-t", "zork", "hello")).toMatchObject({ code: 2 })
    expect(grep(work, "a\\nb")).toMatchObject({ code: 2, stderr: expect.stringContaining("not allowed in a regex") })
    expect(grep(work, "x".repeat(9_000))).toMatchObject({ code: 2, stderr: expect.stringContaining("At most") })
    expect(grep(work, "--url", "http://127.0.0.1:9", "hello")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("tongs search")
    })
  })

  it("several repositories, and revisions", () => {
    const other = join(root, "other")
    write(other, { "f.txt": "hello other\n" })
    ForgeProcess.git(other, ["init", "--quiet", "--initial-branch=main"])
    ForgeProcess.git(other, ["add", "."])
    ForgeProcess.git(other, ["-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "--quiet", "-m", "one"])
    const args = ["hello (other|world)", "--sort", "path", "--repos", work, "--repos", other]
    expect(grep(work, ...args).stdout).toBe(`${other}/f.txt:hello other\na.txt:hello world\n`)
    expect(grep(root, ...args).stdout).toBe("other/f.txt:hello other\nsmall/a.txt:hello world\n")
    expect(grep(root, ...args, "--repo", "other").stdout).toBe("other/f.txt:hello other\n")
    expect(grep(work, "uncommitted", "--rev", "main")).toMatchObject({ code: 1, stdout: "" })
    expect(grep(work, "world", "--rev", "main")).toMatchObject({ code: 0, stdout: "main:a.txt:hello world\n" })
  })
})

describe.skipIf(!hasRipgrep)("the lines of ripgrep in this project", () => {
  const work = join(root, "own")
  beforeAll(() => {
    for (const part of ["packages/core/src", "apps/cli/src", "docs"]) {
      cpSync(fileURLToPath(new URL(`../../${part}`, import.meta.url)), join(work, part), { recursive: true })
    }
    ForgeProcess.git(work, ["init", "--quiet", "--initial-branch=main"])
    ForgeProcess.git(work, ["add", "."])
    ForgeProcess.git(work, ["-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "--quiet", "-m", "one"])
  })

  it.each(
    sample(
      [
        ["CodeQueryParser"],
        ["-i", "codequery", "-l"],
        ["-w", "print", "-c"],
        ["-n", "fn\\w*\\("],
        ["-n", "\\bEffect\\.gen\\b"],
        ["-n", "^import", "packages/core/src"],
        ["-on", "\\w+Error"],
        ["-c", ""],
        ["-n", "^$", "packages"],
        ["-on", "[[:upper:]]{4,}"],
        ["-n", "-g", "*.md", "index"],
        ["--column", "-g", "!*.ts", "index"],
        ["-n", "-t", "ts", "readonly .*=> void"],
        ["-n", "-T", "ts", "search"],
        ["-F", "-n", "foo("],
        ["-F", "-n", "${"],
        ["-x", "-c", "}"],
        ["-n", "TODO|FIXME|XXX"],
        ["-n", "-e", "Stream", "-e", "Layer"],
        ["-S", "-l", "codequery"],
        ["--count-matches", "const"],
        ["-n", "-C2", "deadline", "apps"],
        ["--vimgrep", "Effect", "apps"],
        ["-n", "\\p{Greek}"],
        ["-on", "[^\\x00-\\x7F]"],
        ["-n", "-r", "X$1", "export (\\w+)"],
        ["-n", "\\s+$"],
        ["-n", "\\t"],
        ["-n", "(?i)todo|(?-i:Exit)"],
        ["-on", "\\b\\w{18,}\\b"],
        ["-n", "[\\w--[a-z]]{3}\\("]
      ],
      8
    ).map((args) => ({ args, line: args.join(" ") }))
  )("$line", ({ args }) => {
    const sorted = ({ code, stdout }: Output) => ({ code, lines: stdout.split("\n").sort() })
    expect(sorted(grep(work, ...args))).toStrictEqual(sorted(ripgrep(work, ...args)))
  })
})

describe.skipIf(!hasRipgrep)("generated patterns", () => {
  const patterns = isLong ? 300 : 100

  it("match the same lines as in ripgrep", () => {
    const { below, line, pattern } = generator(20_260_101)
    const lines = Array.from({ length: 300 }, line)
    const path = join(root, "lines.txt")
    writeFileSync(path, lines.map((text) => `${text}\n`).join(""))
    let compared = 0
    for (let run = 0; run < patterns; run++) {
      const written = pattern()
      const flags = [...(below(3) === 0 ? ["-i"] : []), ...(below(5) === 0 ? ["-w"] : [])]
      const expected = ripgrep(root, "-nI", ...flags, "-e", written, path)
      const parsed = RipgrepPattern.parse(written)
      // ripgrep 13 refuses an empty class, which newer versions accept.
      if (expected.stderr.includes("empty character classes")) continue
      expect([written, Result.isSuccess(parsed)]).toStrictEqual([written, expected.code !== 2])
      if (Result.isFailure(parsed)) continue
      const { source } = parsed.success
      // ripgrep 13 also requires a character beside an empty match of a whole word.
      if (flags.includes("-w") && new RegExp(source, "u").test("")) continue
      const expression = new RegExp(
        flags.includes("-w") ? RipgrepPattern.wholeWord(source) : source,
        flags.includes("-i") ? "imu" : "mu"
      )
      const found = lines.flatMap((text, index) => (expression.test(text) ? [`${index + 1}:${text}\n`] : []))
      expect([written, found.join("")]).toStrictEqual([written, expected.stdout])
      compared++
    }
    expect(compared).toBeGreaterThan((patterns * 2) / 3)
  })
})
