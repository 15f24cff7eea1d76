/** File extensions by programming language. */
const extensions: Readonly<Record<string, ReadonlyArray<string>>> = {
  Astro: ["astro"],
  C: ["c", "h"],
  "C#": ["cs"],
  "C++": ["cc", "cpp", "cxx", "hh", "hpp", "hxx"],
  Clojure: ["clj", "cljs"],
  CSS: ["css", "less", "scss"],
  Dart: ["dart"],
  Elixir: ["ex", "exs"],
  Erlang: ["erl", "hrl"],
  "F#": ["fs", "fsx"],
  Go: ["go"],
  Haskell: ["hs"],
  HTML: ["html", "htm"],
  Java: ["java"],
  JavaScript: ["js", "jsx", "cjs", "mjs"],
  Julia: ["jl"],
  Kotlin: ["kt", "kts"],
  Lua: ["lua"],
  Markdown: ["md", "mdx"],
  Nix: ["nix"],
  OCaml: ["ml", "mli"],
  Perl: ["pl", "pm"],
  PHP: ["php"],
  Python: ["py", "pyi"],
  R: ["r"],
  Ruby: ["rb"],
  Rust: ["rs"],
  Scala: ["scala", "sc"],
  Shell: ["bash", "fish", "sh", "zsh"],
  SQL: ["sql"],
  Svelte: ["svelte"],
  Swift: ["swift"],
  TypeScript: ["cts", "mts", "ts", "tsx"],
  Vue: ["vue"],
  Zig: ["zig"]
}

const languageOf = new Map(Object.entries(extensions).flatMap(([language, all]) => all.map((name) => [name, language])))

/** The share of a programming language in a repository. */
export interface Share {
  readonly language: string
  /** Fraction of the bytes of all files in known languages, from 0 to 1. */
  readonly share: number
}

/** Returns the shares of languages, largest first. Detects languages by file extension. Sizes are in bytes. */
export const shares = (
  files: ReadonlyArray<{ readonly path: string; readonly size?: number }>
): ReadonlyArray<Share> => {
  const bytes = new Map<string, number>()
  for (const { path, size = 0 } of files) {
    const language = languageOf.get(/\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? "")
    if (language !== undefined) bytes.set(language, (bytes.get(language) ?? 0) + size)
  }
  const all = [...bytes.values()].reduce((sum, size) => sum + size, 0)
  return all === 0
    ? []
    : [...bytes].map(([language, size]) => ({ language, share: size / all })).sort((a, b) => b.share - a.share)
}
