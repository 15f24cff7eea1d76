/** Amounts of money and quantities, and changes of both. Forges report amounts in US dollars. */
import * as StyledLine from "../../text/StyledLine.ts"
import type { Line } from "../../text/StyledLine.ts"

const dollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" })
const price = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD", maximumFractionDigits: 6 })
const number = new Intl.NumberFormat("en-US", { maximumFractionDigits: 3 })

/** Formats an amount: `$1,234.50`. */
export const format = (amount: number): string =>
  // Sums of fractions can be a negative zero.
  Number.isFinite(amount) ? dollars.format(Math.abs(amount) < 0.005 ? 0 : amount) : "unknown"

/** Formats a price, which can be much less than a cent: `$0.008`. */
export const formatPrice = (amount: number): string => (Number.isFinite(amount) ? price.format(amount) : "unknown")

/** Formats a quantity: `1,234.5`. */
export const quantity = (value: number): string => (Number.isFinite(value) ? number.format(value) : "unknown")

/** Formats the change between two amounts with a sign, and in words: `+$1.83  up 50 %`. */
export const change = (before: number, after: number): readonly [difference: Line, words: Line] => {
  const difference = after - before
  if (!Number.isFinite(difference)) return [StyledLine.line("unknown", "muted"), StyledLine.empty]
  if (Math.abs(difference) < 0.005) return [StyledLine.line("0", "muted"), StyledLine.line("the same", "muted")]
  const isMore = difference > 0
  const role = isMore ? "warning" : "success"
  const signed = `${isMore ? "+" : "-"}${dollars.format(Math.abs(difference))}`
  if (before <= 0.005) return [StyledLine.line(signed, role), StyledLine.line("new", role)]
  if (after <= 0.005) return [StyledLine.line(signed, role), StyledLine.line("no more", role)]
  const percent = Math.round((Math.abs(difference) / before) * 100)
  return [StyledLine.line(signed, role), StyledLine.line(`${isMore ? "up" : "down"} ${number.format(percent)} %`, role)]
}
