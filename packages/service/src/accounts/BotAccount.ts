/** The account by which an app acts for itself. */
import type { NewUser } from "./UserRows.ts"

export const of = (slug: string): NewUser => ({ login: `${slug}[bot]`, type: "Bot" })
