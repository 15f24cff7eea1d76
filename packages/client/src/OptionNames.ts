/** Rejects options that a function does not have, which would otherwise have no effect. */

/** The names of all options of a function. The type makes a missing name an error. */
export type OptionNames<O> = { readonly [K in keyof Required<O>]: 1 }

/** Names of options in other libraries, by the corresponding name here. */
const otherNames: Readonly<Record<string, string>> = {
  auth: "token accessToken apiKey authStrategy credential credentials",
  baseUrl: "url host endpoint",
  log: "logger onWarn",
  appId: "id clientId",
  installation: "installationId",
  privateKey: "key pem"
}

/** Throws a `TypeError` for the first option that is not in `names`, with the name to use instead. */
export const check = <O extends object>(owner: string, options: O, names: OptionNames<O>): void => {
  const known = Object.keys(names)
  const unknown = Object.keys(options).find((name) => !known.includes(name))
  if (unknown === undefined) return
  const nearest =
    known.find((name) => ` ${otherNames[name]} `.includes(` ${unknown} `)) ??
    known.find((name) => isNear(name.toLowerCase(), unknown.toLowerCase()))
  throw new TypeError(
    `Unknown option \`${unknown}\` of ${owner}: use ${nearest === undefined ? known.join(", ") : `\`${nearest}\``}`
  )
}

/** Returns whether one name contains the other, or whether the names differ in one place by at most two characters. */
const isNear = (one: string, other: string): boolean => {
  if (one.includes(other) || other.includes(one)) return true
  let start = 0
  while (one[start] === other[start]) start++
  let end = 0
  while (one.at(-1 - end) === other.at(-1 - end)) end++
  return Math.max(one.length, other.length) - start - end <= 2
}
