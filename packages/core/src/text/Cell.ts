/** Formats values of the contract as text for the cells of a table. */
import type { Format } from "../contract/Presentation.ts"
import * as AbbreviatedId from "./AbbreviatedId.ts"
import * as NumberFormat from "./NumberFormat.ts"
import * as RelativeTime from "./RelativeTime.ts"

/**
 * Formats a value. The text is unsafe to print before `Terminal.escape`. Ages are relative to `now`, in epoch
 * milliseconds. Objects and missing values are empty.
 */
export const text = (
  value: unknown,
  format: Format,
  { abbreviate, now }: { readonly abbreviate: boolean; readonly now: number }
): string => {
  if (Array.isArray(value)) return value.filter(isScalar).join(", ")
  if (typeof value === "boolean") return value ? "yes" : "no"
  if (typeof value === "number") {
    return format === "bytes"
      ? NumberFormat.bytes(value)
      : format === "count"
        ? NumberFormat.format(value)
        : String(value)
  }
  if (typeof value !== "string") return ""
  if (format === "age" && value !== "") return RelativeTime.format(Date.parse(value), now)
  const line = value.split("\n", 1)[0] ?? ""
  return format === "id" && abbreviate ? AbbreviatedId.of(line) : line
}

const isScalar = (value: unknown) => typeof value === "string" || typeof value === "number"
