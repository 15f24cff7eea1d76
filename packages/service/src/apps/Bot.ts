/** The account by which an app acts for itself. */
import type { NewUser } from "../storage/Users.ts"

export const of = (slug: string): NewUser => ({ login: `${slug}[bot]`, type: "Bot" })
