/** Reads the values of parsed manifests, whose form is unknown. */

export const record = (value: unknown): Readonly<Record<string, unknown>> =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every object has unknown members
  typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {}

export const texts = (value: unknown): ReadonlyArray<string> =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === "string") : []

export const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)
