/**
 * Reads and writes the report of `git receive-pack`: the references that git has moved (gitprotocol-pack, "Report
 * Status").
 */
import * as Stream from "effect/Stream"

/** Maximum bytes of a packet line. */
const MAX_PACKET = 65_520

/** Splits a stream into packet lines (gitprotocol-common). Stops at malformed input. */
const packets = (onPacket: (payload: Buffer) => void) => {
  let rest = Buffer.alloc(0)
  let isBroken = false
  return (chunk: Uint8Array): void => {
    if (isBroken) return
    rest = rest.length === 0 ? Buffer.from(chunk) : Buffer.concat([rest, chunk])
    let at = 0
    while (rest.length - at >= 4) {
      const digits = rest.toString("latin1", at, at + 4)
      const length = /^[0-9a-f]{4}$/i.test(digits) ? Number.parseInt(digits, 16) : MAX_PACKET + 1
      if (length > MAX_PACKET) {
        isBroken = true
        rest = Buffer.alloc(0)
        return
      }
      // 0000 is a flush packet; 0001 and 0002 have no payload either.
      const end = at + Math.max(length, 4)
      if (end > rest.length) break
      if (length > 4) onPacket(rest.subarray(at + 4, end))
      at = end
    }
    rest = rest.subarray(at)
  }
}

/**
 * Creates a reader of the output, with or without side bands. `results` has a value for each reported reference: true if
 * git has moved it.
 */
export const makeReader = (results = new Map<string, boolean>()) => {
  const readLine = (line: Buffer) => {
    const [, verdict, ref] = /^(ok|ng) (\S+)/.exec(line.toString()) ?? []
    if (ref !== undefined) results.set(ref, verdict === "ok")
  }
  const readReport = packets(readLine)
  const read = packets((payload) => {
    const [band] = payload
    if (band === 1) readReport(payload.subarray(1))
    else if (band !== 2 && band !== 3) readLine(payload)
  })
  return { results, read }
}

/**
 * Reads, without consuming it, the first packet line of a request, which names the capabilities of the client.
 */
export const readFirstPacket = <E>(request: Stream.Stream<Uint8Array, E>) => {
  let payload: Buffer | undefined
  const read = packets((packet) => {
    payload ??= Buffer.from(packet)
  })
  const input = Stream.map(request, (chunk) => {
    if (payload === undefined) read(chunk)
    return chunk
  })
  return { input, first: () => payload ?? Buffer.alloc(0) }
}

/** The report of a failed push with a reason, in the form that the first packet line of the push asks for. */
export const failure = (first: Buffer, reason: string): Uint8Array => {
  const report = `${line(`unpack ${reason}\n`)}0000`
  const capabilities = first.subarray(first.indexOf(0) + 1).toString()
  return Buffer.from(/(?:^| )side-band/.test(capabilities) ? `${line(`\u0001${report}`)}0000` : report)
}

const line = (text: string) => (Buffer.byteLength(text) + 4).toString(16).padStart(4, "0") + text
