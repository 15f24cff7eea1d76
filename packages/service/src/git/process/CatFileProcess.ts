import type { ChildProcessWithoutNullStreams } from "node:child_process"
import * as ProcessGroup from "../../base/ProcessGroup.ts"
import { findIrregular } from "../values/LooseObject.ts"
import { type ObjectType, toObjectType } from "../values/GitObject.ts"

/** Id, type and size of a git object. */
export interface ObjectInfo {
  readonly oid: string
  readonly type: ObjectType
  /** Bytes of the uncompressed content. */
  readonly size: number
}

/** Response of `git cat-file` for one object. Without `bytes` for an `info` request or an object above the limit. */
export interface ObjectResponse extends ObjectInfo {
  readonly bytes?: Buffer
}

/** Why a request failed. */
export interface RequestFailure {
  readonly stderr: string
  /** Git exited because of this object, which is damaged, or absent in a partial clone. */
  readonly isUnreadable: boolean
  readonly timedOut?: boolean
  /** Path of an object that is not a regular file. */
  readonly irregular?: string
}

/** A queued request for one object. */
export interface ObjectRequest {
  readonly command: "info" | "contents"
  readonly name: string
  /** Maximum bytes of content; larger objects are skipped. */
  readonly limit: number
  /** Called with `undefined` if the object does not exist. */
  readonly succeed: (answer: ObjectResponse | undefined) => void
  readonly fail: (failure: RequestFailure) => void
  /** By `performance.now()`. */
  readonly startedAt: number
  /** The caller was interrupted or has failed already, so the response is discarded. */
  abandoned: boolean
}

/** Fails a request that started before `latest` (by `performance.now()`) with a timeout. */
export const expire = (request: ObjectRequest, latest: number): void => {
  if (request.abandoned || request.startedAt > latest) return
  request.abandoned = true
  request.fail({ stderr: "", isUnreadable: false, timedOut: true })
}

/** Callbacks of a process: `onIdle` whenever the queue becomes empty, `onExit` once. */
export interface ProcessListener {
  readonly onIdle: (process: CatFileProcess) => void
  /** Receives the pending requests, oldest first. */
  readonly onExit: (process: CatFileProcess, pending: ReadonlyArray<ObjectRequest>, stderr: string) => void
}

const NEWLINE = 0x0a

/**
 * One `git cat-file --batch-command --buffer` process, which answers pipelined requests in order.
 *
 * Requests of one tick share one write and one flush. A `serial` process gets one request at a time, to identify an
 * object that crashes git.
 */
export class CatFileProcess {
  readonly gitDir: string
  readonly serial: boolean
  readonly #child: ChildProcessWithoutNullStreams
  readonly #listener: ProcessListener
  #queue: Array<ObjectRequest> = []
  #sent = 0
  #scheduled = false
  #dead = false
  #stderr = ""
  #rest: Buffer = Buffer.alloc(0)
  #answer: ObjectInfo | undefined
  #body: Buffer | undefined
  #remaining = 0
  #progress = performance.now()
  #hung = false

  constructor(child: ChildProcessWithoutNullStreams, gitDir: string, serial: boolean, listener: ProcessListener) {
    this.gitDir = gitDir
    this.serial = serial
    this.#child = child
    this.#listener = listener
    child.stdout.on("data", (chunk: Buffer) => this.#read(chunk))
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-4096)
    })
    child.stdin.on("error", () => {})
    child.on("error", (cause) => this.#die(cause.message))
    child.on("close", () => this.#die(this.#stderr))
  }

  /** Number of pending requests. */
  get load(): number {
    return this.#queue.length
  }

  /** Milliseconds since the last output; 0 without pending requests. */
  get silence(): number {
    return this.#queue.length === 0 ? 0 : performance.now() - this.#progress
  }

  /** Fails the requests that started before `latest`. */
  expire(latest: number): void {
    for (const request of this.#queue) expire(request, latest)
  }

  send(request: ObjectRequest): void {
    if (this.#queue.length === 0) this.#progress = performance.now()
    this.#queue.push(request)
    this.#schedule()
  }

  /** True if `killIfSilent` killed the process. */
  get hung(): boolean {
    return this.#hung
  }

  /** Kills the process after `millis` milliseconds without output. */
  killIfSilent(millis: number): void {
    if (this.silence < millis) return
    this.#hung = true
    this.kill()
  }

  /** If git could be waiting for a pipe in place of an object, fails the requests for pipes and kills the process. */
  failIrregular(): void {
    let isBlocked = false
    for (const request of this.#queue) {
      const irregular = findIrregular(this.gitDir, request.name)
      if (irregular === undefined) continue
      isBlocked = true
      if (request.abandoned) continue
      request.abandoned = true
      request.fail({ stderr: `${irregular} is not a regular file`, isUnreadable: true, irregular })
    }
    if (isBlocked) this.kill()
  }

  kill(): void {
    ProcessGroup.of(this.#child).signal("SIGKILL")
  }

  #schedule(): void {
    if (this.#scheduled || (this.serial && this.#sent > 0)) return
    this.#scheduled = true
    queueMicrotask(() => {
      this.#scheduled = false
      const batch = this.serial ? this.#queue.slice(0, 1) : this.#queue.slice(this.#sent)
      if (batch.length === 0 || this.#dead) return
      this.#sent += batch.length
      this.#child.stdin.write(batch.map(({ command, name }) => `${command} ${name}\n`).join("") + "flush\n")
    })
  }

  #read(chunk: Buffer): void {
    this.#progress = performance.now()
    let at = 0
    while (at < chunk.length) {
      if (this.#remaining > 0) {
        at += this.#readBody(chunk, at)
        continue
      }
      const end = chunk.indexOf(NEWLINE, at)
      if (end === -1) {
        this.#rest = Buffer.concat([this.#rest, chunk.subarray(at)])
        return
      }
      const line = this.#rest.toString("latin1") + chunk.toString("latin1", at, end)
      this.#rest = Buffer.alloc(0)
      at = end + 1
      this.#readHeader(line)
    }
  }

  #readHeader(line: string): void {
    const request = this.#queue[0]
    const [oid = "", word = "", digits = ""] = line.split(" ")
    const type = toObjectType(word)
    if (type === undefined) return this.#finish(undefined)
    const size = Number(digits)
    this.#answer = { oid, type, size }
    if (request?.command !== "contents") return this.#finish(this.#answer)
    this.#body = request.abandoned || size > request.limit ? undefined : Buffer.allocUnsafeSlow(size)
    this.#remaining = size + 1
  }

  /** Consumes content and the following line feed. Returns the number of bytes consumed. */
  #readBody(chunk: Buffer, at: number): number {
    const taken = Math.min(this.#remaining, chunk.length - at)
    if (this.#body !== undefined) {
      chunk.copy(this.#body, this.#body.length + 1 - this.#remaining, at, at + Math.min(taken, this.#remaining - 1))
    }
    this.#remaining -= taken
    if (this.#remaining === 0 && this.#answer !== undefined) {
      this.#finish(this.#body === undefined ? this.#answer : { ...this.#answer, bytes: this.#body })
    }
    return taken
  }

  #finish(answer: ObjectResponse | undefined): void {
    this.#body = undefined
    const request = this.#queue.shift()
    this.#sent--
    if (request?.abandoned === false) request.succeed(answer)
    if (this.#queue.length === 0) this.#listener.onIdle(this)
    else if (this.serial) this.#schedule()
  }

  #die(stderr: string): void {
    if (this.#dead) return
    this.#dead = true
    const pending = this.#queue.filter((request) => !request.abandoned)
    this.#queue = []
    this.#listener.onExit(this, pending, stderr)
  }
}
