/** The branches of the demonstration's pull requests. They begin at commits of its history. */
import { ada, HORN, juergen, LAMP, LOG, mamoru, oyvind, type Step, tilda } from "./DemonstrationSteps.ts"

/** A lamp in the dark, as a PNG image of 32 by 32 pixels. */
const FLASH_IMAGE =
  "iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAIAAAD8GO2jAAAAdElEQVR42mOQkNGhKWIYtWDUAhiqSNBAQ1SzANNokqxhINtoIq1h" +
  "oNx0/HaQYMH/a1FwRKkFeIzGYw2ZFuAyHdMOYi0g0vlEeoKBEucT44lRCyi1gCaRTPNkSo+MRvOigh6FHc2La3pUOHSqMkebLaMW" +
  "EEIAW3bKLzih/p0AAAAASUVORK5CYII="

const DAYS = 365

/** 1 January 2025, 00:00 UTC, and a day, in milliseconds. */
const newYear = Date.UTC(2025, 0, 1)
const DAY = 24 * 60 * 60 * 1000

const dateOf = (day: number): string => new Date(newYear + day * DAY).toISOString().slice(0, 10)

/** Height of the water in centimetres: two tides in 25 hours. */
const heightAt = (hour: number): number => {
  const phase = (hour * 4) % 50
  return 40 + Math.abs(phase - 25) * 12
}

/** The heights of each hour of a year, too many lines to show at once. */
const yearTable = (): string => {
  const lines = Array.from({ length: DAYS * 24 }, (_, hour) => {
    const time = String(hour % 24).padStart(2, "0")
    return `${dateOf(Math.floor(hour / 24))} ${time}:00,${heightAt(hour)}`
  })
  return `time,centimetres\n${lines.join("\n")}\n`
}

/** A file for each day of the year. */
const dayTables = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Array.from({ length: DAYS }, (_, day) => {
      const date = dateOf(day)
      const lines = [0, 6, 12, 18].map((time) => `${String(time).padStart(2, "0")}:00,${heightAt(day * 24 + time)}`)
      return [`tides/${date.slice(0, 4)}/${date.slice(5)}.csv`, `time,centimetres\n${lines.join("\n")}\n`]
    })
  )

const MANUAL = `# The keeper's manual

1. Wind the clockwork at the start of each watch.
2. Light the lamp when \`isLit\` says so.
3. Write down every ship. Café ☕ is in the kitchen.
4. The [fog horn](霧笛.md) has a page of its own.
`

const SIGNALS = `import { isLit, type Weather } from "./lamp.ts"

/** The state of the lamp, for the ferry. */
export const signal = (weather: Weather): string => JSON.stringify({ lamp: isLit(weather) ? "on" : "off" })
`

const windLog = LOG.replace("int ships) {", "int ships, const char *wind) {")
  .replace('"%s\\t%d\\n", keeper, ships', '"%s\\t%d\\t%s\\n", keeper, ships, wind')
  .replace("one line for each watch", "one line for each watch, with the wind")

/** The commits, the oldest of each branch first. */
export const changes: ReadonlyArray<Step> = [
  {
    branch: "lamp-in-fog",
    from: "v0.1.0^^",
    author: juergen,
    hours: 24,
    message: "Light the lamp in fog, too\n",
    files: { "src/lamp.ts": LAMP.replace("< 5", "< 3") }
  },
  {
    branch: "lamp-in-fog",
    author: juergen,
    hours: 25,
    message: "Five kilometres, as on the charts\n",
    files: { "src/lamp.ts": LAMP }
  },
  {
    branch: "watch-log",
    from: "v0.1.0^0",
    author: ada,
    hours: 51,
    message: "Keep a log of the watches\n",
    files: { "src/log.c": LOG }
  },
  {
    branch: "second-lamp-page",
    from: "v1.0.0^0",
    author: oyvind,
    hours: 130,
    message: "Show both lamps on a page\n",
    files: {
      "site/flash.css":
        ".lamp { animation: flash 12s infinite }\n@keyframes flash { 0% { opacity: 1 } 50% { opacity: 0 } }\n",
      "site/second.html": '<!doctype html>\n<title>Both lamps</title>\n<p class="lamp">● ●</p>\n'
    }
  },
  {
    branch: "ferry-signals",
    from: "main^0",
    author: tilda,
    hours: 150,
    message: "Give the ferry the state of the lamp as JSON\n",
    files: { "src/signals.ts": SIGNALS }
  },
  {
    branch: "ferry-signals",
    author: tilda,
    hours: 152,
    message: "Test the signals\n",
    files: {
      "test/signals.test.ts": `import { signal } from "../src/signals.ts"

if (signal({ dark: true, visibilityKm: 40 }) !== '{"lamp":"on"}') throw new Error("dark, and off")
`
    }
  },
  {
    branch: "one-manual",
    from: "main^0",
    author: ada,
    hours: 155,
    message: "Move the manuals to one folder\n",
    files: {
      "docs/manual.md": undefined,
      "docs/霧笛.md": undefined,
      "manual/README.md": MANUAL,
      "manual/霧笛.md": "# 霧笛\n\n視程が二キロメートル未満のとき、三十秒ごとに三秒間鳴らします。\n"
    }
  },
  {
    branch: "one-manual",
    author: ada,
    hours: 156,
    message: "Add a picture of the flash\n\nThe keeper's clockwork can be started without a shell, too.\n",
    executable: ["scripts/wind-clock.sh"],
    files: {
      "manual/flash.png": Buffer.from(FLASH_IMAGE, "base64"),
      "scripts/wind-clock.sh":
        '#!/bin/sh\n# The clockwork that turns the lens runs for eight hours.\necho "wound at $(date -u +%H:%M)"\n'
    }
  },
  {
    branch: "tide-tables",
    from: "main^0",
    author: mamoru,
    hours: 160,
    message: "Add the heights of each hour of 2025\n",
    files: { "tides/2025.csv": yearTable() }
  },
  {
    branch: "tide-tables",
    author: mamoru,
    hours: 161,
    message: "Add a tide table for each day\n\nThe ferry prints one every morning.\n",
    files: dayTables()
  },
  {
    branch: "louder-horn",
    from: "v1.0.0^0",
    author: mamoru,
    hours: 165,
    message: "Sound the horn below three kilometres\n",
    files: { "src/horn.py": HORN.replace("visibility_km < 2", "visibility_km < 3") }
  },
  {
    branch: "wind-in-log",
    from: "main^0",
    author: juergen,
    hours: 170,
    message: "Write the wind into the log\n",
    files: { "src/log.c": windLog }
  },
  {
    branch: "wind-in-log",
    author: juergen,
    hours: 172,
    message: "Measure the wind on the gallery\n",
    files: {
      "src/wind.c": `#include "wind.h"

/* Turns of the cups in ten seconds, as knots. */
int knots(int turns) {
  int k = turns * 10 / 17;
  if (k > 64) k = 64;
  return k;
}
`,
      "src/wind.h": "int knots(int turns);\n"
    }
  }
]
