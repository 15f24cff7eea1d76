/** Parses the output of `git log` chunk by chunk, in bounded memory. */
import * as PatchLines from "@tongs/core/text/PatchLines"
import { isUtf8 } from "node:buffer"
import { unquote } from "../../git/values/FilePatches.ts"
import { decodeLegacy } from "../../git/values/TextDecoding.ts"

/** Name and email address of a person, with a date in seconds since 1970. */
export interface Person {
  readonly name: string
  readonly email: string
  readonly seconds: number
}

/** A commit without the changes. */
export interface CommitHeader {
  readonly sha: string
  readonly author: Person
  readonly committer: Person
  readonly message: string
}

/** Receives the parts of each commit in the order of the log. */
export interface LogListener {
  readonly onCommit: (commit: CommitHeader) => void
  /** Returns false to skip the changed lines of the file. */
  readonly onFile: (path: string) => boolean
  readonly onLine: (change: "added" | "removed", number: number, text: string) => void
  /** Called once at the end of each commit. `isCut` is true if a limit cut off the message or lines. */
  readonly onEnd: (isCut: boolean) => void
}

/** Format of a commit: NUL, then the fields, each followed by NUL. Git never prints NUL within a field. */
export const format = `--format=tformat:%x00${["%H", "%an", "%ae", "%at", "%cn", "%ce", "%ct", "%B"].join("%x00")}%x00`

const FIELD_COUNT = 8

/** Maximum bytes of a line or field. The rest is skipped. */
const MAX_TOKEN = 1024 * 1024

/** Maximum bytes of changed lines per commit. Further lines are skipped. */
const MAX_COMMIT_BYTES = 64 * 1024 * 1024

const FEED = 10
const NUL = 0
const PLUS = 43
const MINUS = 45
const SPACE = 32
const BACKSLASH = 92

/** Content of the lines after a commit: nothing, one path per line, or changed lines, with or without `--numstat`. */
export type LogContent = "messages" | "paths" | "patches" | "counted patches"

/** Parses one log. Pass chunks to `push`, then call `end` if git succeeded. */
export class LogParser {
  readonly #content: LogContent
  readonly #listener: LogListener
  #pending: Array<Buffer> = []
  #pendingSize = 0
  /** The fields of the current commit; undefined outside of the fields. */
  #fields: Array<string> | undefined
  #isOpen = false
  #isCut = false
  #bytes = 0
  #oldLine = 0
  #newLine = 0
  #oldLeft = 0
  #newLeft = 0
  #wantsLines = false
  /** Files and changed lines that `--numstat` announced and that have not been parsed. */
  #filesLeft = 0
  #linesLeft = 0
  #isCounted = false

  constructor(content: LogContent, listener: LogListener) {
    this.#content = content
    this.#listener = listener
  }

  push(chunk: Buffer): void {
    for (let at = 0; at < chunk.length;) {
      if (this.#fields === undefined && this.#pendingSize === 0 && !this.#isInHunk && chunk[at] === NUL) {
        this.#close()
        this.#fields = []
        at++
        continue
      }
      const end = chunk.indexOf(this.#fields === undefined ? FEED : NUL, at)
      if (end === -1) return this.#keep(chunk.subarray(at))
      const rest = chunk.subarray(at, end)
      at = end + 1
      if (this.#pendingSize === 0) this.#token(rest)
      else {
        this.#keep(rest)
        const whole = Buffer.concat(this.#pending)
        this.#pending = []
        this.#pendingSize = 0
        this.#token(whole)
      }
    }
  }

  /** Ends the last commit. */
  end(): void {
    this.#close()
  }

  get #isInHunk(): boolean {
    return this.#oldLeft > 0 || this.#newLeft > 0
  }

  #keep(part: Buffer): void {
    const kept = part.subarray(0, Math.max(0, MAX_TOKEN - this.#pendingSize))
    if (kept.length < part.length) this.#isCut = true
    // Copies the part, because a slice would keep the whole chunk in memory.
    if (kept.length > 0) this.#pending.push(Buffer.from(kept))
    // An empty remainder of a truncated token still has a size, so that the parser finds the end of the token.
    this.#pendingSize += Math.max(1, kept.length)
  }

  #token(token: Buffer): void {
    if (this.#fields === undefined) return this.#line(token)
    this.#fields.push(decode(token))
    if (this.#fields.length < FIELD_COUNT) return
    const [sha = "", name = "", email = "", date = "", committer = "", address = "", committed = "", message = ""] =
      this.#fields
    this.#fields = undefined
    this.#isOpen = true
    this.#isCounted = false
    this.#bytes = 0
    this.#filesLeft = 0
    this.#linesLeft = 0
    this.#listener.onCommit({
      sha,
      author: { name, email, seconds: Number(date) },
      committer: { name: committer, email: address, seconds: Number(committed) },
      message: message.replace(/\n+$/, "")
    })
    if (this.#content === "messages") this.#close()
  }

  #close(): void {
    this.#wantsLines = false
    if (!this.#isOpen) return
    this.#isOpen = false
    const isCut = this.#isCut
    this.#isCut = false
    this.#listener.onEnd(isCut)
  }

  #line(line: Buffer): void {
    if (this.#isInHunk) return this.#hunkLine(line)
    if (line.length === 0) return
    if (this.#content === "paths") return void (this.#isOpen && this.#listener.onFile(unquote(line)))
    if (line[0] === 100 && line.indexOf("diff --git ") === 0) return this.#fileStart(line)
    if (line[0] === 64 && line.indexOf("@@ -") === 0) return this.#hunkStart(line)
    if (this.#content === "counted patches") this.#count(line)
  }

  /** Reads a line of `--numstat`: added lines, removed lines and path, or dashes for a binary file. */
  #count(line: Buffer): void {
    const [, added, removed] = /^(\d+|-)\t(\d+|-)\t/.exec(line.subarray(0, 64).toString("latin1")) ?? []
    if (added === undefined || removed === undefined) return
    this.#isCounted = true
    this.#filesLeft++
    this.#linesLeft += (Number(added) || 0) + (Number(removed) || 0)
  }

  #fileStart(line: Buffer): void {
    if (!this.#isOpen) return
    // Without renames both names are equal, except for the prefixes `a/` and `b/`.
    const names = line.subarray("diff --git ".length)
    this.#wantsLines = this.#listener.onFile(unquote(names.subarray(0, (names.length - 1) / 2)).slice(2))
    this.#filesLeft--
    this.#closeIfComplete()
  }

  #hunkStart(line: Buffer): void {
    const header = PatchLines.parseHeader(line.subarray(0, 100).toString("latin1"))
    if (header === undefined) return
    this.#oldLine = header.oldStart
    this.#newLine = header.newStart
    this.#oldLeft = header.oldCount
    this.#newLeft = header.newCount
  }

  #hunkLine(line: Buffer): void {
    const [sign] = line
    if (sign === BACKSLASH) return
    if (sign === PLUS) {
      this.#newLeft--
      this.#changed("added", this.#newLine++, line)
    } else if (sign === MINUS) {
      this.#oldLeft--
      this.#changed("removed", this.#oldLine++, line)
    } else if (sign === SPACE) {
      this.#newLeft--
      this.#oldLeft--
      this.#newLine++
      this.#oldLine++
    } else {
      // Not the output of git: leaves the hunk to find the next commit.
      this.#newLeft = 0
      this.#oldLeft = 0
      this.#isCut = true
    }
  }

  #changed(change: "added" | "removed", number: number, line: Buffer): void {
    if (!this.#isOpen) return
    this.#linesLeft--
    this.#bytes += line.length
    if (this.#bytes > MAX_COMMIT_BYTES) this.#isCut = true
    else if (this.#wantsLines) this.#listener.onLine(change, number, decodeContent(line.subarray(1)).replace(/\r$/, ""))
    this.#closeIfComplete()
  }

  /** Ends a commit at the last line, so that the hit does not wait for the next commit, which can take long. */
  #closeIfComplete(): void {
    if (this.#isCounted && this.#filesLeft <= 0 && this.#linesLeft <= 0) this.#close()
  }
}

const decodeContent = (bytes: Buffer): string => (isUtf8(bytes) ? bytes.toString("utf8") : decodeLegacy(bytes))

const decode = (bytes: Buffer): string => (isUtf8(bytes) ? bytes.toString("utf8") : bytes.toString("latin1"))
