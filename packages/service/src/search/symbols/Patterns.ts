import type { SymbolKind } from "@tongs/core/contract/groups/CodeSearch"

/**
 * Result of a rule that finds symbols: a kind of symbol, or
 *
 * - `member`: a method inside a class, nothing elsewhere;
 * - `scope`: names the scope of members, but is no symbol (Rust's `impl`);
 * - `constants`, `variables`: a group in which each `entry` is a constant or variable;
 * - `fence`: starts or ends a block without symbols.
 */
export type Kind = SymbolKind | "member" | "scope" | "constants" | "variables" | "entry" | "fence"

/** Compiled rules that find the symbols of a programming language. */
export interface Patterns {
  /** Result of each rule, in the order of the groups of `regex`. */
  readonly kinds: ReadonlyArray<Kind>
  /** Combined expression: group 1 is the indentation, then one group per rule. Reset `lastIndex` before each text. */
  readonly regex: RegExp
}

/** Returns the patterns of a language by name, compiled on first use. Undefined for a language without rules. */
export const patternsOf = (language: string): Patterns | undefined => {
  const known = compiled.get(language)
  if (known !== undefined) return known
  const rules = languages[language]
  if (rules === undefined) return undefined
  const sources = rules.map(([, rule]) => rule.replaceAll(" ", "[ \\t]+").replaceAll("~", "[ \\t]*"))
  const made: Patterns = {
    kinds: rules.map(([kind]) => kind),
    // The lookahead makes the indentation atomic, which prevents backtracking.
    regex: new RegExp(`^(?=([ \\t]*))\\1(?:${sources.join("|")})`, language === "SQL" ? "gim" : "gm")
  }
  compiled.set(language, made)
  return made
}

const compiled = new Map<string, Patterns>()

/**
 * Patterns for the beginning of a line, each with the name in the only group. A space matches one or more spaces and
 * tabs, `~` any number. A rule that starts with `^` matches unindented lines only.
 */
type Rules = ReadonlyArray<readonly [Kind, string]>

const r = String.raw

/** Returns a bounded pattern for up to 9 of the words in any order, each followed by a space. */
const words = (all: string) => `(?:(?:${all}) ){0,9}`

const jsModifiers = words("export|default|declare|abstract")
const js: Rules = [
  ["class", r`${jsModifiers}class (?!extends\b)([\w$]+)`],
  ["interface", r`${jsModifiers}interface ([\w$]+)(?=~(?:[<{]|$|extends\b))`],
  ["type", r`${jsModifiers}type ([\w$]+)~(?=[<=]|$)`],
  ["enum", r`${jsModifiers}(?:const )?enum ([\w$]+)~\{`],
  ["module", r`${jsModifiers}(?:namespace|module) ([\w$.]+)~\{`],
  ["function", r`${jsModifiers}(?:async )?function~\*?~([\w$]+)`],
  [
    "function",
    r`^(?:export )?(?:const|let|var) ([\w$]+)~(?::[^=\n]*)?=~(?:async\b~)?(?:function\b|<|\([^\n]*(?:=>|[(,]$)|\($|[\w$]+~=>)`
  ],
  ["constant", r`(?:^|export )(?:declare )?const ([\w$]+)~[:=]`],
  ["variable", r`^(?:export )?(?:declare )?(?:let|var) ([\w$]+)`],
  ["function", r`^(?:module\.)?exports\.([\w$]+)~=`],
  ["function", r`^[\w$]+(?:\.[\w$]+)*\.prototype\.([\w$]+)~=`],
  [
    "member",
    r`${words("public|private|protected|static|readonly|abstract|override|async|get|set")}(?:\*~)?(?!(?:if|for|while|switch|catch|return|function|with|super|new|throw|await|yield)\b)(#?[\w$]+)\??~(?:<[^\n(]*>)?\(`
  ]
]

const jvmModifiers = words(
  r`public|protected|private|internal|static|final|abstract|sealed|non-sealed|strictfp|default|synchronized|native|readonly|override|virtual|async|partial|unsafe|extern|new|open|data|inline|operator|suspend|tailrec|infix|lateinit|const|annotation|inner|value|companion|implicit|case|lazy|@\w+`
)
const NOT_STATEMENT =
  "(?!(?:if|for|foreach|while|switch|catch|return|else|new|throw|do|try|using|lock|assert|await|yield|case|super|this|when|synchronized|var|import|package)\\b)"
const java: Rules = [
  ["class", r`${jvmModifiers}(?:class|record) (\w+)`],
  ["interface", r`${jvmModifiers}@?interface (\w+)`],
  ["enum", r`${jvmModifiers}enum (\w+)`],
  ["struct", r`${jvmModifiers}struct (\w+)`],
  ["module", r`namespace ([\w.]+)`],
  [
    "constant",
    r`${words("public|protected|private|internal")}(?:static final|final static|const|static readonly) [\w.<>,?[\]]+ (\w+)~=`
  ],
  [
    "member",
    r`${jvmModifiers}(?:<[^\n(]*> )?${NOT_STATEMENT}(?:[\w.<>,?[\]]+ ){0,9}([A-Za-z_]\w*)~(?:<[\w, ]*>)?\((?![^\n]*[^\n{)];$)`
  ]
]

const kotlin: Rules = [
  ["enum", r`${jvmModifiers}enum class (\w+)`],
  ["class", r`${jvmModifiers}(?:class|object|trait) (\w+)`],
  ["interface", r`${jvmModifiers}(?:fun )?interface (\w+)`],
  ["type", r`${jvmModifiers}(?:typealias|type) (\w+)`],
  ["function", r`${jvmModifiers}fun (?:<[^\n(]*> )?(?:[\w<>?, ]*\.)?(\w+)~[(<]`],
  ["function", r`${jvmModifiers}def ([^\s([:=]+)`],
  ["constant", r`^${jvmModifiers}(?:val) (\w+)`],
  ["variable", r`^${jvmModifiers}var (\w+)`]
]

const NOT_C = '(?!(?:typedef|return|else|if|for|while|switch|case|goto|do|new|delete|using|throw|sizeof|extern~")\\b)'
/** Pattern for parameters followed by a function body, also over several lines. Excludes mere declarations. */
const body = r`\((?=(?:[^;{}\n]|\n[\x20\t):]){0,1000}\n?\{)`
const c: Rules = [
  ["macro", r`#~define (\w+)`],
  ["class", r`(?:template~<[^\n]*>~)?class (?:[A-Z][A-Z_0-9]+ )?(\w+)(?=[^;=()\n]*$|[^;=()\n]*\{)`],
  ["struct", r`(?:typedef |static |const ){0,9}(?:struct|union) (?:__\w+ )?(\w+)(?=~(?:\{|$|:|final\b))`],
  ["enum", r`(?:typedef )?enum (?:class |struct )?(\w+)(?=~(?:\{|$|:))`],
  ["module", r`(?:inline )?namespace ([\w:]+)~(?:\{|$)`],
  ["type", r`using (\w+)~=`],
  ["type", r`^typedef\b[^\n;{(]*?\b(\w+)~;`],
  ["type", r`^typedef\b[^\n;{(]*\(~\*~(\w+)~\)`],
  ["type", r`^\}~(?:__\w+ )?(?!__)(\w+)~;`],
  [
    "function",
    r`^(?:template~<[^\n]*>~)?${NOT_C}(?:__\w+\([^\n()]*\) |[A-Za-z_][\w:<>]*(?:~[*&]+~| )){0,9}((?:[A-Za-z_]\w*::)*\x7e?[A-Za-z_]\w*)~${body}`
  ],
  ["variable", r`^${NOT_C}(?:[A-Za-z_]\w*(?:~\*+~| )){1,9}([A-Za-z_]\w*)(?:\[[^\]\n]*\])*(?: __\w+)?~=(?!=)`],
  [
    "member",
    r`${words("virtual|static|inline|explicit|constexpr|friend")}${NOT_C}(?:[A-Za-z_][\w:<>,]*(?:~[*&]+~| )){0,9}(\x7e?[A-Za-z_]\w*)~${body}`
  ]
]

const shell: Rules = [
  ["function", r`function ([\w:.-]+)`],
  ["function", r`([\w:.-]+)~\(~\)`]
]

const languages: Readonly<Record<string, Rules>> = {
  TypeScript: js,
  JavaScript: js,
  Vue: js,
  Svelte: js,
  Python: [
    ["class", r`class (\w+)~[(:[]`],
    ["function", r`(?:async )?def (\w+)`],
    ["constant", r`^([A-Z_][A-Z0-9_]*)~(?::[^=\n]+)?=(?!=)`],
    ["variable", r`^([A-Za-z_]\w*)~(?::[^=\n]+)?=(?!=)`]
  ],
  Go: [
    ["function", r`^func (\w+)~[(\[]`],
    ["method", r`^func \([^)\n]*\)~(\w+)`],
    ["struct", r`^type (\w+)(?:\[[^\n]*\])? struct\b`],
    ["interface", r`^type (\w+)(?:\[[^\n]*\])? interface\b`],
    ["type", r`(?:^type |\t)(\w+)(?:\[[^\n]*\])? (?:func|map|chan|\[\]|\*)`],
    ["type", r`^type (\w+)`],
    ["constant", r`^const (\w+)`],
    ["variable", r`^var (\w+)`],
    ["constants", r`^const~(\()`],
    ["variables", r`^var~(\()`],
    ["entry", r`([A-Za-z_]\w*)(?=$|,| )`]
  ],
  Rust: [
    ["function", r`(?:pub(?:\([^)\n]*\))? )?${words('default|const|async|unsafe|extern(?: "[^"\\n]*")?')}fn (\w+)`],
    ["struct", r`(?:pub(?:\([^)\n]*\))? )?(?:struct|union) (\w+)`],
    ["enum", r`(?:pub(?:\([^)\n]*\))? )?enum (\w+)`],
    ["interface", r`(?:pub(?:\([^)\n]*\))? )?(?:unsafe )?trait (\w+)`],
    ["type", r`(?:pub(?:\([^)\n]*\))? )?type (\w+)`],
    ["module", r`(?:pub(?:\([^)\n]*\))? )?mod (\w+)`],
    ["constant", r`(?:pub(?:\([^)\n]*\))? )?(?:const|static(?: mut)?) (\w+)~:`],
    ["macro", r`macro_rules!~(\w+)`],
    ["scope", r`(?:unsafe )?impl(?:<[^\n{]*>)? (?:[^\n{]* for )?(?:\w+::)*(\w+)`]
  ],
  C: c,
  "C++": c,
  Java: java,
  "C#": java,
  Kotlin: kotlin,
  Scala: kotlin,
  Groovy: java,
  Swift: [
    ["class", r`${words(r`public|private|internal|open|final|fileprivate|@\w+`)}(?:class|actor) (?!func\b|var\b)(\w+)`],
    ["struct", r`${words(r`public|private|internal|fileprivate|@\w+`)}struct (\w+)`],
    ["enum", r`${words("public|private|internal|fileprivate|indirect")}enum (\w+)`],
    ["interface", r`${words("public|private|internal|fileprivate")}protocol (\w+)`],
    ["type", r`${words("public|private|internal|fileprivate")}typealias (\w+)`],
    ["scope", r`${words("public|private|internal|fileprivate")}extension (\w+)`],
    [
      "function",
      r`${words(r`public|private|internal|open|final|fileprivate|override|static|class|mutating|nonisolated|@\w+`)}func ([^\s(<]+)`
    ]
  ],
  Ruby: [
    ["class", r`class (?:\w+::)*([A-Z]\w*)`],
    ["module", r`module (?:\w+::)*([A-Z]\w*)`],
    ["function", r`def (?:self\.)?([\w]+[?!=]?)`],
    ["constant", r`([A-Z][A-Z0-9_]*)~=(?![=~>])`]
  ],
  PHP: [
    ["class", r`${words("abstract|final|readonly")}class (\w+)`],
    ["interface", r`(?:interface|trait) (\w+)`],
    ["enum", r`enum (\w+)`],
    ["function", r`${words("public|private|protected|static|abstract|final")}function~&?~(\w+)`],
    ["constant", r`${words("public|private|protected|final")}const (?:\w+ )?(\w+)~=`],
    ["constant", r`define\(['"](\w+)`]
  ],
  Lua: [["function", r`(?:local )?function (?:\w+[.:])*(\w+)`]],
  Perl: [
    ["module", r`package ([\w:]+)`],
    ["function", r`sub (\w+)`]
  ],
  Elixir: [
    ["module", r`def(?:module|protocol) ([\w.]+)`],
    ["macro", r`defmacrop? (\w+[?!]?)`],
    ["function", r`defp? (\w+[?!]?)`]
  ],
  Zig: [
    ["function", r`${words("pub|export|inline|extern")}fn (\w+)`],
    ["struct", r`(?:pub )?const (\w+)~=~(?:extern |packed )?(?:struct|union|enum|opaque)\b`],
    ["constant", r`^(?:pub )?const (\w+)`]
  ],
  Shell: shell,
  Makefile: [
    ["macro", r`define ([\w.-]+)`],
    ["function", r`^([\w./%-]+)~:(?![=:])`]
  ],
  SQL: [
    [
      "struct",
      r`create ${words("or replace|temp|temporary|unlogged|virtual|global|local")}(?:table|view|materialized view) (?:if not exists )?(?:["\`[]?\w+["\`\]]?\.)?["\`[]?(\w+)`
    ],
    ["function", r`create (?:or replace )?(?:function|procedure|trigger) (?:if not exists )?(?:\w+\.)?["\`[]?(\w+)`],
    ["type", r`create (?:type|domain) (?:\w+\.)?["\`[]?(\w+)`],
    ["variable", r`create (?:unique )?index (?:concurrently )?(?:if not exists )?["\`[]?(\w+)`]
  ],
  SCSS: [["function", r`@(?:mixin|function) ([\w-]+)`]],
  Markdown: [
    ["fence", "(```|~~~)".replaceAll("~", r`\x7e`)],
    ["module", r`^#{1,6} ([^\n]*[^\s#])`]
  ]
}
