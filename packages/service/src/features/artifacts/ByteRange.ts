/** The `Range` of a request for a file (RFC 9110 §14): one range of bytes. */

/** Both ends belong to it. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** Nothing: the whole file, as several ranges and what cannot be read ask for it too. */
export const parse = (header: string | undefined, size: number): ByteRange | "unsatisfiable" | undefined => {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/i.exec(header?.trim() ?? "") ?? []
  if (first === undefined || last === undefined || (first === "" && last === "")) return undefined
  const start = first === "" ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === "" || last === "" ? size - 1 : Math.min(Number(last), size - 1)
  if (first !== "" && last !== "" && Number(last) < start) return undefined
  return start > end ? "unsatisfiable" : { start, end }
}
