/** The bot account of a GitHub App, which acts for the app's installations. */
import type { NewUser } from "./UserRows.ts"

export const of = (slug: string): NewUser => ({ login: `${slug}[bot]`, type: "Bot" })
