/** Builds packet lines, packs and requests, broken on purpose, and watches how a forge handles broken data. */
import { createHash } from "node:crypto"
import { once } from "node:events"
import { readdirSync, readFileSync } from "node:fs"
import { connect } from "node:net"
import { deflateSync } from "node:zlib"
import type { ForgeProcess } from "./ForgeProcess.test-support.ts"

/** A packet line (gitprotocol-common). */
export const packet = (text: string): string => `${(Buffer.byteLength(text) + 4).toString(16).padStart(4, "0")}${text}`

/** A generator of numbers from 0 to below 1, the same for each seed (mulberry32). */
export const generator = (seed: number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Returns a copy of a request with a few bytes changed, removed or repeated, or without the end. */
export const mutate = (request: Buffer, random: () => number): Buffer => {
  const at = Math.floor(random() * request.length)
  const until = Math.min(request.length, at + 1 + Math.floor(random() * 8))
  const [start, part, end] = [request.subarray(0, at), request.subarray(at, until), request.subarray(until)]
  const kind = Math.floor(random() * 4)
  if (kind === 0) return start
  if (kind === 1) return Buffer.concat([start, end])
  if (kind === 2) return Buffer.concat([start, part, part, end])
  return Buffer.concat([start, part.map(() => Math.floor(random() * 256)), end])
}

/** The header of an object in a pack: the type, and the size as claimed. */
export const objectHeader = (type: number, size: number): Buffer => {
  const bytes = [(type << 4) | (size & 15)]
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) | 0x80
    bytes.push(rest % 128)
  }
  return Buffer.from(bytes)
}

/** A pack with a right checksum. `count` is the claimed number of objects. */
export const pack = (objects: ReadonlyArray<Buffer>, count = objects.length): Buffer => {
  const header = Buffer.from("PACK\0\0\0\u0002\0\0\0\0", "latin1")
  header.writeUInt32BE(count, 8)
  const whole = Buffer.concat([header, ...objects])
  return Buffer.concat([whole, createHash("sha1").update(whole).digest()])
}

/** The number of a delta with seven bits per byte, the lowest first. */
const size = (value: number): Buffer => {
  const bytes = [value % 128]
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) {
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) | 0x80
    bytes.push(rest % 128)
  }
  return Buffer.from(bytes)
}

/** The distance to the base of a delta in the same pack (gitformat-pack, "offset encoding"). */
export const distance = (value: number): Buffer => {
  const bytes = [value & 0x7f]
  for (let rest = value >> 7; rest > 0; rest >>= 7) bytes.unshift(0x80 | (--rest & 0x7f))
  return Buffer.from(bytes)
}

/** A delta that repeats the first 16 MB of the base, and appends a text. */
export const repeatingDelta = (baseSize: number, times: number, text = ""): Buffer => {
  const copied = 0xff_ff_ff
  const copy = Buffer.from([0x80 | 0x70, 0xff, 0xff, 0xff])
  return Buffer.concat([
    size(baseSize),
    size(copied * times + text.length),
    ...Array.from({ length: times }, () => copy),
    ...(text === "" ? [] : [Buffer.from([text.length]), Buffer.from(text)])
  ])
}

/** An object in a pack. `reference` refers to the base of a delta. */
export const object = (
  type: number,
  content: Buffer,
  reference: Buffer = Buffer.alloc(0),
  claimed = content.length
): Buffer => Buffer.concat([objectHeader(type, claimed), reference, deflateSync(content)])

/** Sends bytes over a connection, and gives the status of the response, or 0 if the connection closed without one. */
export const sendRaw = async ({ url }: ForgeProcess, bytes: string | Buffer, waitMillis = 300): Promise<number> => {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  let text = ""
  socket.on("data", (chunk: Buffer) => (text += chunk.toString("latin1").slice(0, 100)))
  socket.on("error", () => {})
  await once(socket, "connect")
  socket.write(bytes)
  const timer = setTimeout(() => socket.destroy(), waitMillis)
  await once(socket, "close")
  clearTimeout(timer)
  return Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0)
}

/** Highest measured memory of a forge and of one of the forge's git processes in MB. Only on Linux. */
export const watchMemory = ({ pid }: ForgeProcess) => {
  const highest = { forge: 0, git: 0 }
  const peakOf = (process: string | number) => {
    try {
      return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${process}/status`, "latin1"))?.[1] ?? 0) / 1024
    } catch {
      return 0
    }
  }
  const parentOf = (process: string) => {
    try {
      return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${process}/status`, "latin1"))?.[1])
    } catch {
      return 0
    }
  }
  const isBelow = (process: string): boolean => {
    const parent = parentOf(process)
    return parent === pid || (parent > 1 && isBelow(String(parent)))
  }
  const sample = () => {
    highest.forge = Math.max(highest.forge, peakOf(pid))
    for (const name of readdirSync("/proc")) {
      if (/^\d+$/.test(name) && isBelow(name)) highest.git = Math.max(highest.git, peakOf(name))
    }
  }
  const timer = process.platform === "linux" ? setInterval(sample, 50) : undefined
  return { highest, stop: () => clearInterval(timer) }
}
