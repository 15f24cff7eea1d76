/** Compiles a glob with `*`, `**`, `?` and `{a,b}` to a case-insensitive regular expression for whole paths. */
export const toRegExp = (glob: string): RegExp => new RegExp(`^${glob.replace(token, translate)}$`, "iu")

const token = /\*\*\/|\*\*|\*|\?|\{[^{}]*\}|[^*?{]+|\{/g

const translate = (part: string): string => {
  switch (part) {
    case "**/":
      return "(?:.*/)?"
    case "**":
      return ".*"
    case "*":
      return "[^/]*"
    case "?":
      return "[^/]"
    default:
      return part.startsWith("{") && part.endsWith("}")
        ? `(?:${part
            .slice(1, -1)
            .split(",")
            .map((one) => one.replace(token, translate))
            .join("|")})`
        : RegExp.escape(part)
  }
}
