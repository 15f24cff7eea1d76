/** API versions (spec part 1 §9, spec part 4 "Versions"): named by their release date, oldest first. */
export const versions = ["2022-11-28", "2026-03-10"] as const
export type Version = (typeof versions)[number]

/** What a request without the version header gets, and what the client asks for: every forge has it. */
export const defaultVersion: Version = "2022-11-28"
