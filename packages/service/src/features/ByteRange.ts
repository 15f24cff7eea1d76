/** `Range` header with a single range of bytes (RFC 9110 §14). */

/** Range of bytes. Both ends are included. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** Parses the header for a file of `size` bytes. Undefined means the whole file, also for invalid or several ranges. */
export const parse = (header: string | undefined, size: number): ByteRange | "unsatisfiable" | undefined => {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/i.exec(header?.trim() ?? "") ?? []
  if (first === undefined || last === undefined || (first === "" && last === "")) return undefined
  const start = first === "" ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === "" || last === "" ? size - 1 : Math.min(Number(last), size - 1)
  if (first !== "" && last !== "" && Number(last) < start) return undefined
  return start > end ? "unsatisfiable" : { start, end }
}
