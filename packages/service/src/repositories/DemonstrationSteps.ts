/** One commit of the demonstration repository. */
export interface Step {
  readonly branch: string
  readonly author: Author
  /** Hours after the first commit. */
  readonly hours: number
  readonly message: string
  /** Content of the files that the commit adds or replaces, by path. Undefined for removed files. */
  readonly files: Readonly<Record<string, string | Uint8Array | undefined>>
  /** Paths of executable files. */
  readonly executable?: ReadonlyArray<string>
  /** The branch that a new branch starts from, or a revision of an earlier import. */
  readonly from?: string
  /** The branch that the commit merges. */
  readonly merge?: string
  /** The tag to create at the commit: annotated with a message, otherwise lightweight. */
  readonly tag?: { readonly name: string; readonly message?: string }
}

/** An author of the demonstration: `Name <email>` and a time zone, for example `+0100`. */
export interface Author {
  readonly person: string
  readonly timezone: string
}

export const ada: Author = { person: "Ada Fenwick <ada@lighthouse.example>", timezone: "+0000" }
export const juergen: Author = { person: "Jürgen Möwe <juergen@lighthouse.example>", timezone: "+0100" }
export const mamoru: Author = { person: "灯台 守 <mamoru@lighthouse.example>", timezone: "+0900" }
export const oyvind: Author = { person: "Øyvind Fjære <oyvind@lighthouse.example>", timezone: "+0100" }
export const tilda: Author = { person: "Tilda Brine <tilda@south-pier.example>", timezone: "+0000" }

const README = `# Lighthouse

This is a demonstration repository. Tongs made it because it was started outside any git repository, so that
there is something to look at. The people in its history do not exist, and the lighthouse does not either.

Start Tongs inside a repository of your own, or name folders with \`--repos DIR\`, to see yours instead.

## What is here

- \`src/lamp.ts\` decides when the lamp is lit
- \`src/horn.py\` sounds the fog horn
- \`src/log.c\` keeps the keeper's log
- \`docs/\` has the manual, also in Japanese
`

export const LAMP = `export interface Weather {
  readonly visibilityKm: number
  readonly dark: boolean
}

/** The lamp is lit in the dark and whenever ships cannot see the cliff. */
export const isLit = (weather: Weather): boolean => weather.dark || weather.visibilityKm < 5
`

export const HORN = `"""The fog horn: one blast of three seconds in every half minute."""

BLAST_SECONDS = 3
PERIOD_SECONDS = 30


def is_sounding(second: int, visibility_km: float) -> bool:
    return visibility_km < 2 and second % PERIOD_SECONDS < BLAST_SECONDS
`

export const LOG = `#include <stdio.h>

/* The keeper's log: one line for each watch. */
int write_watch(FILE *log, const char *keeper, int ships) {
  return fprintf(log, "%s\\t%d\\n", keeper, ships);
}
`

/** The history, oldest first. */
export const steps: ReadonlyArray<Step> = [
  {
    branch: "main",
    author: ada,
    hours: 0,
    message: "Say what this repository is\n",
    files: { "README.md": README, LICENSE: "This demonstration is in the public domain.\n" }
  },
  {
    branch: "main",
    author: ada,
    hours: 5,
    message: "Light the lamp in the dark\n",
    files: { "src/lamp.ts": LAMP.replace(" || weather.visibilityKm < 5", "") }
  },
  {
    branch: "main",
    author: juergen,
    hours: 26,
    message:
      "Light the lamp in fog, too\n\nShips asked for it: below five kilometres the cliff cannot be seen by day.\n",
    files: { "src/lamp.ts": LAMP }
  },
  {
    branch: "main",
    author: juergen,
    hours: 30,
    message: "Test the lamp\n",
    files: {
      "test/lamp.test.ts": `import { isLit } from "../src/lamp.ts"

if (!isLit({ dark: true, visibilityKm: 40 })) throw new Error("dark, and not lit")
if (isLit({ dark: false, visibilityKm: 40 })) throw new Error("a clear day, and lit")
`
    },
    tag: { name: "v0.1.0" }
  },
  {
    branch: "fog-horn",
    from: "main",
    author: mamoru,
    hours: 49,
    message: "Sound a horn when nobody can see the lamp\n",
    files: { "src/horn.py": HORN }
  },
  {
    branch: "main",
    author: ada,
    hours: 53,
    message: "Keep a log of the watches\n",
    files: { "src/log.c": LOG }
  },
  {
    branch: "fog-horn",
    author: mamoru,
    hours: 55,
    message: "霧笛の説明書を追加 (manual of the fog horn, in Japanese)\n",
    files: {
      "docs/霧笛.md": "# 霧笛\n\n視程が二キロメートル未満のとき、三十秒ごとに三秒間鳴らします。\n"
    }
  },
  {
    branch: "main",
    author: ada,
    hours: 74,
    merge: "fog-horn",
    message: "Merge branch 'fog-horn'\n\nThe horn was heard on the mainland. Both of its blasts.\n",
    files: {
      "src/horn.py": HORN,
      "docs/霧笛.md": "# 霧笛\n\n視程が二キロメートル未満のとき、三十秒ごとに三秒間鳴らします。\n"
    }
  },
  {
    branch: "main",
    author: juergen,
    hours: 80,
    message: "Configure the station\n",
    files: {
      "station.json": `{\n  "name": "Möwenfels",\n  "lampMetres": 31,\n  "flashSeconds": [2, 8]\n}\n`,
      "scripts/wind-clock.sh":
        '#!/bin/sh\n# The clockwork that turns the lens runs for eight hours.\necho "wound at $(date -u +%H:%M)"\n'
    }
  },
  {
    branch: "main",
    author: ada,
    hours: 98,
    message: "Write the keeper's manual\n",
    files: {
      "docs/manual.md": `# The keeper's manual

1. Wind the clockwork at the start of each watch.
2. Light the lamp when \`isLit\` says so.
3. Write down every ship. Café ☕ is in the kitchen.
`
    },
    tag: { name: "v1.0.0", message: "The first season\n\nLamp, horn, log and manual are complete.\n" }
  },
  {
    branch: "electric-lamp",
    from: "main",
    author: juergen,
    hours: 121,
    message: "Try an electric lamp ⚡\n",
    files: { "src/lamp.ts": `${LAMP}\n/** No more oil. */\nexport const watts = 1000\n` }
  },
  {
    branch: "main",
    author: mamoru,
    hours: 145,
    message: "Show the flash pattern on a page\n",
    files: {
      "site/index.html": `<!doctype html>
<title>Lighthouse</title>
<link rel="stylesheet" href="flash.css">
<p class="lamp">●</p>
`,
      "site/flash.css": `.lamp { animation: flash 10s infinite steps(1); }
@keyframes flash { 0% { opacity: 1 } 20% { opacity: 0 } }
`
    }
  }
]
