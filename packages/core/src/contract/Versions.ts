/** API versions by release date, oldest first. A breaking change comes only with a new version. */
export const versions = ["2022-11-28", "2026-03-10"] as const
/** A supported API version. */
export type Version = (typeof versions)[number]

/** The API version of requests without a version header, and of the client. Every forge supports this version. */
export const defaultVersion: Version = "2022-11-28" // oxlint-disable-line tongs/constant-case -- public name
